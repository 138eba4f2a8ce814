import type { Redact } from '../../targets/secrets/redact.ts';

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
