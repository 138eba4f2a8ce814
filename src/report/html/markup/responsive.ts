import { html, type Markup } from './markup.ts';

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
