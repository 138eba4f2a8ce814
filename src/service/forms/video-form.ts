import type { Metadata, Sharp } from 'sharp';
import type { Size } from '../sampler/fourier.ts';
import { type Field, type FilePart, type Form, quote, refuse } from './form.ts';
import {
  FRAME_SIZES,
  type Generation,
  type ImageRoute,
  LARGEST_SEED,
  LENGTHS,
  type Length,
  MODELS,
  type Model,
  RATIOS,
  type Ratio,
  STYLES,
  type VideoGeneration,
  type VideoRoute,
} from './generation.ts';

/** `seed` is null if the service is to choose one. */
export type AskedGeneration = Omit<Generation, 'seed'> & { readonly seed: number | null };

export const LONGEST_PROMPT = 2000;

const PARTS = ['prompt', 'style', 'aspect_ratio', 'seed', 'model'] as const;
type FormParts = ReadonlyMap<string, string>;

/** Refuses with 400 what is malformed, and with 422 a prompt that cannot be drawn. */
export function readGeneration(fields: readonly Field[], route: ImageRoute): AskedGeneration {
  const defaults = { style: route === 'anime' ? 'anime' : 'realistic', ratio: '1:1' } as const;
  const asked = readAsked(collectParts(fields, PARTS), defaults, MODELS);
  if (route === 'anime' && asked.style !== 'anime') {
    refuse(400, 'invalid_style', 'this route draws style "anime" only; the image route draws the others');
  }
  return asked;
}

export function collectParts(fields: readonly Field[], known: readonly string[]): FormParts {
  const parts = new Map<string, string>();
  for (const { name, value } of fields) {
    if (!known.includes(name)) {
      refuse(400, 'unknown_part', `part ${quote(name)} is not known; the parts are ${known.join(', ')}`);
    }
    if (parts.has(name)) refuse(400, 'doubled_part', `part "${name}" was sent more than once`);
    parts.set(name, value);
  }
  if (!parts.has('prompt')) refuse(400, 'missing_part', 'part "prompt" is required');
  return parts;
}

/** The parts that images and videos have in common. */
export function readAsked(
  parts: FormParts,
  defaults: Pick<Generation, 'style' | 'ratio'>,
  models: readonly Model[],
): AskedGeneration {
  const prompt = parts.get('prompt') ?? '';
  const asked = {
    prompt,
    style: readChoice(parts, 'style', defaults.style, STYLES),
    ratio: readChoice(parts, 'aspect_ratio', defaults.ratio, Object.keys(RATIOS) as Ratio[]),
    model: readChoice(parts, 'model', 'standard', models),
    seed: readSeed(parts.get('seed')),
  };
  if (prompt.trim() === '') refuse(422, 'prompt_empty', 'the prompt is empty');
  const length = [...prompt].length;
  if (length > LONGEST_PROMPT) {
    refuse(422, 'prompt_too_long', `the prompt has ${length} characters; at most ${LONGEST_PROMPT} are drawn`);
  }
  return asked;
}

function readChoice<T extends string>(parts: FormParts, part: string, fallback: NoInfer<T>, choices: readonly T[]): T {
  const value = parts.get(part) ?? fallback;
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  return refuse(400, `invalid_${part}`, `${part} ${quote(value)} is not known; known are ${choices.join(', ')}`);
}

function readSeed(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^-?\d+$/.test(text)) return refuse(400, 'invalid_seed', `seed ${quote(text)} is not a whole number`);
  const seed = Number(text);
  if (seed >= 0 && seed <= LARGEST_SEED) return seed;
  return refuse(400, 'invalid_seed', `seed ${quote(text)} is not between 0 and ${LARGEST_SEED}`);
}

const MOST_PIXELS = 16_777_216;
const LEAST_SIDE = 16;
const FORMATS: readonly string[] = ['PNG', 'JPEG', 'WebP'];

interface FittedUpload {
  readonly ratio: Ratio;
  /** Red, green, blue bytes at the size of this ratio. */
  readonly rgb: Uint8Array;
}

