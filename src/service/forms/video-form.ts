import type { Size } from '../sampler/fourier.ts';
import { type FilePart, type Form, quote } from './form.ts';
import {
  FRAME_SIZES,
  LENGTHS,
  type Length,
  MODELS,
  type Model,
  type Ratio,
  STYLES,
  type VideoGeneration,
} from './generation.ts';
import { type AskedGeneration, collectParts, readAsked, readChoice } from './generation-form.ts';
import { type CheckedForm, refuse } from './refusal.ts';
import type { VideoRoute } from './video-routes.ts';

const UPLOAD_BYTES = 10 * 1024 * 1024;
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

/** `seed` is null if the service is to choose one. */
export type AskedVideo = AskedGeneration & Pick<VideoGeneration, 'seconds' | 'upload'>;

export const VIDEO_MODELS: { readonly [K in VideoRoute]: readonly Model[] } = {
  'text-to-video': MODELS,
  'image-to-video': ['standard', 'fast-lcm'],
};

export const UPLOAD: FilePart = { name: 'file', limit: UPLOAD_BYTES };
export const DEFAULT_LENGTH: Length = 2;

const PARTS = ['prompt', 'style', 'aspect_ratio', 'seed', 'model', 'seconds'];

/** 400: malformed; 415: the file is not an image; 422: a prompt or image that cannot be drawn. */
export async function readVideo({ fields, file }: Form, route: VideoRoute): Promise<CheckedForm<AskedVideo>> {
  const parts = collectParts(fields, PARTS);
  if (!parts.ok) return parts;
  const style = readChoice('style', parts.value.get('style') ?? 'realistic', STYLES);
  if (!style.ok) return style;
  const asked = readAsked(parts.value, style.value, '16:9', VIDEO_MODELS[route]);
  if (!asked.ok) return asked;
  const given = parts.value.get('seconds') ?? String(DEFAULT_LENGTH);
  const seconds = LENGTHS.find((length) => String(length) === given);
  if (seconds === undefined) {
    return refuse(400, 'invalid_seconds', `seconds ${quote(given)} is not known; known are ${LENGTHS.join(', ')}`);
  }
  if (route === 'text-to-video') return { ok: true, value: { ...asked.value, seconds, upload: null } };
  if (file === null) return refuse(400, 'missing_part', `part "${UPLOAD.name}" is required: an image, as a file`);
  const fitted = await fitUpload(file, parts.value.has('aspect_ratio') ? asked.value.ratio : null);
  if (!fitted.ok) return fitted;
  const { ratio, rgb } = fitted.value;
  return { ok: true, value: { ...asked.value, ratio, seconds, upload: rgb } };
}
