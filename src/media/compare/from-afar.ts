import type { PixelValues } from '../pixels.ts';

/**
 * The image made smaller, as the authors of SSIM advise: f = max(1, round(shorter side / 256)), the mean of each f x f
 * pixels, every f-th taken; as `imfilter(image, ones(f) / f^2, 'symmetric')` and `(1:f:end, 1:f:end)`; of an even
 * window, the extra pixel is after the middle. The same image below 384 pixels.
 */
export function fromAfar(image: PixelValues): PixelValues {
  const { width, height, data } = image;
  const step = Math.round(Math.min(width, height) / 256);
  if (step <= 1) return image;
  const columns = Math.ceil(width / step);
  const rows = Math.ceil(height / step);
  const before = Math.floor((step - 1) / 2);
  const smaller = new Float64Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    for (let down = 0; down < step; down += 1) {
      const from = mirrored(row * step - before + down, height) * width;
      for (let column = 0, at = row * columns; column < columns; column += 1, at += 1) {
        const left = column * step - before;
        const inside = left >= 0 && left + step <= width;
        let sum = smaller[at] ?? 0;
        for (let x = left; x < left + step; x += 1) sum += data[from + (inside ? x : mirrored(x, width))] ?? 0;
        smaller[at] = sum;
      }
    }
  }
  for (let at = 0; at < smaller.length; at += 1) smaller[at] = (smaller[at] ?? 0) / (step * step);
  return { width: columns, height: rows, data: smaller };
}

/** A place beyond the edge is that before it, the edge itself repeated. */
function mirrored(place: number, length: number): number {
  if (place < 0) return -1 - place;
  return place < length ? place : 2 * length - 1 - place;
}
