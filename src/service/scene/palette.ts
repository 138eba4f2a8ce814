import { blend, type Colour, hsl, shade } from './colour.ts';
import type { Land, Style, Time, Traits } from './traits.ts';

/** The colours of one prompt's scenes. */
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

interface Sky {
  readonly top: readonly [number, number, number];
  readonly low: readonly [number, number, number];
  readonly light: readonly [number, number, number];
  readonly exposure: number;
}

const SKIES: { readonly [K in Time]: Sky } = {
  dawn: { top: [218, 52, 62], low: [28, 88, 82], light: [44, 100, 88], exposure: 0.88 },
  day: { top: [212, 68, 52], low: [198, 62, 86], light: [50, 100, 94], exposure: 1 },
  dusk: { top: [252, 44, 34], low: [16, 88, 66], light: [36, 100, 78], exposure: 0.72 },
  night: { top: [232, 58, 9], low: [216, 48, 32], light: [52, 45, 93], exposure: 0.42 },
};

const LANDS: { readonly [K in Land]: readonly [number, number, number] } = {
  mountains: [216, 22, 44],
  hills: [98, 40, 42],
  forest: [136, 38, 28],
  sea: [202, 58, 42],
  desert: [33, 64, 62],
  snowfield: [206, 32, 90],
  city: [228, 20, 38],
  meadow: [88, 48, 46],
};

/** The palette of a prompt in a style: the time of day sets the light, the prompt's own number turns the hues a little. */
export function paletteOf(traits: Traits, style: Style): Palette {
  const sky = SKIES[traits.time];
  const turn = ((traits.key >>> 8) % 31) - 15;
  const bold = style === 'anime' ? 1.3 : 1;
  const tint = ([hue, saturation, lightness]: readonly [number, number, number], by: number) =>
    hsl(hue + by, Math.min(96, saturation * bold), lightness);
  const light = tint(sky.light, 0);
  const low = tint(sky.low, turn * 0.5);
  const grey = traits.weather === 'rain' || traits.weather === 'fog' ? 0.45 : traits.weather === 'snow' ? 0.25 : 0;
  const haze = shade(hsl(214, 14, 68), sky.exposure);
  const lit = (colour: Colour) => blend(shade(colour, sky.exposure), low, 0.08);
  return {
    skyTop: blend(tint(sky.top, turn), haze, grey),
    skyLow: blend(low, haze, grey * 0.8),
    light,
    land: lit(tint(LANDS[traits.land], turn * 0.6)),
    accent: shade(hsl(traits.accentHue, style === 'anime' ? 86 : 68, 54), Math.max(0.62, sky.exposure)),
    cloud: blend(shade(hsl(210, 10, 97), Math.max(0.5, sky.exposure)), low, style === 'anime' ? 0.12 : 0.3),
    outline: shade(hsl(232, 40, 14), style === 'anime' ? 1 : 0.8),
    exposure: sky.exposure,
  };
}

/** A colour that a thing has of its own, in the light of the scene; from hue, saturation, lightness. */
export function lit(palette: Palette, hue: number, saturation: number, lightness: number): Colour {
  return shade(hsl(hue, saturation, lightness), Math.max(0.55, palette.exposure));
}