/**
 * The header of an upload. Refuses with 415 what is not of the formats, and with 422 what is too large or small.
 * @param part its name in the form
 */
export async function readHeader(bytes: Uint8Array, part: string, formats = FORMATS): Promise<Metadata> {
  // Loaded with the first image: most services never get one.
  const { default: sharp } = await import('sharp');
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (header === null || !formats.some((format) => format.toLowerCase() === header.format)) {
    refuse(415, 'unsupported_picture', `part "${part}" must be an image: ${formats.join(' or ')}`);
  }
  const { width, height } = header.autoOrient;
  if (width * height > MOST_PIXELS) {
    refuse(422, 'picture_too_large', `an image may have at most ${MOST_PIXELS} pixels`);
  }
  if (Math.min(width, height) < LEAST_SIDE) {
    refuse(422, 'picture_too_small', `each side of an image takes at least ${LEAST_SIDE} pixels`);
  }
  return header;
}

/** Decodes an upload, turns it as its metadata says, and changes it. Refuses with 422 what does not decode. */
export async function decodeUpload(bytes: Uint8Array, part: string, change: (image: Sharp) => Sharp): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'truncated', pages: 1 }).rotate();
  return change(image)
    .toBuffer()
    .catch(() => refuse(422, 'broken_picture', `the image in part "${part}" does not decode`));
}

/** As red, green, blue bytes; transparency becomes white. */
export function toOpaque(image: Sharp): Sharp {
  return image.flatten({ background: '#fff' }).toColourspace('srgb').raw();
}

/** Scales an upload to cover the frame, centred. A null ratio takes the nearest one. */
export async function fitUpload(bytes: Uint8Array, asked: Ratio | null): Promise<FittedUpload> {
  const { autoOrient } = await readHeader(bytes, UPLOAD.name);
  const ratio = asked ?? nearestRatio(autoOrient);
  const { width, height } = FRAME_SIZES[ratio];
  const fitted = (image: Sharp) => toOpaque(image.resize(width, height, { fit: 'cover' }));
  return { ratio, rgb: await decodeUpload(bytes, UPLOAD.name, fitted) };
}

function nearestRatio({ width, height }: Size): Ratio {
  const asked = Math.log(width / height);
  const far = (ratio: Ratio) => Math.abs(Math.log(FRAME_SIZES[ratio].width / FRAME_SIZES[ratio].height) - asked);
  const ratios = Object.keys(FRAME_SIZES) as Ratio[];
  return ratios.reduce((best, ratio) => (far(ratio) < far(best) ? ratio : best));
}

export type AskedVideo = AskedGeneration & Pick<VideoGeneration, 'seconds' | 'upload'>;

export const VIDEO_MODELS: { readonly [K in VideoRoute]: readonly Model[] } = {
  'text-to-video': MODELS,
  'image-to-video': ['standard', 'fast-lcm'],
};

export const UPLOAD: FilePart = { name: 'file', limit: 10 * 1024 * 1024, most: 1 };
export const DEFAULT_LENGTH: Length = 2;

/** 400: malformed; 415: the file is not an image; 422: a prompt or image that cannot be drawn. */
export async function readVideo({ fields, files: [file] }: Form, route: VideoRoute): Promise<AskedVideo> {
  const parts = collectParts(fields, [...PARTS, 'seconds']);
  const asked = readAsked(parts, { style: 'realistic', ratio: '16:9' }, VIDEO_MODELS[route]);
  const lengths = LENGTHS.map((length) => `${length}` as const);
  const seconds = Number(readChoice(parts, 'seconds', `${DEFAULT_LENGTH}`, lengths)) as Length;
  if (route === 'text-to-video') return { ...asked, seconds, upload: null };
  if (file === undefined) return refuse(400, 'missing_part', `part "${UPLOAD.name}" is required: an image, as a file`);
  const { ratio, rgb } = await fitUpload(file.bytes, parts.has('aspect_ratio') ? asked.ratio : null);
  return { ...asked, ratio, seconds, upload: rgb };
}
