import { STATUS_CODES } from 'node:http';

export interface Refusal {
  readonly status: number;
  /** Stable: `prompt_too_long`. */
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type CheckedForm<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };

export function refusalBody({ status, code, message }: Refusal): {
  readonly status: number;
  readonly code: string;
  readonly error: string;
  readonly message: string;
} {
  return { status, code, error: STATUS_CODES[status] ?? 'Error', message };
}

export function refuse(
  status: number,
  code: string,
  message: string,
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { status, code, message } };
}
