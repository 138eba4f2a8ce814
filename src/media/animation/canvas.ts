import { DecodeError } from '../decode-error.ts';
import { type Pixels, peakOf } from '../pixels.ts';
import type { Apng, ApngFrame } from './apng.ts';

/**
 * Draws the frames of an animated PNG on its canvas, transparent at first (PNG specification, third edition, section
 * 11.3.6.2). `decode` gives a frame's pixels. Returns all frames below each other, in four channels.
 */
export async function drawFrames(
  { width, height, depth, frames }: Apng,
  decode: (png: Uint8Array) => Promise<Pixels>,
): Promise<Pixels> {
  const samples = width * height * 4;
  const [canvas, data] =
    depth === 8
      ? [new Uint8Array(samples), new Uint8Array(samples * frames.length)]
      : [new Uint16Array(samples), new Uint16Array(samples * frames.length)];
  const onCanvas: Pixels = { width, height, channels: 4, depth, data: canvas };
  for (const [number, frame] of frames.entries()) {
    const dispose = number === 0 && frame.dispose === 'restore' ? 'clear' : frame.dispose;
    const before = dispose === 'restore' ? canvas.slice() : null;
    layDown(onCanvas, frame, await decode(frame.png));
    data.set(canvas, number * samples);
    if (before !== null) canvas.set(before);
    if (dispose === 'clear') clear(onCanvas, frame);
  }
  return { width, height: height * frames.length, channels: 4, depth, data };
}

function layDown(canvas: Pixels, { x, y, width, height, blend }: ApngFrame, frame: Pixels): void {
  if (frame.width !== width || frame.height !== height)
    throw new DecodeError('a frame decodes to another size than declared');
  const peak = peakOf(canvas);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const from = (row * width + column) * frame.channels;
      const to = ((y + row) * canvas.width + x + column) * 4;
      const alpha = frame.channels === 3 ? peak : (frame.data[from + 3] ?? 0);
      if (blend === 'over' && alpha < peak) layOver(canvas.data, to, frame.data, from, alpha, peak);
      else {
        for (let channel = 0; channel < 3; channel += 1) canvas.data[to + channel] = frame.data[from + channel] ?? 0;
        canvas.data[to + 3] = alpha;
      }
    }
  }
}

/** Porter and Duff's "over"; colours are not multiplied by alpha. */
function layOver(
  canvas: Pixels['data'],
  to: number,
  frame: Pixels['data'],
  from: number,
  alpha: number,
  peak: number,
): void {
  const ofFrame = alpha * peak;
  const ofCanvas = (peak - alpha) * (canvas[to + 3] ?? 0);
  const both = ofFrame + ofCanvas;
  if (both === 0) return;
  for (let channel = 0; channel < 3; channel += 1) {
    const mixed = (frame[from + channel] ?? 0) * ofFrame + (canvas[to + channel] ?? 0) * ofCanvas;
    canvas[to + channel] = Math.round(mixed / both);
  }
  canvas[to + 3] = Math.round(both / peak);
}

function clear(canvas: Pixels, { x, y, width, height }: ApngFrame): void {
  for (let row = y; row < y + height; row += 1) {
    const from = (row * canvas.width + x) * 4;
    canvas.data.fill(0, from, from + width * 4);
  }
}
