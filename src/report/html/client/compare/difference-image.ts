/** What a canvas can draw. */
type Drawable = HTMLImageElement | HTMLVideoElement;

/**
 * Draws the absolute difference of two images, doubled so many times. Only by composition: pixels of files beside a page that was opened
 * from a disk may be drawn, and not read.
 */
export function drawDifference(
  canvas: HTMLCanvasElement,
  one: Drawable,
  other: Drawable,
  size: { readonly width: number; readonly height: number },
  doublings: number,
): void {
  const { width, height } = size;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.globalCompositeOperation = 'source-over';
  context.fillStyle = '#000';
  context.fillRect(0, 0, width, height);
  context.drawImage(one, 0, 0, width, height);
  context.globalCompositeOperation = 'difference';
  context.drawImage(other, 0, 0, width, height);
  context.globalCompositeOperation = 'lighter';
  for (let times = 0; times < doublings; times += 1) context.drawImage(canvas, 0, 0);
}
