import sharp, { type Sharp } from 'sharp';
import { toSharp } from './decode.ts';
import type { Pixels } from './pixels.ts';
import type { ImageBox } from './shown-shape.ts';
import { onChecks } from './still/grounds.ts';
import { strippedPng } from './strip/strip-metadata.ts';

/** How a copy of an image is made worse; null: it is not. */
export type Worsening = 'blurred' | 'jpeg' | null;

/** Standard deviation of the blur, as a share of the longer side: 6 pixels of 1,024. */
const BLUR_SHARE = 6 / 1024;

/** sharp takes no smaller standard deviation. */
const LEAST_BLUR = 0.3;

/** Of the bell: libvips cuts it off at a fifth, which makes it narrower. */
const LEAST_AMPLITUDE = 0.01;

const JPEG_QUALITY = 8;

/** Of zlib's 0 to 9. The files are read once. */
const COMPRESSION = 1;
/** For images that are sent to somebody. */
const KEPT_COMPRESSION = 9;

export interface StillImage {
  /** 8 bits, without metadata. Without a worsening, these are the pixels that signals are measured on, rounded to 8 bits. */
  readonly png: Uint8Array;
  /** The coded file, of a copy that was coded; else null. */
  readonly jpeg: Uint8Array | null;
}

/**
 * @param box what the image is scaled into, centred, transparency on checks; filled if the shapes are almost the same;
 * null: its own size
 */
export async function stillImage(
  pixels: Pixels,
  worsening: Worsening,
  box: ImageBox | null = null,
): Promise<StillImage> {
  if (box !== null) {
    // A copy is made worse in its own size: sharp would scale it first.
    const flat = onChecks(pixels);
    const whole = worsening === null ? toSharp(flat) : sharp((await stillImage(flat, worsening)).png);
    return { png: await pngOf(fitted(whole, pixels, box), KEPT_COMPRESSION), jpeg: null };
  }
  switch (worsening) {
    case null:
      return { png: await pngOf(toSharp(pixels)), jpeg: null };
    case 'blurred': {
      const sigma = Math.max(LEAST_BLUR, BLUR_SHARE * Math.max(pixels.width, pixels.height));
      return {
        png: await pngOf(toSharp(pixels).blur({ sigma, minAmplitude: LEAST_AMPLITUDE })),
        jpeg: null,
      };
    }
    case 'jpeg': {
      const jpeg = await toSharp(onChecks(pixels)).jpeg({ quality: JPEG_QUALITY }).toBuffer();
      return { png: await pngOf(sharp(jpeg)), jpeg };
    }
  }
}

/**
 * Red, green and blue bytes of an image that is scaled into a box, as `stillImage` does: black beside it, transparency
 * on checks.
 */
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

/** An image this much wider or higher than its box is stretched: a thin bar would reveal which image it is. */
const STRETCHED = 0.02;

function fitOf(image: ImageBox, box: ImageBox): 'fill' | 'contain' {
  const wider = (image.width * box.height) / (image.height * box.width);
  return Math.abs(wider - 1) <= STRETCHED ? 'fill' : 'contain';
}

/** Without the resolution too, which tells how an image was made. */
async function pngOf(image: Sharp, compressionLevel = COMPRESSION): Promise<Uint8Array> {
  return strippedPng(await image.png({ compressionLevel, adaptiveFiltering: false }).toBuffer());
}
