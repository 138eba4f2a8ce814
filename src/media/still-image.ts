import sharp, { type Sharp } from 'sharp';
import { markNear } from './compare/near-mask.ts';
import { toSharp } from './decode.ts';
import type { Pixels } from './pixels.ts';
import { type ImageBox, isSameShape } from './shown-shape.ts';
import { onChecks } from './still/grounds.ts';
import { strippedPng } from './strip/strip-metadata.ts';

/** How a copy of an image is made worse; null: unchanged. */
export type Worsening = 'blurred' | 'jpeg' | null;

/** Deviation of the blur per longer side: 6 pixels of 1,024. */
const BLUR_SHARE = 6 / 1024;

/** sharp takes no smaller deviation. */
const LEAST_BLUR = 0.3;

/** libvips cuts the bell off at a fifth by default, which makes it narrower. */
const LEAST_AMPLITUDE = 0.01;

const JPEG_QUALITY = 8;

/** Of zlib's 0 to 9: these files are read once. */
const COMPRESSION = 1;
const KEPT_COMPRESSION = 9;

export interface StillImage {
  /** 8 bits, without metadata; unless worsened, the pixels that signals are measured on. */
  readonly png: Uint8Array;
  /** The coded file of a copy that was coded; else null. */
  readonly jpeg: Uint8Array | null;
}

/**
 * A copy centred in `box` with transparency on checks; stretched if shapes are almost equal. Without box: its own size.
 */
export async function stillImage(
  pixels: Pixels,
  worsening: Worsening,
  box: ImageBox | null = null,
): Promise<StillImage> {
  if (box !== null) {
    // Made worse in its own size: sharp would scale it first.
    const flat = onChecks(pixels);
    const whole = worsening === null ? toSharp(flat) : sharp((await stillImage(flat, worsening)).png);
    return { png: await pngOf(fitted(whole, pixels, box), KEPT_COMPRESSION), jpeg: null };
  }
  switch (worsening) {
    case null:
      return { png: await pngOf(toSharp(pixels)), jpeg: null };
    case 'blurred': {
      const sigma = Math.max(LEAST_BLUR, BLUR_SHARE * Math.max(pixels.width, pixels.height));
      return { png: await pngOf(toSharp(pixels).blur({ sigma, minAmplitude: LEAST_AMPLITUDE })), jpeg: null };
    }
    case 'jpeg': {
      const jpeg = await toSharp(onChecks(pixels)).jpeg({ quality: JPEG_QUALITY }).toBuffer();
      return { png: await pngOf(sharp(jpeg)), jpeg };
    }
  }
}

/** RGB bytes of an image scaled into a box as by `stillImage`, black beside it, transparency on checks. */
export function flatImage(pixels: Pixels, { width, height }: ImageBox): Promise<Buffer> {
  return toSharp(onChecks(pixels))
    .resize({ width, height, fit: fitOf(pixels, { width, height }), background: 'black' })
    .raw()
    .toBuffer();
}

function fitted(image: Sharp, size: ImageBox, { width, height }: ImageBox): Sharp {
  const fit = fitOf(size, { width, height });
  return image.resize({ width, height, fit, background: { r: 0, g: 0, b: 0, alpha: 0 } });
}

/** An image up to this much wider or higher than its box is stretched: a thin bar would reveal which image it is. */
const STRETCHED = 0.02;

function fitOf(image: ImageBox, box: ImageBox): 'fill' | 'contain' {
  const wider = (image.width * box.height) / (image.height * box.width);
  return Math.abs(wider - 1) <= STRETCHED ? 'fill' : 'contain';
}

/** Removes the resolution too, which tells how an image was made. */
async function pngOf(image: Sharp, compressionLevel = COMPRESSION): Promise<Uint8Array> {
  return strippedPng(await image.png({ compressionLevel, adaptiveFiltering: false }).toBuffer());
}

/** In pixels, after the orientation that the file declares; null if that cannot be read. */
export async function uprightSize(bytes: Uint8Array): Promise<ImageBox | null> {
  try {
    return (await sharp(bytes).metadata()).autoOrient;
  } catch {
    return null;
  }
}

/** Larger images would take too much memory only to see whether they are whole. */
const MOST_PIXELS = 64 * 1024 * 1024;

/** Whether an image decodes to its end; true above the limit. */
export async function isWhole(bytes: Uint8Array, { width, height }: ImageBox): Promise<boolean> {
  if (width * height > MOST_PIXELS) return true;
  try {
    await sharp(bytes, { failOn: 'error' }).raw().toBuffer();
    return true;
  } catch {
    return false;
  }
}

export type ReadMask =
  /** As PNG: dark where the mask is light, and transparent where it is light. */
  | { readonly is: 'mask'; readonly inverted: Uint8Array; readonly clear: Uint8Array }
  /** `whole`: nothing outside it can be measured. `transparent`: its alpha may be meant. */
  | { readonly is: 'black' | 'whole' | 'transparent' | 'broken' };

/** Reads a mask, whose light pixels say what may change, and gives it in the two other ways that endpoints take. */
export async function readMask(png: Uint8Array): Promise<ReadMask> {
  try {
    if (!(await sharp(png).stats()).isOpaque) return { is: 'transparent' };
    const { data, info } = await maskValues(png);
    if (data.every((value) => value === 0)) return { is: 'black' };
    if (!markNear(data, info.width, EDGE).includes(0)) return { is: 'whole' };
    const inverse = data.map((value) => 255 - value);
    const clear = new Uint8Array(4 * inverse.length);
    for (const [at, value] of inverse.entries()) clear[4 * at + 3] = value;
    const { width, height } = info;
    const [inverted, cleared] = [
      sharp(inverse, { raw: { width, height, channels: 1 } }),
      sharp(clear, { raw: { width, height, channels: 4 } }),
    ];
    return { is: 'mask', inverted: await pngOf(inverted), clear: await pngOf(cleared) };
  } catch {
    return { is: 'broken' };
  }
}

function maskValues(png: Uint8Array) {
  return sharp(png)
    .autoOrient()
    .removeAlpha()
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
}

/** Pixels nearer to the mask are its edge, which models soften. */
const EDGE = 8;

/**
 * Mean absolute difference of red, green and blue where an edit should have changed nothing, in levels of 255. Null if
 * the shapes differ by more than 1 %, the mask has another size than the input or no longer decodes, or it leaves
 * nothing.
 */
export async function differenceOutside(input: Pixels, mask: Uint8Array, output: Pixels): Promise<number | null> {
  if (!isSameShape(input, output)) return null;
  const values = await maskValues(mask).catch(() => null);
  if (values?.info.width !== input.width || values.info.height !== input.height) return null;
  const near = markNear(values.data, input.width, EDGE);
  const [before, after] = await Promise.all([input, output].map((pixels) => onWhite(pixels, input)));
  let [sum, samples] = [0, 0];
  for (let pixel = 0; pixel < near.length; pixel += 1) {
    if (near[pixel] === 1) continue;
    for (let at = 3 * pixel; at < 3 * pixel + 3; at += 1) sum += Math.abs((before?.[at] ?? 0) - (after?.[at] ?? 0));
    samples += 3;
  }
  return samples === 0 ? null : sum / samples;
}

function onWhite(pixels: Pixels, { width, height }: ImageBox): Promise<Buffer> {
  return toSharp(pixels).flatten({ background: 'white' }).resize({ width, height, fit: 'fill' }).raw().toBuffer();
}
