import { type Colour, css, shade } from './colour.ts';
import type { Style } from './traits.ts';

/** A colour and where it is, from 0 to 1, for a gradient; opacity 1 unless told. */
export interface Stop {
  readonly at: number;
  readonly colour: Colour;
  readonly opacity?: number;
}

/**
 * A drawing that grows element by element, back to front, and ends as SVG. Realistic things are shaded by gradients,
 * those of an anime are flat with an outline.
 */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly style: Style;
  readonly outline: Colour;
  /** Pixels of the shorter side. */
  readonly unit: number;
  #defs = '';
  #body = '';
  #gradients = 0;

  constructor(width: number, height: number, style: Style, outline: Colour) {
    this.width = width;
    this.height = height;
    this.style = style;
    this.outline = outline;
    this.unit = Math.min(width, height);
  }

  /** Adds an element in front of those before it. */
  add(element: string): void {
    this.#body += element;
  }

  /** Adds elements drawn in a box of their own: 1 is `scale` pixels, y points down, the foot stands at (x, y). */
  place(x: number, y: number, scale: number, flipped: boolean, elements: string): void {
    const turn = flipped ? -scale : scale;
    const stroke =
      this.style === 'anime' ? ` ${this.strokeOf(0.011 * this.unit, scale)}` : ' stroke="none" stroke-linejoin="round"';
    this.add(`<g transform="matrix(${r(turn)} 0 0 ${r(scale)} ${r(x)} ${r(y)})"${stroke}>${elements}</g>`);
  }

  /** Attributes of an outline `pixels` wide inside something that is drawn `scale` times as large. */
  strokeOf(pixels: number, scale = 1): string {
    return `stroke="${css(this.outline)}" stroke-width="${r(pixels / scale)}" stroke-linejoin="round" stroke-linecap="round"`;
  }

  /** A paint for a thing of one colour: lit from above where the style shades, else flat. */
  paint(colour: Colour): string {
    if (this.style === 'anime') return css(colour);
    return this.fade([
      { at: 0, colour: shade(colour, 1.18) },
      { at: 1, colour: shade(colour, 0.66) },
    ]);
  }

  /** A paint that runs from the top of a thing to its foot. */
  fade(stops: readonly Stop[]): string {
    return this.#gradient('<linearGradient id="ID" x1="0" y1="0" x2="0" y2="1">', stops, '</linearGradient>');
  }

  /** A paint that runs from the middle of a thing to its rim. */
  glow(stops: readonly Stop[]): string {
    return this.#gradient('<radialGradient id="ID">', stops, '</radialGradient>');
  }

  /** The whole drawing. */
  svg(): string {
    const { width, height } = this;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${this.#defs}</defs>${this.#body}</svg>`;
  }

  #gradient(open: string, stops: readonly Stop[], close: string): string {
    const id = `g${this.#gradients++}`;
    const inner = stops
      .map((s) => `<stop offset="${r(s.at)}" stop-color="${css(s.colour)}" stop-opacity="${r(s.opacity ?? 1)}"/>`)
      .join('');
    this.#defs += `${open.replace('ID', id)}${inner}${close}`;
    return `url(#${id})`;
  }
}

/** A number as a drawing writes it: three decimals are a thousandth of a pixel. */
export function r(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** A closed path through points: `M0 0L1 0L1 1Z`. */
export function polygon(points: readonly (readonly [number, number])[]): string {
  return `M${points.map(([x, y]) => `${r(x)} ${r(y)}`).join('L')}Z`;
}
