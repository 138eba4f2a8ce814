import type { Unit } from '../kit/value-words.ts';
import type { HistoryLine } from '../record/kept-run.ts';
import type { Kind } from '../suite/kind.ts';
import { byTime, comparableRuns, type StartedRun } from './earlier-runs.ts';
import { groupBy } from './grouping.ts';
import { type AgainstBase, againstBase, type UsualRange, usualRange } from './history/against-base.ts';
import { type FirstAndLast, firstAndLast } from './history/first-and-last.ts';
import type { Better } from './measures/unit.ts';
import type { Metric } from './metric.ts';
import { type HistoryPoint, type HistorySeries, historySeries } from './series.ts';

/** The runs of a suite over time: what `retake history` shows, and prints with `--json`. */
export interface Trend {
  readonly format: typeof TREND_FORMAT;
  readonly suite: string;
  readonly runs: readonly TrendRun[];
  /** The first run that a base may hold: the stored baseline; null: any. */
  readonly baseFrom: StartedRun | null;
  readonly variants: readonly TrendVariant[];
}

export const TREND_FORMAT = 1;

export type TrendRun = Pick<HistoryLine, 'run' | 'startedAt' | 'complete' | 'verdict'>;

export interface TrendVariant {
  readonly variant: string;
  readonly kind: Kind;
  /** False if the last complete run lacks the variant. */
  readonly isInLastRun: boolean;
  readonly comparable: readonly string[];
  readonly leftOut: readonly LeftOutRun[];
  /** Null with one run, or if outputs are unknown. */
  readonly firstAndLast: FirstAndLast | null;
  readonly series: readonly TrendSeries[];
}

export interface LeftOutRun {
  readonly run: string;
  /** `other_requests`: different requests, load or base URL than in its last complete run. */
  readonly reason: 'incomplete' | 'other_requests';
}

export interface TrendPoint extends HistoryPoint {
  readonly usual: UsualRange | null;
}

export interface TrendSeries extends Omit<HistorySeries, 'variant' | 'kind' | 'points'> {
  readonly points: readonly TrendPoint[];
  readonly unit: Unit;
  readonly better: Better;
  readonly againstBase: AgainstBase | null;
}

/**
 * Metrics that are not given are left out: an earlier version measured them. `baseFrom`: run of the stored baseline.
 */
export function trendOf(
  suite: string,
  lines: readonly HistoryLine[],
  { metrics, baseFrom }: { readonly metrics: readonly Metric[]; readonly baseFrom: StartedRun | null },
): Trend {
  const runs = byTime(lines);
  const complete = runs.filter((line) => line.complete);
  const known = new Map(runs.flatMap(({ variants }) => variants.map(({ variant, kind }) => [variant, kind] as const)));
  const current = new Set(complete.at(-1)?.variants.map(({ variant }) => variant));
  const series = groupBy(historySeries(lines), ({ variant }) => variant);
  const digests = new Map(
    runs.map((line) => [line, new Map(line.variants.map((entry) => [entry.variant, entry.comparableDigest]))]),
  );
  const digestOf = (line: HistoryLine, variant: string): string | null => digests.get(line)?.get(variant) ?? null;
  const variants = [...known].map(([variant, kind]): TrendVariant => {
    const digest = complete.map((line) => digestOf(line, variant)).findLast((known) => known !== null) ?? null;
    const measuredRuns = runs.filter((line) => digestOf(line, variant) !== null);
    const isComparable = (line: HistoryLine) => line.complete && digestOf(line, variant) === digest;
    return {
      variant,
      kind,
      isInLastRun: current.has(variant),
      comparable: measuredRuns.filter(isComparable).map(({ run }) => run),
      leftOut: measuredRuns
        .filter((line) => !isComparable(line))
        .map((line) => ({ run: line.run, reason: line.complete ? 'other_requests' : 'incomplete' })),
      firstAndLast: digest === null ? null : firstAndLast(comparableRuns(measuredRuns, { variant, digest })),
      series: (series.get(variant) ?? []).flatMap((entry): TrendSeries[] => {
        const scale = scaleOf(entry, metrics);
        const { metric, changes } = entry;
        const from = baseFrom?.startedAt ?? null;
        const points = entry.points.map((point, at) => ({ ...point, usual: usualRange(entry, at, from) }));
        const base = againstBase(entry, from);
        return scale === null ? [] : [{ metric, scale: entry.scale, ...scale, points, changes, againstBase: base }];
      }),
    };
  });
  return {
    format: TREND_FORMAT,
    suite,
    runs: runs.map(({ run, startedAt, complete: isComplete, verdict }) => ({
      run,
      startedAt,
      complete: isComplete,
      verdict,
    })),
    baseFrom,
    variants,
  };
}

/** Null if the metric is not measured now. */
function scaleOf(
  { metric, scale }: Pick<HistorySeries, 'metric' | 'scale'>,
  metrics: readonly Metric[],
): Pick<TrendSeries, 'unit' | 'better'> | null {
  // The name of a rate with a limit ends with its statistic: `slow_rate.rate_over_10000ms`.
  const metricOf = metrics.find(({ name }) => metric === name || (scale === 'rate' && metric.startsWith(`${name}.`)));
  if (metricOf === undefined) return null;
  if (scale === 'value') return { unit: metricOf.unit, better: metricOf.better };
  // A name without a statistic is a rate of failures or differing takes.
  const statistic = metric.slice(metricOf.name.length + 1);
  return {
    unit: '1',
    better: statistic === '' ? 'lower' : (metricOf.statistics?.[statistic]?.better ?? metricOf.better),
  };
}
