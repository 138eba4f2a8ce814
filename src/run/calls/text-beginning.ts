import type { Redact } from '../../targets/secrets/redact.ts';

/** Bytes that are looked at, and characters that are shown: far fewer, so that no secret is cut where looking ends. */
const LOOKED_AT = 16 * 1024;
const SHOWN = 160;

/** The beginning of bytes that are UTF-8 text, on one line, redacted and shortened; empty where they are none. */
export function beginningOfText(bytes: Uint8Array, redact: Redact): string {
  const head = bytes.subarray(0, LOOKED_AT);
  try {
    // Stream: the last character may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? '' : redact(text, SHOWN);
  } catch {
    return '';
  }
}
