import type { Edit } from '../forms/generation.ts';
import type { Beginning } from '../sampler/draw-sample.ts';
import { type Size, toPlane, toSpectrum } from '../sampler/fourier.ts';
import { encodeRaster, splitRaster } from '../sampler/raster.ts';
import type { PlaneLayout } from '../sampler/samplers.ts';

/** The least size for a layout that holds an image. */
export function sampledSize({ width, height }: Size): Size {
  return { width: sampledSide(width), height: sampledSide(height) };
}

/** Divisors of it are products of 2 and 3. */
const PRODUCT = 2 ** 9 * 3 ** 4;

function sampledSide(least: number): number {
  let side = 4 * Math.ceil(least / 4);
  while (PRODUCT % side !== 0) side += 4;
  return side;
}

/** Image-to-image sampling (SDEdit, Meng et al. 2022): where a mask keeps, every estimate of x0 is the first image. */
export function beginningOf(edit: Edit, layout: PlaneLayout): Beginning {
  const fitted = (bytes: Uint8Array) => resized(bytes, edit, layout.image);
  const state = encodeRaster(fitted(edit.joined), layout);
  if (edit.mask === null) return { state, mend: null };
  const mask = fitted(edit.mask);
  const kept = splitRaster(fitted(edit.first), layout.image);
  const planes = layout.planes.map((plane, i) => ({
    ...plane,
    own: kept[i] ?? new Float64Array(),
    shares: changedShares(mask, layout.image, plane.size),
  }));
  const mend = (estimate: Float64Array) => {
    for (const { start, length, size, own, shares } of planes) {
      const spectrum = estimate.subarray(start, start + length);
      const values = toPlane(spectrum, size);
      for (const [j, value] of own.entries()) values[j] = value + (shares[j] ?? 0) * ((values[j] ?? 0) - value);
      spectrum.set(toSpectrum(values, size));
    }
  };
  return { state, mend };
}

/** The sampled pixels at the size of the first image; what a mask keeps is its own. */
export function editedImage(edit: Edit, sampled: Uint8Array, size: Size): Size & { readonly rgb: Uint8Array } {
  const { width, height, first, mask } = edit;
  const rgb = resized(sampled, size, edit);
  if (mask === null) return { width, height, rgb };
  return { width, height, rgb: rgb.map((value, i) => (mask[Math.floor(i / 3)] === 0 ? (first[i] ?? 0) : value)) };
}

/** How much of each cell of a plane is changed, from 0 to 1. */
function changedShares(mask: Uint8Array, { width }: Size, plane: Size): Float64Array {
  const shares = new Float64Array(plane.width * plane.height);
  const side = width / plane.width;
  for (const [pixel, value] of mask.entries()) {
    const row = Math.floor(pixel / width / side);
    const cell = row * plane.width + Math.floor((pixel % width) / side);
    shares[cell] = (shares[cell] ?? 0) + value / (255 * side * side);
  }
  return shares;
}

/** Cut at the right and below, or continued there by the last column and row. */
function resized(bytes: Uint8Array, from: Size, to: Size): Uint8Array {
  const channels = bytes.length / (from.width * from.height);
  const fitted = new Uint8Array(to.width * to.height * channels);
  for (let y = 0, at = 0; y < to.height; y++) {
    for (let x = 0; x < to.width; x++) {
      const pixel = Math.min(y, from.height - 1) * from.width + Math.min(x, from.width - 1);
      for (let channel = 0; channel < channels; channel++) fitted[at++] = bytes[pixel * channels + channel] ?? 0;
    }
  }
  return fitted;
}
