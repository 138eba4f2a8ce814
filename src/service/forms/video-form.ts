import { type FilePart, type Form, quote } from './form.ts';
import { LENGTHS, type Length, MODELS, type Model, STYLES, type VideoGeneration } from './generation.ts';
import { type AskedGeneration, collectParts, readAsked, readChoice } from './generation-form.ts';
import { type CheckedForm, refuse } from './refusal.ts';
import { fitUpload, UPLOAD_BYTES } from './uploaded-image.ts';
import type { VideoRoute } from './video-routes.ts';

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
