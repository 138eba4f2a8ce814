import type { Redact } from '../kit/redact.ts';
import type { MediaType } from '../media/header.ts';
import type { SampleError } from '../record/journal.ts';
import type { CallResult } from '../targets/call.ts';
import type { KnownSecrets } from '../targets/secrets.ts';

/* Outputs that came and do not count, in a run and in `retake try`. */

/** Refuses an output with a secret, as of a server that echoes the key: it would be written to disk. */
export function withoutSecrets<Result extends CallResult>(result: Result, secrets: KnownSecrets) {
  const isRefused = result.outcome === 'ok' && result.assets.some(({ bytes }) => secrets.isInBytes(bytes));
  if (!isRefused) return result;
  return refusedResult(result, { code: 'secret_in_output', message: 'the output holds the key and was not kept' });
}

/** The result of a call whose outputs are refused. */
export function refusedResult<Result extends CallResult>(result: Result, error: SampleError) {
  return { ...result, assets: undefined, outcome: 'error', error } as const;
}

/**
 * Why an output is not of the expected type, whatever the reply declares.
 * @param text its beginning where it is text, such as an error page; else empty
 */
export function unexpectedMedia(
  output: { readonly type: MediaType | null; readonly bytes: number; readonly declaredMime: string | null },
  text: string,
  expected: string | null,
): SampleError {
  const actual = output.type?.mime ?? (output.bytes === 0 ? 'no bytes' : 'bytes of no known media type');
  const declared = output.declaredMime === null ? '' : `, declared as ${output.declaredMime}`;
  const shown = text === '' ? '' : `: ${text}`;
  return { code: 'unexpected_media', message: `expected ${expected ?? 'media'}, got ${actual}${declared}${shown}` };
}

/** Bytes read, and characters shown: far fewer, so that no secret is cut in two. */
const LOOKED_AT = 16 * 1024;
const SHOWN = 160;

/** The beginning of UTF-8 text on one line, redacted and shortened; empty for other bytes. */
export function beginningOfText(bytes: Uint8Array, redact: Redact): string {
  const head = bytes.subarray(0, LOOKED_AT);
  try {
    // Streaming, because the last character may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? '' : redact(text, SHOWN);
  } catch {
    return '';
  }
}
