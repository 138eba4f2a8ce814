import { STATUS_CODES } from 'node:http';

/** An answer other than an image. */
export interface Refusal {
  readonly status: number;
  /** Stable, for programs: `prompt_too_long`. */
  readonly code: string;
  /** For people. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What was found, or the refusal that ends the request. */
export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** The JSON that a refusal is sent as. */
export function refusalBody({ status, code, message }: Refusal): {
  readonly status: number;
  readonly code: string;
  readonly error: string;
  readonly message: string;
} {
  return { status, code, error: STATUS_CODES[status] ?? 'Error', message };
}

/** A check that failed. */
export function refuse(
  status: number,
  code: string,
  message: string,
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { status, code, message } };
}
