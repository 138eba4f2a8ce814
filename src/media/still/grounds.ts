import { type Luma, lumaOf, type Pixels, peakOf } from '../pixels.ts';

/* Alpha is part of an image: white shapes on nothing are as different as black ones. */

/** A value of an image on white and, if anything is transparent, on black. */
export type OnGrounds<T> = readonly [onWhite: T, ...onBlack: T[]];
export type Views = OnGrounds<Luma>;

/** Luma on each ground. Overwrites `rooms`, arrays of an earlier frame. */
export function viewsOf(pixels: Pixels, rooms: readonly Luma[] = []): Views {
  const onWhite = lumaOf(pixels, rooms[0]);
  return isTransparent(pixels) ? [onWhite, lumaOf(pixels, rooms[1], 0)] : [onWhite];
}

function isTransparent({ channels, depth, data }: Pixels): boolean {
  const opaque = peakOf({ depth });
  for (let at = 3; channels === 4 && at < data.length; at += 4) if (data[at] !== opaque) return true;
  return false;
}

export function onGrounds<T, R>([onWhite, ...onBlack]: OnGrounds<T>, of: (view: T) => R): OnGrounds<R> {
  return [of(onWhite), ...onBlack.map((view) => of(view))];
}

/** Pairs two images' values on each ground; an opaque image looks the same on both. */
export function onEachGround<T>(
  [one, oneOnBlack]: OnGrounds<T>,
  [other, otherOnBlack]: OnGrounds<T>,
): OnGrounds<readonly [one: T, other: T]> {
  if (oneOnBlack === undefined && otherOnBlack === undefined) return [[one, other]];
  return [
    [one, other],
    [oneOnBlack ?? one, otherOnBlack ?? other],
  ];
}

/** The pixels without alpha, on a grey from `groundAt` (0 to 255); the same pixels if there is none. */
export function flattened(pixels: Pixels, groundAt: (column: number, row: number) => number): Pixels {
  if (pixels.channels === 3) return pixels;
  const { width, height, depth, data } = pixels;
  const peak = peakOf(pixels);
  const shown = depth === 8 ? new Uint8Array(width * height * 3) : new Uint16Array(width * height * 3);
  for (let to = 0, at = 0; to < shown.length; to += 3, at += 4) {
    const grey = (groundAt((at / 4) % width, Math.floor(at / 4 / width)) * peak) / 255;
    const opacity = (data[at + 3] ?? 0) / peak;
    shown[to] = grey + ((data[at] ?? 0) - grey) * opacity + 0.5;
    shown[to + 1] = grey + ((data[at + 1] ?? 0) - grey) * opacity + 0.5;
    shown[to + 2] = grey + ((data[at + 2] ?? 0) - grey) * opacity + 0.5;
  }
  return { width, height, channels: 3, depth, data: shown };
}

/** Every half-transparent colour shows on one of the two greys. `squares`: along the longer side. */
export const CHECKS = { greys: [255, 187], squares: 32 } as const;

/** The image on checks, as people see it. */
export function onChecks(pixels: Pixels): Pixels {
  const side = Math.max(1, Math.max(pixels.width, pixels.height) / CHECKS.squares);
  return flattened(
    pixels,
    (column, row) => CHECKS.greys[(Math.floor(column / side) + Math.floor(row / side)) % 2 === 0 ? 0 : 1],
  );
}
