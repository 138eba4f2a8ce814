import { extendedMedian, median, quantileInterval, sortSample } from '../statistics/quantile.ts';
import type { Load } from '../suite/load.ts';
import type { EffectiveSample } from './effective-sample.ts';
import { headlineValues } from './headline.ts';
import { CONFIDENCE } from './measures/confidence.ts';
import { dependenceOf, worth } from './measures/dependence.ts';
import type { MedianLatency } from './summaries.ts';

/** `samples`: in sending order. */
export function medianLatency(samples: readonly EffectiveSample[], load: Load): MedianLatency {
  const values = sortSample(headlineValues(samples, load));
  const interval = quantileInterval(values, 50, CONFIDENCE, worth(values.length, dependenceOf(samples, load)));
  return {
    valueMs: finite(median(values)),
    // A time-out at the lower end makes the interval useless.
    lowMs: finite(interval?.low ?? null),
    highMs: finite(interval?.high ?? null),
    n: values.length,
  };
}

function finite(value: number | null): number | null {
  return value === Infinity ? null : value;
}

export interface TimedTake {
  readonly startMs: number;
  readonly endMs: number;
  readonly totalMs: number;
}

export interface RollingMedian {
  readonly atMs: number;
  readonly totalMs: number;
  readonly part: number;
}

/** One slow take in a window of this size does not move the median. */
const WINDOW = 9;

/** A gap of this many times the usual one ends a stretch. */
const BREAK = 5;

/** Medians of nine consecutive takes, which show a slowdown. Long gaps break the line; empty below twelve takes. */
export function rollingMedians(takes: readonly TimedTake[]): readonly RollingMedian[] {
  const ordered = takes.toSorted((a, b) => a.startMs - b.startMs);
  if (ordered.length < WINDOW + 3) return [];
  return uninterrupted(ordered).flatMap((stretch, part) =>
    stretch.slice(0, Math.max(0, stretch.length - WINDOW + 1)).flatMap((_, from) => {
      const window = stretch.slice(from, from + WINDOW);
      const middle = window[(WINDOW - 1) / 2];
      const totalMs = extendedMedian(window.map((take) => take.totalMs));
      return middle === undefined || totalMs === null ? [] : [{ atMs: middle.endMs, totalMs, part }];
    }),
  );
}

function uninterrupted(ordered: readonly TimedTake[]): readonly (readonly TimedTake[])[] {
  const gaps = ordered.slice(1).map(({ startMs }, at) => startMs - (ordered[at]?.startMs ?? 0));
  const usual = extendedMedian(gaps) ?? 0;
  const starts = [
    0,
    ...gaps.flatMap((gap, at) => (gap > BREAK * usual && gap > (ordered[at]?.totalMs ?? 0) * BREAK ? [at + 1] : [])),
  ];
  return starts.map((from, at) => ordered.slice(from, starts[at + 1]));
}
