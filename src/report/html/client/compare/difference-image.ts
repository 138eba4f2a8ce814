type Drawable = HTMLImageElement | HTMLVideoElement;

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export interface DrawnImage extends PixelSize {
  readonly element: Drawable;
}

/** Transparent parts show the ground: two images are equal where they are so on black and on white. */
const GROUNDS = ['#000', '#fff'] as const;

/** A small copy has whole pixels, so its shape is off by less than this. */
const SAME_SHAPE = 0.01;

export function isOtherShape(one: PixelSize, other: PixelSize): boolean {
  return Math.abs((one.width * other.height) / (one.height * other.width) - 1) > SAME_SHAPE;
}

/**
 * Images of unequal shape are centred above each other. Only composition is used: a page opened from a disk may draw
 * the pixels of files beside it, but not read them.
 */
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

/** Used again for each drawing: a video has many. */
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
