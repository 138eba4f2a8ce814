import { MessageChannel } from 'node:worker_threads';
import type { Redact } from '../../kit/visible.ts';
import { headerSize, sniff } from '../../media/header.ts';
import type { Sample } from '../../record/journal.ts';
import type { RecordWriter } from '../../record/store.ts';
import type { KnownSecrets } from '../../targets/secrets.ts';
import type { EndedCall } from '../events.ts';
import type { Ended } from './call-trial.ts';
import { type KeptOutput, sampleOf } from './sample-of.ts';

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

/** A port whose other end is closed: what is transferred to it is freed at once. */
const nowhere = (() => {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  port2.close();
  return port1;
})();

/**
 * Frees bytes at once; they become empty. Outputs of hundreds of calls would otherwise wait in memory, and cause ten
 * full collections of V8 per second under load.
 */
export function freeBytes(bytes: Uint8Array): void {
  if (bytes.buffer instanceof ArrayBuffer) nowhere.postMessage(null, [bytes.buffer]);
}

export interface Returned extends Ended {
  readonly result: EndedCall;
}

/** Stores the outputs of a call, except those that contain a secret. */
export function keepOutputs(
  { context, result: returned, expected, unit }: Returned,
  record: RecordWriter,
  secrets: KnownSecrets,
): Sample {
  const result = withoutSecrets(returned, secrets);
  const kept = (result.outcome === 'ok' ? result.assets : []).map(({ bytes, declaredMime }): KeptOutput => {
    const type = sniff(bytes);
    const sha256 = record.keepMedia(bytes, type?.extension ?? 'bin');
    const text = type === null ? beginningOfText(bytes, secrets.redact) : '';
    const size = bytes.byteLength;
    const units = unit === null ? null : headerSize(bytes, unit);
    freeBytes(bytes);
    return {
      sha256,
      bytes: size,
      mime: type?.mime ?? null,
      declaredMime,
      type,
      text,
      ...(units === null ? {} : { units }),
    };
  });
  return sampleOf(context, result, kept, expected);
}

export function bytesOf(result: EndedCall | Error): number {
  if (result instanceof Error || result.outcome !== 'ok') return 0;
  return result.assets.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}

/** Refuses an output with a secret, as of a server that echoes the key: it would be written to disk. */
function withoutSecrets(result: EndedCall, secrets: KnownSecrets): EndedCall {
  if (result.outcome !== 'ok' || !result.assets.some(({ bytes }) => secrets.isInBytes(bytes))) return result;
  const { assets: _assets, ...trace } = result;
  return {
    ...trace,
    outcome: 'error',
    error: { code: 'secret_in_output', message: 'the output holds the key and was not kept' },
  };
}
