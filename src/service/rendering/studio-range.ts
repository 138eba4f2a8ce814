import type { Size } from '../sampler/fourier.ts';
import type { Plane } from '../sampler/planes.ts';

/** ITU-R BT.601, 8 bits: luma from -1..1 to 16..235, colour differences from -1..1 to 16..240, clipped. */
export function toStudioBytes(plane: Float64Array, channel: Plane['channel'], into: Buffer, offset: number): void {
  const [middle, reach] = channel === 'luma' ? [125.5, 109.5] : [128, 112];
  for (let i = 0; i < plane.length; i++) {
    into[offset + i] = Math.round(middle + reach * Math.min(1, Math.max(-1, plane[i] ?? 0)));
  }
}

/** Red, green, blue bytes of planes Y, Cb, Cr of 4:2:0 in studio range; colour is that of each 2 x 2 pixels. */
export function toRgb(frame: Uint8Array, { width, height }: Size): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  const blue = width * height;
  const red = blue * 1.25;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const cell = (y >> 1) * (width / 2) + (x >> 1);
      const light = ((frame[y * width + x] ?? 0) - 16) / 219;
      const cb = ((frame[blue + cell] ?? 0) - 128) / 224;
      const cr = ((frame[red + cell] ?? 0) - 128) / 224;
      const at = (y * width + x) * 3;
      rgb[at] = toByte(light + 1.402 * cr);
      rgb[at + 1] = toByte(light - 0.344136 * cb - 0.714136 * cr);
      rgb[at + 2] = toByte(light + 1.772 * cb);
    }
  }
  return rgb;
}

function toByte(value: number): number {
  return Math.min(255, Math.max(0, Math.round(255 * value)));
}
