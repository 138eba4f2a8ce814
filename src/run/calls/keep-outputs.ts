import { headerSize } from '../../media/header-size.ts';
import { sniff } from '../../media/sniff.ts';
import type { Sample } from '../../record/model/sample.ts';
import type { RecordWriter } from '../../record/store.ts';
import type { KnownSecrets } from '../../targets/secrets/known-secrets.ts';
import type { EndedCall } from '../wire/wire-messages.ts';
import type { Ended } from './call-trial.ts';
import { freeBytes } from './free-bytes.ts';
import { type KeptOutput, sampleOf } from './sample-of.ts';
import { beginningOfText } from './text-beginning.ts';

export interface Returned extends Ended {
  readonly result: EndedCall;
}

/** An output that contains a secret is not stored. */
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

/** A server that echoes the key would have us write it to disk: such an output is refused whole. */
function withoutSecrets(result: EndedCall, secrets: KnownSecrets): EndedCall {
  if (result.outcome !== 'ok' || !result.assets.some(({ bytes }) => secrets.isInBytes(bytes))) return result;
  const { assets: _assets, ...trace } = result;
  return {
    ...trace,
    outcome: 'error',
    error: { code: 'secret_in_output', message: 'the output holds the key and was not kept' },
  };
}
