import type { Plane } from './sampler/planes.ts';

/**
 * Writes a plane as 8-bit samples in studio range (ITU-R BT.601): luma from -1..1 to 16..235, a colour difference from
 * -1..1 to 16..240. What is out of range is cut.
 */
export function toStudioBytes(plane: Float64Array, channel: Plane['channel'], into: Buffer, offset: number): void {
  const [middle, reach] = channel === 'luma' ? [125.5, 109.5] : [128, 112];
  for (let i = 0; i < plane.length; i++) {
    into[offset + i] = Math.round(middle + reach * Math.min(1, Math.max(-1, plane[i] ?? 0)));
  }
}
