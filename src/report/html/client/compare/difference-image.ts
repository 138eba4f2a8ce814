/** What a canvas can draw. */
type Drawable = HTMLImageElement | HTMLVideoElement;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** An image, and its own size. */
export interface DrawnImage extends Size {
  readonly element: Drawable;
}

/** Where something is transparent, it shows what it stands on: two images are equal where they are so on black and on white. */
const GROUNDS = ['#000', '#fff'] as const;

/** Shapes that differ by less are those of one image: a small copy has whole pixels. */
const SAME_SHAPE = 0.01;

/** Whether one image would be distorted at the size of another. */
export function isOtherShape(one: Size, other: Size): boolean {
  return Math.abs((one.width * other.height) / (one.height * other.width) - 1) > SAME_SHAPE;
}

/**
 * Draws the absolute difference of two images, doubled so many times. Images of unequal shape are laid above each other as wholes, in the
 * middle. Only by composition: pixels of files beside a page that was opened from a disk may be drawn, and not read.
 */
export function drawDifference(
  canvas: HTMLCanvasElement,
  one: DrawnImage,
  other: DrawnImage,
  size: Size,
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

/** Used again for each drawing: of a video there are many. */
const SCRATCH = [document.createElement('canvas'), document.createElement('canvas')] as const;

/** Draws an image on a ground: the difference of what is half transparent is not that of what it shows. Gives what drew it. */
function drawOn(
  canvas: HTMLCanvasElement,
  image: DrawnImage,
  { width, height }: Size,
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
