import type { DecodeFault, MissingDecoder } from './decode-fault.ts';

export class DecodeError extends Error {
  readonly fault: DecodeFault;

  constructor(fault: DecodeFault) {
    super(fault.code);
    this.name = 'DecodeError';
    this.fault = fault;
  }
}

/** This machine cannot decode bytes that may be valid. */
export class NoDecoder extends Error {
  readonly why: MissingDecoder;

  constructor(why: MissingDecoder) {
    super(why.code);
    this.name = 'NoDecoder';
    this.why = why;
  }
}
