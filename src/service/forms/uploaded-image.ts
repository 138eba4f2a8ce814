import type { Size } from '../sampler/fourier.ts';
import { FRAME_SIZES, type Ratio } from './generation.ts';
import { type CheckedForm, refuse } from './refusal.ts';

export const UPLOAD_BYTES = 10 * 1024 * 1024;
const MOST_PIXELS = 16_777_216;
const LEAST_SIDE = 16;
const FORMATS: readonly string[] = ['png', 'jpeg', 'webp'];

interface FittedUpload {
  readonly ratio: Ratio;
  /** Red, green, blue bytes at the size of this ratio. */
  readonly rgb: Uint8Array;
}

/**
 * Decodes an upload, turns it as its metadata says, and scales it to cover the frame, centred; transparency becomes
 * white. A null ratio takes the nearest one. 415 if its bytes are not PNG, JPEG or WebP, 422 if it does not decode or
 * is too large or small.
 */
export async function fitUpload(bytes: Uint8Array, asked: Ratio | null): Promise<CheckedForm<FittedUpload>> {
  // Loaded with the first image: most services never get one.
  const { default: sharp } = await import('sharp');
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (header === null || !FORMATS.includes(header.format)) {
    return refuse(415, 'unsupported_picture', 'part "file" must be an image: PNG, JPEG or WebP');
  }
  const { width, height } = header.autoOrient;
  if (width * height > MOST_PIXELS) {
    return refuse(422, 'picture_too_large', `an image may have at most ${MOST_PIXELS} pixels`);
  }
  if (Math.min(width, height) < LEAST_SIDE) {
    return refuse(422, 'picture_too_small', `each side of an image takes at least ${LEAST_SIDE} pixels`);
  }
  const ratio = asked ?? nearestRatio({ width, height });
  const size = FRAME_SIZES[ratio];
  try {
    const rgb = await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'truncated', pages: 1 })
      .rotate()
      .resize(size.width, size.height, { fit: 'cover' })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer();
    return { ok: true, value: { ratio, rgb } };
  } catch {
    return refuse(422, 'broken_picture', 'the image in part "file" does not decode');
  }
}

function nearestRatio({ width, height }: Size): Ratio {
  const asked = Math.log(width / height);
  const far = (ratio: Ratio) => Math.abs(Math.log(FRAME_SIZES[ratio].width / FRAME_SIZES[ratio].height) - asked);
  const ratios = Object.keys(FRAME_SIZES) as Ratio[];
  return ratios.reduce((best, ratio) => (far(ratio) < far(best) ? ratio : best));
}
