import type { Comparison } from '../../analysis/comparison.ts';
import { KIND_NAMES } from '../../kit/names.ts';
import { clipped } from '../../kit/text-width.ts';
import { inverse } from '../../kit/value-words.ts';
import { count, plural } from '../../kit/wording.ts';
import type { Markup } from '../../markup/markup.ts';
import { comparedSpeed, UNIT_NOUNS } from '../../report/comparison-statement.ts';
import type { Kind } from '../../suite/kind.ts';
import { ratioAxis } from './axis.ts';
import { dotMarks, swarm } from './dots.ts';
import { foldedRows, LONGEST_NAME, layOutRows, type RowWords, rowLabels, rowsChart, spanOf } from './rows-chart.ts';
import { box, forEachWidth, group, isNarrow, type SvgLook, upright } from './svg.ts';
import type { VariantMark } from './variant-mark.ts';

const LAYOUT = layOutRows(38, 14);
const { top, middle, bottom } = LAYOUT;

export interface DrawnComparison extends Comparison {
  readonly mark: VariantMark;
  /** The largest ratio of latencies that the gate allows; null without such a rule. */
  readonly limit: number | null;
}

/** Each number is a speed, one over a ratio of latencies. */
interface RatioRow extends RowWords {
  readonly estimate: number | null;
  readonly low: number;
  readonly high: number;
  readonly speeds: readonly number[];
  readonly mark: VariantMark;
  readonly limit: number | null;
}

/** A row for each comparison: the speed in every unit as a dot, the estimate and its interval. Nothing without an interval and dots. */
export function ratioFigure(kind: Kind, all: readonly DrawnComparison[]): Markup | false {
  const comparisons = all.filter((each) => comparedSpeed(each).speed !== null);
  const [first] = comparisons;
  const dots = comparisons.reduce((sum, { unitValues }) => sum + unitValues.length, 0);
  if (first === undefined || dots === 0) return false;
  const label = `Speed against the baseline in ${plural(dots, UNIT_NOUNS[first.units])} of ${KIND_NAMES[kind]}, a row for each comparison; the numbers are in the table below`;
  const everything = comparisons.flatMap(({ unitValues, value, ciLow, ciHigh, limit }) =>
    [...unitValues, value, ciLow, ciHigh, limit].flatMap((ratio) => (ratio === null ? [] : [1 / ratio])),
  );
  return foldedRows(comparisons, 1, (rows) =>
    forEachWidth({ marks: dots, isSweep: false, scrollLabel: label }, (width) => plot(label, rows, everything, width)),
  );
}

/** @param everything what the axis spans, folded rows included */
function plot(
  label: string,
  comparisons: readonly DrawnComparison[],
  everything: readonly number[],
  width: number,
): Markup {
  const narrow = isNarrow(width);
  const axis = ratioAxis(everything, narrow ? 5 : 9);
  const rows = comparisons.map((comparison, row) => rowOf(comparison, row, axis.domain, narrow));
  const rowsHeight = rows.length * LAYOUT.rowHeight;
  return rowsChart(label, axis, { width, rowsHeight }, (x) => {
    const line = (row: number, speed: number | null, look: SvgLook = {}) =>
      speed === null ? [] : [upright(x(speed), top(row), bottom(row), look)];
    const dots = rows.flatMap(({ row, speeds, mark: { fill } }) =>
      swarm(speeds, axis.place, { width: spanOf(width), bandHeight: LAYOUT.bandHeight }).map(({ value, offset }) => ({
        x: x(value),
        y: middle(row) + offset,
        fill,
      })),
    );
    return [
      ...rows.map(({ row, low, high, mark: { fill } }) =>
        box(x(low), x(high), top(row), bottom(row), { fill, 'fill-opacity': 0.2 }),
      ),
      group(
        { stroke: 'var(--muted)', 'stroke-width': 1.5, 'stroke-dasharray': '4 3' },
        rows.flatMap(({ row }) => line(row, 1)),
      ),
      group(
        { stroke: 'var(--bad)', 'stroke-width': 1.5 },
        rows.flatMap(({ row, limit }) => line(row, limit)),
      ),
      ...dotMarks(dots, { r: 2.6, opacity: 0.7 }),
      group(
        { 'stroke-width': 2.5 },
        rows.flatMap(({ row, estimate, mark: { fill } }) => line(row, estimate, { stroke: fill })),
      ),
      ...rowLabels(rows, LAYOUT.rowHeight, width),
    ];
  });
}

/** An end that time-outs leave open reaches the edge. */
function rowOf(
  comparison: DrawnComparison,
  row: number,
  [from, to]: readonly [number, number],
  narrow: boolean,
): RatioRow {
  const { variant, baselineRun, step, value, ciLow, ciHigh, units, nUnits, unitValues, limit } = comparison;
  const { speed, interval } = comparedSpeed(comparison);
  const n = narrow ? `n = ${count(nUnits)}` : plural(nUnits, UNIT_NOUNS[units]);
  const hidden = nUnits - unitValues.length;
  const words = [`${speed} ${interval}`, n, ...(hidden > 0 ? [`${count(hidden)} timed out`] : [])].join('   ');
  return {
    row,
    name: clipped(
      `${variant}${step === null ? '' : ` at ${count(step)}`}${baselineRun === null ? '' : ' / stored baseline'}`,
      narrow ? LONGEST_NAME.narrow : LONGEST_NAME.wide,
    ),
    words: narrow ? `${speed}  ${n}` : words,
    estimate: inverse(value),
    low: inverse(ciHigh) ?? from,
    high: inverse(ciLow) ?? to,
    speeds: unitValues.map((ratio) => 1 / ratio),
    mark: comparison.mark,
    limit: inverse(limit),
  };
}
