import type { OverlayOptions } from 'sharp';
import type { Size } from '../sampler/fourier.ts';
import { type FilePart, type Form, quote, refuse } from './form.ts';
import { type Edit, MODELS, RATIOS } from './generation.ts';
import { type AskedGeneration, collectParts, decodeUpload, readAsked, readHeader, toOpaque } from './video-form.ts';

export const IMAGES: FilePart = { name: 'image', limit: 10 * 1024 * 1024, most: 4 };
export const MASK: FilePart = { name: 'mask', limit: 4 * 1024 * 1024, most: 1 };
export const STRENGTH = { minimum: 0.1, maximum: 1, default: 0.6 };
/** As long as the longest of a text's image. */
export const LONGEST_SIDE = Math.max(...Object.values(RATIOS).map(({ width }) => width));

const PARTS = ['prompt', 'style', 'strength', 'seed', 'model'] as const;

/** 400: malformed; 415: a file of another type; 422: a prompt or image that cannot be drawn, a mask of another size. */
export async function readEdit({ fields, files }: Form): Promise<AskedGeneration> {
  const parts = collectParts(fields, PARTS);
  const asked = readAsked(parts, { style: 'realistic', ratio: '1:1' }, MODELS);
  const strength = readStrength(parts.get('strength'));
  const [first, ...others] = files.filter(({ name }) => name === IMAGES.name).map(({ bytes }) => bytes);
  const mask = files.find(({ name }) => name === MASK.name)?.bytes;
  if (first === undefined) {
    if (mask !== undefined) return refuse(400, 'mask_without_image', 'part "mask" needs part "image"');
    return refuse(400, 'missing_part', `part "${IMAGES.name}" is required: 1 to ${IMAGES.most} images, as files`);
  }
  const { width, height } = await readStill(first);
  if (Math.max(width, height) > LONGEST_SIDE) {
    refuse(422, 'picture_too_large', `each side of the first image may have at most ${LONGEST_SIDE} pixels`);
  }
  const rgb = await decodeUpload(first, IMAGES.name, toOpaque);
  const edit: Edit = {
    width,
    height,
    strength,
    first: rgb,
    joined: others.length === 0 ? rgb : await join(first, { width, height }, others),
    mask: mask === undefined ? null : await readMask(mask, { width, height }),
  };
  return { ...asked, edit };
}

function readStrength(text = String(STRENGTH.default)): number {
  const strength = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (strength >= STRENGTH.minimum && strength <= STRENGTH.maximum) return strength;
  const { minimum, maximum } = STRENGTH;
  return refuse(400, 'invalid_strength', `strength ${quote(text)} is not a number between ${minimum} and ${maximum}`);
}

async function readStill(bytes: Uint8Array): Promise<Size> {
  const { autoOrient, pages = 1 } = await readHeader(bytes, IMAGES.name);
  if (pages > 1) refuse(422, 'animated_picture', `an image in part "${IMAGES.name}" is animated; send a still image`);
  return autoOrient;
}

/** Lays images along the lower edge of the first, from the left, each at most a third as wide and high. */
async function join(first: Uint8Array, size: Size, others: readonly Uint8Array[]): Promise<Uint8Array> {
  const width = Math.floor(size.width / 3);
  const height = Math.round(size.height / 3);
  const layers: OverlayOptions[] = [];
  for (const [i, other] of others.entries()) {
    await readStill(other);
    const input = await decodeUpload(other, IMAGES.name, (image) =>
      image.resize(width, height, { fit: 'inside' }).png(),
    );
    layers.push({ input, left: i * width, top: size.height - height });
  }
  return decodeUpload(first, IMAGES.name, (image) => toOpaque(image.composite(layers)).removeAlpha());
}

async function readMask(bytes: Uint8Array, { width, height }: Size): Promise<Uint8Array> {
  const { autoOrient } = await readHeader(bytes, MASK.name, ['PNG']);
  if (autoOrient.width !== width || autoOrient.height !== height) {
    const sizes = `${autoOrient.width} x ${autoOrient.height} pixels, the first image ${width} x ${height}`;
    refuse(422, 'mask_size', `the mask has ${sizes}; send a mask of the same size`);
  }
  return decodeUpload(bytes, MASK.name, (image) => toOpaque(image).toColourspace('b-w'));
}
