import type { DecodeFault, MissingDecoder } from './facts.ts';

/** Bytes do not decode; `detail` is a clause. */
export class DecodeError extends Error {
  readonly fault: DecodeFault;

  constructor(detail: string, code: DecodeFault['code'] = 'not_decodable') {
    super(code);
    this.name = 'DecodeError';
    this.fault = { code, detail };
  }
}

/** Bytes are over a limit: `over the limit of 600 frames`. */
export class OverLimit extends DecodeError {
  constructor(limit: string) {
    super(`over the limit of ${limit}`, 'over_limit');
  }
}

/** This machine cannot decode bytes that may be valid. */
export class NoDecoder extends Error {
  readonly why: MissingDecoder;

  constructor(detail: string) {
    super('not_supported');
    this.name = 'NoDecoder';
    this.why = { code: 'not_supported', detail };
  }
}
