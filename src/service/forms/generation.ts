import type { Size } from '../sampler/fourier.ts';
import type { Style } from '../scene/traits.ts';

/** The models, the slowest first. */
export const MODELS = ['standard', 'fast', 'fast-lcm'] as const;
export type Model = (typeof MODELS)[number];

export const STYLES: readonly Style[] = ['realistic', 'anime'];

/** The images' sides by aspect ratio: about as many pixels each, products of 2 and 3, multiples of 4. */
export const RATIOS = {
  '1:1': { width: 384, height: 384 },
  '3:2': { width: 432, height: 288 },
  '2:3': { width: 288, height: 432 },
  '4:3': { width: 432, height: 324 },
  '3:4': { width: 324, height: 432 },
  '16:9': { width: 512, height: 288 },
  '9:16': { width: 288, height: 512 },
} as const satisfies { readonly [ratio: string]: Size };
export type Ratio = keyof typeof RATIOS;

/** The largest seed; the least is 0. */
export const LARGEST_SEED = 4294967295;

/** An image as it was asked for, complete. */
export interface Generation {
  readonly prompt: string;
  readonly style: Style;
  readonly ratio: Ratio;
  readonly seed: number;
  readonly model: Model;
}

/** Frames a second of a video. */
export const FRAME_RATE = 24;

/** The frames' sides by aspect ratio: products of 2 and 3, multiples of 4. */
export const FRAME_SIZES: { readonly [K in Ratio]: Size } = {
  '1:1': { width: 144, height: 144 },
  '3:2': { width: 144, height: 96 },
  '2:3': { width: 96, height: 144 },
  '4:3': { width: 144, height: 108 },
  '3:4': { width: 108, height: 144 },
  '16:9': { width: 192, height: 108 },
  '9:16': { width: 108, height: 192 },
};

/** The lengths of videos, in seconds: their frames are a product of 2 and 3. */
export const LENGTHS = [1, 2, 3, 4] as const;
export type Length = (typeof LENGTHS)[number];

/** A video as it was asked for, complete. */
export interface VideoGeneration extends Generation {
  readonly seconds: Length;
  /** The image it begins with, red, green, blue bytes at the frame's size; null where the prompt alone says what is shown. */
  readonly upload: Uint8Array | null;
}
