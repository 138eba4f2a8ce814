import type { OutputFacts } from '../page-facts.ts';
import { loadMedia, type ShownMedia } from './load-media.ts';

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

interface DrawnImage extends PixelSize {
  readonly element: HTMLImageElement | HTMLVideoElement;
}

/** Backgrounds of transparent parts: images are equal if they are so on black and on white. */
const GROUNDS = ['#000', '#fff'] as const;

/** Difference of shapes below which they are equal: a small copy is rounded to whole pixels. */
const SAME_SHAPE = 0.01;

export function isOtherShape(one: PixelSize, other: PixelSize): boolean {
  return Math.abs((one.width * other.height) / (one.height * other.width) - 1) > SAME_SHAPE;
}

/** Composes only: a page opened from a disk may draw files beside it, but not read their pixels. */
export function drawDifference(
  canvas: HTMLCanvasElement,
  one: DrawnImage,
  other: DrawnImage,
  size: PixelSize,
  doublings: number,
): void {
  const { width, height } = size;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.globalCompositeOperation = 'source-over';
  context.fillStyle = '#000';
  context.fillRect(0, 0, width, height);
  // A video is drawn many times a second, and is hardly ever transparent.
  const grounds = one.element instanceof HTMLVideoElement ? GROUNDS.slice(0, 1) : GROUNDS;
  for (const ground of grounds) {
    const [flat, subtracted] = SCRATCH;
    const pen = drawOn(flat, one, size, ground);
    drawOn(subtracted, other, size, ground);
    if (pen === null) return;
    pen.globalCompositeOperation = 'difference';
    pen.drawImage(subtracted, 0, 0);
    context.globalCompositeOperation = 'lighten';
    context.drawImage(flat, 0, 0);
  }
  context.globalCompositeOperation = 'lighter';
  for (let times = 0; times < doublings; times += 1) context.drawImage(canvas, 0, 0);
}

const SCRATCH = [document.createElement('canvas'), document.createElement('canvas')] as const;

/** Half-transparent pixels are subtracted as they show on a ground, not as they are stored. */
function drawOn(
  canvas: HTMLCanvasElement,
  image: DrawnImage,
  { width, height }: PixelSize,
  ground: string,
): CanvasRenderingContext2D | null {
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
  const scale = Math.min(width / image.width, height / image.height);
  const isDistorted = isOtherShape(image, { width, height });
  const [wide, high] = isDistorted ? [image.width * scale, image.height * scale] : [width, height];
  context.drawImage(image.element, (width - wide) / 2, (height - high) / 2, wide, high);
  return context;
}

/** Has the shape of the stage and about as many pixels as the image. */
export function sizeFor(shape: PixelSize, { width, height }: PixelSize): PixelSize {
  if (!isOtherShape(shape, { width, height })) return { width, height };
  const scale = Math.sqrt((width * height) / (shape.width * shape.height));
  return { width: Math.max(1, Math.round(shape.width * scale)), height: Math.max(1, Math.round(shape.height * scale)) };
}

/** Pixels: wide enough for the largest difference, too narrow for single pixels at edges. */
const MEASURED_WIDTH = 256;

/** Of 255. Null if pixels cannot be read: of a file beside a page that was opened from a disk. */
function largestDifference(one: DrawnImage, other: DrawnImage): number | null {
  const scale = Math.min(1, MEASURED_WIDTH / one.width);
  const size = { width: Math.ceil(one.width * scale), height: Math.max(1, Math.round(one.height * scale)) };
  const canvas = document.createElement('canvas');
  drawDifference(canvas, one, other, size, 0);
  try {
    const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
    return data?.reduce((most, channel, at) => (at % 4 < 3 ? Math.max(most, channel) : most), 0) ?? null;
  } catch {
    return null;
  }
}

const MOST_DOUBLINGS = 6;

/** Doublings that make a difference as bright as can be shown. @param largest of 255 */
export function doublingsFor(largest: number): number {
  return Math.max(0, Math.min(MOST_DOUBLINGS, Math.floor(Math.log2(255 / Math.max(1, largest)))));
}

/** Both originals, or both copies; null where one is missing. */
export async function alike(
  [one, first]: readonly [ShownMedia, OutputFacts],
  [other, second]: readonly [ShownMedia, OutputFacts],
): Promise<readonly [ShownMedia, ShownMedia] | null> {
  if (one.source === other.source) return [one, other];
  const [a, b] = await Promise.all([loadMedia(first, 'copy'), loadMedia(second, 'copy')]);
  return a === null || b === null ? null : [a, b];
}

/** Of 255. Null for videos, where it changes with time, and if pixels cannot be read. */
export async function largestOf(
  [one, first]: readonly [ShownMedia, OutputFacts],
  [other, second]: readonly [ShownMedia, OutputFacts],
): Promise<number | null> {
  const isVideo = ({ element }: DrawnImage): boolean => element instanceof HTMLVideoElement;
  if (isVideo(one) || isVideo(other)) return null;
  const largest = largestDifference(one, other);
  if (largest !== null) return largest;
  const [a, b] = await Promise.all([loadMedia(first, 'copy'), loadMedia(second, 'copy')]);
  return a === null || b === null ? null : largestDifference(a, b);
}
