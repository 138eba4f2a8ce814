import { html, type Markup } from './markup.ts';

/** A chart is drawn twice, for a wide and for a narrow screen, so that its words keep their size; the style sheet shows one. */
const WIDTHS = { wide: 860, narrow: 350 } as const;

/** With more marks than this the narrow one is left out, for size: the wide one then scrolls within its frame. */
const MOST_MARKS_TWICE = 12_000;

/** Whether a chart of that width is the one for narrow screens. */
export function isNarrow(width: number): boolean {
  return width < 500;
}

/** A chart that is drawn for each screen. */
export interface ResponsiveChart {
  /** How many marks one drawing of it has. */
  readonly marks: number;
  /** A sweep is styled apart from charts of rows. */
  readonly isSweep: boolean;
  /** What it shows, where it may scroll within its frame and so has to be reached by keys; else null. */
  readonly scrollLabel: string | null;
}

/** The drawings of a chart, each in its frame. */
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
