/** A colour, its parts from 0 to 1 (sRGB). */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** From hue in degrees, saturation and lightness from 0 to 100 (CSS Color 4, section 7.1). */
export function hsl(hue: number, saturation: number, lightness: number): Colour {
  const s = clamp(saturation / 100);
  const l = clamp(lightness / 100);
  const part = (n: number) => {
    const k = (((n + hue / 30) % 12) + 12) % 12;
    return l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return { red: part(0), green: part(8), blue: part(4) };
}

export function blend(a: Colour, b: Colour, share: number): Colour {
  const part = (from: number, to: number) => from + (to - from) * share;
  return { red: part(a.red, b.red), green: part(a.green, b.green), blue: part(a.blue, b.blue) };
}

/** Darker below 1, brighter above. */
export function shade(colour: Colour, factor: number): Colour {
  return { red: clamp(colour.red * factor), green: clamp(colour.green * factor), blue: clamp(colour.blue * factor) };
}

export function css({ red, green, blue }: Colour): string {
  const part = (value: number) => Math.round(clamp(value) * 255);
  return `rgb(${part(red)},${part(green)},${part(blue)})`;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
