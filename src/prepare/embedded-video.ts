import { loadLibav } from '../media/video/libav.ts';
import type { LeftOut, LeftOutReason } from '../record/model/run.ts';
import { EMBEDDED, type Variant } from '../targets/model/target.ts';

/** Without an encoder the embedded reference service answers every request for video with 501. */
export async function splitByMachine(
  variants: readonly Variant[],
): Promise<{ readonly measurable: readonly Variant[]; readonly leftOut: readonly LeftOut[] }> {
  if (!variants.some(needsEncoder)) return { measurable: variants, leftOut: [] };
  const reason = await missingEncoder();
  if (reason === null) return { measurable: variants, leftOut: [] };
  return {
    measurable: variants.filter((variant) => !needsEncoder(variant)),
    leftOut: variants
      .filter(needsEncoder)
      .map(({ name, twinOf = null, kind, optional }) => ({ variant: name, twinOf, kind, reason, optional })),
  };
}

function needsEncoder({ kind, baseUrl }: Variant): boolean {
  return baseUrl === EMBEDDED && (kind === 'text-to-video' || kind === 'image-to-video');
}

async function missingEncoder(): Promise<LeftOutReason | null> {
  const loaded = await loadLibav();
  if (!loaded.ok) return { code: 'no_video_package', fault: loaded.reason };
  const { Codec, FF_ENCODER_LIBX264 } = loaded.libav;
  if (Codec.findEncoderByName(FF_ENCODER_LIBX264) !== null) return null;
  return { code: 'no_video_encoder', encoder: FF_ENCODER_LIBX264 };
}
