import { html, type Markup, trusted } from '../../markup/markup.ts';

/* Places across are shares of the drawing's width, from 0 to 1; places down are in pixels. */

export interface SvgLook {
  readonly fill?: string;
  readonly 'fill-opacity'?: number;
  readonly stroke?: string;
  readonly 'stroke-width'?: number;
  readonly 'stroke-opacity'?: number;
  readonly 'stroke-dasharray'?: string;
  readonly 'stroke-linecap'?: 'round';
  readonly 'stroke-linejoin'?: 'round';
  readonly 'text-anchor'?: 'start' | 'end';
  readonly 'font-weight'?: number;
  readonly class?: string;
  /** Pixels beside a place. */
  readonly dx?: number;
  /** UTC time in ISO form; the script of a page replaces the words by the reader's time. */
  readonly 'data-instant'?: string;
}

/** Keeps words readable above what is drawn behind them. */
export const WRITTEN: SvgLook = { stroke: 'var(--page)', 'stroke-width': 4, 'stroke-linejoin': 'round' };

export const CROSS = 'M-4.3 -4.3L4.3 4.3M-4.3 4.3L4.3 -4.3';

export function across(from: number, to: number, y: number): string {
  return `M${unit(from)} ${px(y)}H${unit(to)}`;
}

export function upright(x: number, top: number, bottom: number): string {
  return `M${unit(x)} ${px(top)}V${px(bottom)}`;
}

export function box(from: number, to: number, top: number, bottom: number): string {
  return `M${unit(from)} ${px(top)}H${unit(to)}V${px(bottom)}H${unit(from)}Z`;
}

export type Point = readonly [x: number, y: number];

export function curve(points: readonly Point[]): string {
  return points.length === 0 ? '' : `M${points.map(([x, y]) => `${unit(x)} ${px(y)}`).join('L')}`;
}

/** Zero-length lines, which round caps make dots: ten bytes each. In whole units, rounding does not add up. */
function dotted(points: readonly Point[]): string {
  let outline = '';
  let [x, y] = [0, 0];
  for (const [atX, atY] of points) {
    const [toX, toY] = [unit(atX), Math.round(10 * px(atY))];
    const down = String((toY - y) / 10).replace(/^(-?)0\./, '$1.');
    outline += `m${toX - x}${down.startsWith('-') ? '' : ' '}${down}h0`;
    [x, y] = [toX, toY];
  }
  return outline;
}

/** All outlines as one shape: where they overlap, the colour stays even. */
export function path(outlines: readonly string[], look: SvgLook): Markup | false {
  const d = outlines.join('');
  return d !== '' && html`<path d="${d}"${attributes(look)}/>`;
}

/** @param r in pixels */
export function dots(points: readonly Point[], colour: string, r: number, opacity: number): Markup | false {
  const look = { 'stroke-linecap': 'round', 'stroke-width': 2 * r, 'stroke-opacity': opacity } as const;
  return path([dotted(points)], { stroke: colour, ...look });
}

/** The width of the drawing in units of an outline. */
const UNITS = 10_000;

/** Stretches places with the drawing, but not the width of lines. */
export function stretched(paths: readonly (Markup | false)[]): Markup {
  return html`<svg class="stretched" viewBox="0 0 ${UNITS} 100" height="100" preserveAspectRatio="none" fill="none">${paths}</svg>`;
}

/** Takes an outline in pixels about (0, 0). */
export function sign(outline: string, x: number, y: number, look: SvgLook): Markup {
  return html`<svg x="${percent(x)}" y="${px(y)}"><path d="${outline}"${attributes(look)}/></svg>`;
}

export function circle(x: number, y: number, r: number, look: SvgLook, title: Markup | false = false): Markup {
  return html`<circle cx="${percent(x)}" cy="${px(y)}" r="${r}"${attributes(look)}${title === false ? trusted('/>') : html`>${title}</circle>`}`;
}

/** `y` is the middle of the line's height. */
export function words(x: number, y: number, text: string, look: SvgLook): Markup {
  return html`<text x="${percent(x)}" y="${px(y)}" dy="0.3em"${attributes(look)}>${text}</text>`;
}

function attributes(look: SvgLook): readonly Markup[] {
  return Object.entries(look).map(([name, value]) => html` ${trusted(name)}="${value}"`);
}

/** A tenth of a pixel: no last digit differs between engines. A record's number may be too large: drawn at 0. */
function px(value: number): number {
  const tenths = Math.round(10 * value);
  return Number.isFinite(tenths) ? tenths / 10 : 0;
}

function unit(share: number): number {
  const units = Math.round(UNITS * share);
  return Number.isFinite(units) ? units : 0;
}

function percent(share: number): string {
  return `${unit(share) / (UNITS / 100)}%`;
}
