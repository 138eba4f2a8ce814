import type { Comparison } from '../../analysis/comparison.ts';
import { KIND_NAMES } from '../../kit/names.ts';
import { inverse } from '../../kit/value-words.ts';
import { count, plural } from '../../kit/wording.ts';
import type { Markup } from '../../markup/markup.ts';
import { comparedSpeed, UNIT_NOUNS } from '../../report/comparison-statement.ts';
import type { Kind } from '../../suite/kind.ts';
import { type Axis, ratioAxis } from './axis.ts';
import { type FigureRow, rowsFigure } from './rows-figure.ts';
import { box, dots, path, upright } from './svg.ts';
import { swarm } from './swarm.ts';
import type { VariantMark } from './variant-mark.ts';

const HEIGHT = 38;

export interface DrawnComparison extends Comparison {
  readonly mark: VariantMark;
  /** The largest ratio of latencies that the gate allows; null without such a rule. */
  readonly limit: number | null;
}

/** A row for each comparison: the speed in every unit as a dot, the estimate and its interval. Nothing without an interval and dots. */
export function ratioFigure(kind: Kind, all: readonly DrawnComparison[]): Markup | false {
  const comparisons = all.filter((each) => comparedSpeed(each).speed !== null);
  const [first] = comparisons;
  const units = comparisons.reduce((sum, { unitValues }) => sum + unitValues.length, 0);
  if (first === undefined || units === 0) return false;
  const axis = ratioAxis(
    comparisons.flatMap(({ unitValues, value, ciLow, ciHigh, limit }) =>
      [...unitValues, value, ciLow, ciHigh, limit].flatMap((ratio) => (ratio === null ? [] : [1 / ratio])),
    ),
    9,
  );
  return rowsFigure({
    label: `Speed against the baseline in ${plural(units, UNIT_NOUNS[first.units])} of ${KIND_NAMES[kind]}, a row for each comparison; the numbers are in the table below`,
    axis,
    rows: comparisons.map((comparison) => rowOf(comparison, axis)),
  });
}

/** Numbers are speeds, one over a ratio of latencies. An end that time-outs leave open reaches the edge. */
function rowOf(comparison: DrawnComparison, axis: Axis): FigureRow {
  const { variant, baselineRun, step, value, ciLow, ciHigh, units, nUnits, unitValues, limit, mark } = comparison;
  const { speed, interval } = comparedSpeed(comparison);
  const hidden = nUnits - unitValues.length;
  const evidence = [plural(nUnits, UNIT_NOUNS[units]), ...(hidden > 0 ? [`${count(hidden)} timed out`] : [])];
  const [low, high] = [axis.place(inverse(ciHigh) ?? 0), axis.place(inverse(ciLow) ?? Number.POSITIVE_INFINITY)];
  const line = (ratio: number | null): readonly string[] =>
    ratio === null ? [] : [upright(axis.place(1 / ratio), 0, HEIGHT)];
  const speeds = unitValues.map((ratio) => 1 / ratio);
  return {
    mark,
    name: `${variant}${step === null ? '' : ` at ${count(step)}`}${baselineRun === null ? '' : ' / stored baseline'}`,
    words: [`${speed} ${interval}`, ...evidence].join('   '),
    height: HEIGHT,
    paths: [
      path([box(low, high, 0, HEIGHT)], { fill: mark.fill, 'fill-opacity': 0.2 }),
      path(line(1), { stroke: 'var(--muted)', 'stroke-width': 1.5, 'stroke-dasharray': '4 3' }),
      path(line(limit), { stroke: 'var(--bad)', 'stroke-width': 1.5 }),
      dots(swarm(speeds, axis, HEIGHT), mark.fill, 2.6, 0.7),
      path(line(value), { stroke: mark.fill, 'stroke-width': 2.5 }),
    ],
  };
}
