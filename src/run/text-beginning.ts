import { createRedact } from '../target/redact.ts';

/** Bytes that are looked at, and characters that are shown. */
const LOOKED_AT = 1024;
const SHOWN = 160;

/** An output that holds a secret is not kept at all, so there is none to redact: this only tidies up and shortens. */
const tidy = createRedact([]);

/** The beginning of bytes that are UTF-8 text, on one line and shortened; empty where they are none. */
export function beginningOfText(bytes: Uint8Array): string {
  const head = bytes.subarray(0, LOOKED_AT);
  try {
    // Stream: the last character may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? '' : tidy(text, SHOWN);
  } catch {
    return '';
  }
}
