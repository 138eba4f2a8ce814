import { html, type Markup, trusted } from '../../markup/markup.ts';

/** Attributes of an element, or of a group. */
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
  /** The time that words tell, UTC in ISO form: the script of a page tells it in the reader's time zone. */
  readonly 'data-instant'?: string;
}

/** Keeps words readable above what is drawn behind them. */
export const WRITTEN: SvgLook = { stroke: 'var(--page)', 'stroke-width': 4, 'stroke-linejoin': 'round' };

export const CROSS = 'M-4.3 -4.3L4.3 4.3M-4.3 4.3L4.3 -4.3';

/** The same marks give the same bytes. @param label for those who do not see @param marks those at the back first */
export function chart(
  label: string,
  { width, height }: { readonly width: number; readonly height: number },
  marks: readonly (Markup | false)[],
): Markup {
  const size = html`viewBox="0 0 ${width} ${height}"`;
  const font = html`text-anchor="middle" font-size="12"`;
  return html`<svg class="chart" role="img" aria-label="${label}" ${size} ${font}>${marks}</svg>`;
}

export function group(look: SvgLook, elements: readonly Markup[]): Markup | false {
  return elements.length > 0 && html`<g${attributes(look)}>${elements}</g>`;
}

export function level(left: number, right: number, y: number, look: SvgLook = {}): Markup {
  return path(`M${px(left)} ${px(y)}H${px(right)}`, look);
}

export function upright(x: number, top: number, bottom: number, look: SvgLook = {}): Markup {
  return path(`M${px(x)} ${px(top)}V${px(bottom)}`, look);
}

export function curve(points: readonly (readonly [x: number, y: number])[], look: SvgLook = {}): Markup {
  return path(`M${points.map(([x, y]) => `${px(x)} ${px(y)}`).join('L')}`, { fill: 'none', ...look });
}

export interface BandStep {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Steps side by side as one shape, so that no seam shows between them. @param steps from the left, each where the one before ends */
export function band(steps: readonly BandStep[]): Markup {
  const above = steps.map(({ left, right, top }) => `${px(left)} ${px(top)}H${px(right)}`);
  const below = steps.toReversed().map(({ left, right, bottom }) => `${px(right)} ${px(bottom)}H${px(left)}`);
  return path(`M${[...above, ...below].join('L')}Z`);
}

export function path(outline: string, look: SvgLook = {}): Markup {
  return html`<path d="${outline}"${attributes(look)}/>`;
}

/** Takes an outline about (0, 0). */
export function sign(outline: string, x: number, y: number, look: SvgLook = {}, scale = 1): Markup {
  const size = scale !== 1 && html` scale(${scale})`;
  return html`<path d="${outline}" transform="translate(${px(x)} ${px(y)})${size}"${attributes(look)}/>`;
}

export function circle(x: number, y: number, r: number, look: SvgLook = {}): Markup {
  return html`<circle cx="${px(x)}" cy="${px(y)}" r="${r}"${attributes(look)}/>`;
}

export function box(left: number, right: number, top: number, bottom: number, look: SvgLook = {}): Markup {
  const size = html`width="${px(right - left)}" height="${px(bottom - top)}"`;
  return html`<rect x="${px(left)}" y="${px(top)}" ${size}${attributes(look)}/>`;
}

/** `y` is the middle of the line's height. */
export function words(x: number, y: number, text: string, look: SvgLook = {}): Markup {
  return html`<text x="${px(x)}" y="${px(y)}" dy="0.3em"${attributes(look)}>${text}</text>`;
}

function attributes(look: SvgLook): readonly Markup[] {
  return Object.entries(look).map(([name, value]) => html` ${trusted(name)}="${value}"`);
}

/** A tenth of a pixel: no last digit differs between engines. A record's number may be too large: drawn at 0. */
function px(value: number): number {
  const tenths = Math.round(10 * value);
  return Number.isFinite(tenths) ? tenths / 10 : 0;
}

/** A chart is drawn for each width, so that its words keep their size; the style sheet shows one. */
const WIDTHS = { wide: 860, narrow: 350 } as const;

/** With more marks the narrow drawing is left out, for size: the wide one scrolls within its frame. */
const MOST_MARKS_TWICE = 12_000;

export function isNarrow(width: number): boolean {
  return width < 500;
}

export interface ResponsiveChart {
  /** Marks in one drawing. */
  readonly marks: number;
  /** A sweep is styled apart from charts of rows. */
  readonly isSweep: boolean;
  /** Names a frame that may scroll, and so must be reachable by keys; else null. */
  readonly scrollLabel: string | null;
}

export function forEachWidth(
  { marks, isSweep, scrollLabel }: ResponsiveChart,
  draw: (width: number) => Markup,
): readonly Markup[] {
  const widths = marks > MOST_MARKS_TWICE ? (['wide'] as const) : (['narrow', 'wide'] as const);
  return widths.map(
    (width) =>
      html`<div class="${`plot ${isSweep ? 'sweep ' : ''}${width}`}"${
        width === 'wide' && scrollLabel !== null && html` tabindex="0" role="group" aria-label="${scrollLabel}"`
      }>${draw(WIDTHS[width])}</div>`,
  );
}
