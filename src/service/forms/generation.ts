import type { Size } from '../sampler/fourier.ts';
import type { Style } from '../scene/traits.ts';

export const IMAGE_ROUTES = {
  image: '/v2/image/generations',
  anime: '/v2/anime/generations',
  'image-edit': '/v2/image/edits',
} as const;
export type ImageRoute = keyof typeof IMAGE_ROUTES;

export const VIDEO_ROUTES = {
  'text-to-video': '/v2/video/text-to-video',
  'image-to-video': '/v2/video/image-to-video',
} as const;
export type VideoRoute = keyof typeof VIDEO_ROUTES;

export const MODELS = ['standard', 'fast', 'fast-lcm'] as const;
export type Model = (typeof MODELS)[number];

export const STYLES: readonly Style[] = ['realistic', 'anime'];

/** Sides by aspect ratio: about equal areas, products of 2 and 3, multiples of 4. */
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

export const LARGEST_SEED = 4294967295;

export interface Generation {
  readonly prompt: string;
  readonly style: Style;
  readonly ratio: Ratio;
  readonly seed: number;
  readonly model: Model;
  readonly edit?: Edit;
  /** Whether an image has the sides of a video. */
  readonly small?: boolean;
}

/** What an image begins with, as bytes of `width` x `height`: of any size, which the edited image has too. */
export interface Edit extends Size {
  /** The share of the noise levels that it passes. */
  readonly strength: number;
  /** The first image: red, green, blue. */
  readonly first: Uint8Array;
  /** The first image with the others on it. */
  readonly joined: Uint8Array;
  /** One byte a pixel: 255 is changed, 0 kept. */
  readonly mask: Uint8Array | null;
}

export const FRAME_RATE = 24;

/** Sides by aspect ratio: products of 2 and 3, multiples of 4. */
export const FRAME_SIZES: { readonly [K in Ratio]: Size } = {
  '1:1': { width: 144, height: 144 },
  '3:2': { width: 144, height: 96 },
  '2:3': { width: 96, height: 144 },
  '4:3': { width: 144, height: 108 },
  '3:4': { width: 108, height: 144 },
  '16:9': { width: 192, height: 108 },
  '9:16': { width: 108, height: 192 },
};

/** In seconds. The numbers of frames are products of 2 and 3. */
export const LENGTHS = [1, 2, 3, 4] as const;
export type Length = (typeof LENGTHS)[number];

export interface VideoGeneration extends Generation {
  readonly seconds: Length;
  /** The first image as red, green, blue bytes at the frame's size; null: only the prompt. */
  readonly upload: Uint8Array | null;
}
