import type { RandomSource } from '../sampler/random.ts';
import { blend, type Colour, hsl, shade } from './canvas.ts';
import type { Land, Style, Time, Traits } from './traits.ts';

/** Where things are in one of a prompt's scenes. Shares of the image's width and height, sizes of its shorter side. */
export interface Composition {
  readonly horizon: number;
  readonly lightX: number;
  readonly lightY: number;
  readonly lightSize: number;
  readonly subjectX: number;
  /** Of its lower edge. */
  readonly subjectY: number;
  readonly subjectSize: number;
  readonly subjectFlipped: boolean;
}

/** A prompt is drawn from far with a low horizon, from the middle, and from close with a high one. */
const VIEWS = [
  { horizon: [0.66, 0.74], size: [0.3, 0.38], x: [0.6, 0.76], y: [0.86, 0.92], lightSize: [0.07, 0.1] },
  { horizon: [0.5, 0.57], size: [0.44, 0.52], x: [0.36, 0.48], y: [0.86, 0.92], lightSize: [0.05, 0.075] },
  { horizon: [0.36, 0.44], size: [0.6, 0.7], x: [0.46, 0.6], y: [0.93, 0.98], lightSize: [0.09, 0.13] },
] as const;

/** Compositions of a prompt, without mirror images. */
export const COMPOSITIONS = VIEWS.length;

export function composeScene(time: Time, index: number, random: RandomSource): Composition {
  const view = VIEWS[index % VIEWS.length] ?? VIEWS[0];
  const within = ([low, high]: readonly [number, number]) => random.between(low, high);
  const horizon = within(view.horizon);
  const low = time === 'dawn' || time === 'dusk';
  const lightLeft = random.uniform() < 0.75 === view.x[0] > 0.45;
  return {
    horizon,
    lightX: lightLeft ? random.between(0.14, 0.36) : random.between(0.64, 0.86),
    lightY: horizon * (low ? random.between(0.62, 0.84) : random.between(0.22, 0.42)),
    lightSize: within(view.lightSize),
    subjectX: within(view.x),
    subjectY: within(view.y),
    subjectSize: within(view.size),
    subjectFlipped: random.uniform() < 0.5,
  };
}

export interface Palette {
  readonly skyTop: Colour;
  readonly skyLow: Colour;
  readonly light: Colour;
  readonly land: Colour;
  readonly accent: Colour;
  readonly cloud: Colour;
  readonly outline: Colour;
  /** How bright things are in this light: 1 by day. */
  readonly exposure: number;
}

/** Hue, saturation, lightness. */
type Hsl = readonly [number, number, number];

interface Sky {
  readonly top: Hsl;
  readonly low: Hsl;
  readonly light: Hsl;
  readonly exposure: number;
}

const SKIES: { readonly [K in Time]: Sky } = {
  dawn: { top: [218, 52, 62], low: [28, 88, 82], light: [44, 100, 88], exposure: 0.88 },
  day: { top: [212, 68, 52], low: [198, 62, 86], light: [50, 100, 94], exposure: 1 },
  dusk: { top: [252, 44, 34], low: [16, 88, 66], light: [36, 100, 78], exposure: 0.72 },
  night: { top: [232, 58, 9], low: [216, 48, 32], light: [52, 45, 93], exposure: 0.42 },
};

const LANDS: { readonly [K in Land]: Hsl } = {
  hills: [112, 38, 36],
  sea: [202, 58, 42],
  snowfield: [206, 32, 90],
  meadow: [88, 48, 46],
  desert: [33, 64, 62],
};

/** The palette of a prompt in a style: the time of day sets the light, the prompt's key turns the hues a little. */
export function paletteOf(traits: Traits, style: Style): Palette {
  const sky = SKIES[traits.time];
  const turn = ((traits.key >>> 8) % 31) - 15;
  const anime = style === 'anime';
  const tint = ([hue, saturation, lightness]: Hsl, by: number) =>
    hsl(hue + by, Math.min(96, saturation * (anime ? 1.3 : 1)), lightness);
  const low = tint(sky.low, turn * 0.5);
  return {
    skyTop: tint(sky.top, turn),
    skyLow: low,
    light: tint(sky.light, 0),
    land: blend(shade(tint(LANDS[traits.land], turn * 0.6), sky.exposure), low, 0.08),
    accent: shade(hsl(traits.accentHue, anime ? 86 : 68, 54), Math.max(0.62, sky.exposure)),
    cloud: blend(shade(hsl(210, 10, 97), Math.max(0.5, sky.exposure)), low, anime ? 0.12 : 0.3),
    outline: shade(hsl(232, 40, 14), anime ? 1 : 0.8),
    exposure: sky.exposure,
  };
}

/** The colour of a thing in the light of the scene. */
export function lit(palette: Palette, ...[hue, saturation, lightness]: Hsl): Colour {
  return shade(hsl(hue, saturation, lightness), Math.max(0.55, palette.exposure));
}
