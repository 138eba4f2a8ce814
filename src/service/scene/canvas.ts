import type { Style } from './traits.ts';

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

/** `at` is from 0 to 1; opacity is 1 by default. */
interface GradientStop {
  readonly at: number;
  readonly colour: Colour;
  readonly opacity?: number;
}

/** `time` is in seconds since the video began; `heading` is that of the camera. */
interface Moment {
  readonly time: number;
  readonly heading: 1 | -1;
}

/** Share of the width that the camera moves to each side; seconds there and back. */
const TRAVEL = 0.045;
const TRAVEL_PERIOD = 12;
/** Scale of a moving scene: covers more than twice the travel. */
const MARGIN = 1.1;

/**
 * A drawing that grows element by element, back to front, and ends as SVG. Realistic things are shaded by gradients,
 * those of an anime are flat with an outline. A drawing is of one moment of a video, or still: then nothing is moved.
 */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly style: Style;
  readonly outline: Colour;
  /** Pixels of the shorter side. */
  readonly unit: number;
  /** Seconds since the video began; null in a still image. */
  readonly time: number | null;
  /** Of the camera: 1 to the right, -1 to the left. */
  readonly #heading: 1 | -1;
  #defs = '';
  #body = '';
  #gradients = 0;
  #layerOpen = false;

  constructor(width: number, height: number, style: Style, outline: Colour, moment: Moment | null = null) {
    this.width = width;
    this.height = height;
    this.style = style;
    this.outline = outline;
    this.unit = Math.min(width, height);
    this.time = moment?.time ?? null;
    this.#heading = moment?.heading ?? 1;
  }

  /** Sets how near the next elements are: 0 is the sky, 1 the front. Near things move faster with the camera. */
  layer(depth: number): void {
    if (this.time === null) return;
    const shift = -this.#heading * depth * TRAVEL * this.width * this.wave(TRAVEL_PERIOD, -0.5);
    this.add(`${this.#layerOpen ? '</g>' : ''}<g transform="translate(${r(shift)} 0)">`);
    this.#layerOpen = true;
  }

  /** Between -1 and 1: a sine of the time, with a period in seconds and a phase in radians; 0 in a still image. */
  wave(period: number, phase = 0): number {
    return this.time === null ? 0 : Math.sin((2 * Math.PI * this.time) / period + phase);
  }

  /** Elements rotated by degrees about a point; unchanged in a still image. */
  turned(degrees: number, x: number, y: number, elements: string): string {
    return this.time === null ? elements : `<g transform="rotate(${r(degrees)} ${r(x)} ${r(y)})">${elements}</g>`;
  }

  /** Elements scaled from a point; unchanged in a still image. */
  stretched(across: number, down: number, x: number, y: number, elements: string): string {
    if (this.time === null) return elements;
    const matrix = [across, 0, 0, down, x * (1 - across), y * (1 - down)].map(r).join(' ');
    return `<g transform="matrix(${matrix})">${elements}</g>`;
  }

  add(element: string): void {
    this.#body += element;
  }

  /** Adds elements drawn around (0, 0), with y down: 1 becomes `scale` pixels, (0, 0) comes to (x, y). */
  place(x: number, y: number, scale: number, flipped: boolean, elements: string): void {
    const turn = flipped ? -scale : scale;
    const stroke =
      this.style === 'anime' ? ` ${this.strokeOf(0.011 * this.unit, scale)}` : ' stroke="none" stroke-linejoin="round"';
    this.add(`<g transform="matrix(${r(turn)} 0 0 ${r(scale)} ${r(x)} ${r(y)})"${stroke}>${elements}</g>`);
  }

  /** Attributes of an outline `pixels` wide inside something that is drawn `scale` times as large. */
  strokeOf(pixels: number, scale = 1): string {
    const width = r(pixels / scale);
    return `stroke="${css(this.outline)}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"`;
  }

  /** Fill of one colour; in a realistic scene, lighter at the top. */
  paint(colour: Colour): string {
    if (this.style === 'anime') return css(colour);
    return this.fade([
      { at: 0, colour: shade(colour, 1.18) },
      { at: 1, colour: shade(colour, 0.66) },
    ]);
  }

  /** A vertical gradient. */
  fade(stops: readonly GradientStop[]): string {
    return this.#gradient('<linearGradient id="ID" x1="0" y1="0" x2="0" y2="1">', stops, '</linearGradient>');
  }

  /** A radial gradient. */
  glow(stops: readonly GradientStop[]): string {
    return this.#gradient('<radialGradient id="ID">', stops, '</radialGradient>');
  }

  svg(): string {
    const { width, height } = this;
    const size = `width="${width}" height="${height}"`;
    const open = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><defs>${this.#defs}</defs>`;
    if (this.time === null) return `${open}${this.#body}</svg>`;
    // Drawn a little larger than the frame, so that no edge comes into view.
    const margin = (1 - MARGIN) / 2;
    const zoom = `matrix(${MARGIN} 0 0 ${MARGIN} ${r(width * margin)} ${r(height * margin)})`;
    return `${open}<g transform="${zoom}">${this.#body}${this.#layerOpen ? '</g>' : ''}</g></svg>`;
  }

  #gradient(open: string, stops: readonly GradientStop[], close: string): string {
    const id = `g${this.#gradients++}`;
    const inner = stops
      .map((s) => `<stop offset="${r(s.at)}" stop-color="${css(s.colour)}" stop-opacity="${r(s.opacity ?? 1)}"/>`)
      .join('');
    this.#defs += `${open.replace('ID', id)}${inner}${close}`;
    return `url(#${id})`;
  }
}

/** Three decimals are a thousandth of a pixel. */
export function r(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

export function ellipse(x: number, y: number, rx: number, ry: number, fill: string, opacity = 1): string {
  const place = `cx="${r(x)}" cy="${r(y)}" rx="${r(rx)}" ry="${r(ry)}"`;
  return `<ellipse ${place} fill="${fill}" fill-opacity="${r(opacity)}" stroke="none"/>`;
}

/** A closed path through points: `M0 0L1 0L1 1Z`. */
export function polygon(points: readonly (readonly [number, number])[]): string {
  return `M${points.map(([x, y]) => `${r(x)} ${r(y)}`).join('L')}Z`;
}
