import { STATUS_CODES } from 'node:http';

export interface Refusal {
  readonly status: number;
  /** Stable: `prompt_too_long`. */
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown wherever a request turns out to be refused; the service answers with it. */
export class RefusedRequest extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export function refuse(status: number, code: string, message: string): never {
  throw new RefusedRequest({ status, code, message });
}

export function refusalBody({ status, code, message }: Refusal): {
  readonly status: number;
  readonly code: string;
  readonly error: string;
  readonly message: string;
} {
  return { status, code, error: STATUS_CODES[status] ?? 'Error', message };
}
