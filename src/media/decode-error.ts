import type { DecodeFault, MissingDecoder } from './decode-fault.ts';

/** Thrown where bytes do not decode. */
export class DecodeError extends Error {
  readonly fault: DecodeFault;

  constructor(fault: DecodeFault) {
    super(fault.code);
    this.name = 'DecodeError';
    this.fault = fault;
  }
}

/** Thrown where this machine cannot decode bytes that may be sound. */
export class NoDecoder extends Error {
  readonly why: MissingDecoder;

  constructor(why: MissingDecoder) {
    super(why.code);
    this.name = 'NoDecoder';
    this.why = why;
  }
}
