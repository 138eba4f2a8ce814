import * as Plot from '@observablehq/plot';
import type { Markup } from '../markup/markup.ts';
import type { DurationAxis } from './axis.ts';
import { chart } from './chart.ts';

/** Free space at either side of the rows, in pixels. */
export const SIDE = 20;

/** What the times below the rows take, in pixels. */
export const FOOT = 26;

/**
 * A chart of rows over one axis of time: its ticks as upright lines behind everything, their words below. Marks place
 * themselves, in pixels from the top.
 *
 * @param height of rows and foot
 */
export function rowsChart(
  label: string,
  axis: DurationAxis,
  { width, height }: { readonly width: number; readonly height: number },
  marks: readonly Plot.Markish[],
): Markup {
  return chart(label, {
    width,
    height,
    marginLeft: SIDE,
    marginRight: SIDE,
    marginTop: 0,
    marginBottom: FOOT,
    x: { type: axis.type, domain: [...axis.domain], axis: null },
    y: { type: 'identity', axis: null },
    marks: [
      Plot.ruleX(axis.ticks, { y1: 0, y2: height - FOOT, stroke: 'var(--line)' }),
      Plot.text(axis.ticks, { x: (tick: number) => tick, y: height - 10, text: axis.format, fill: 'var(--muted)' }),
      ...marks,
    ],
  });
}
