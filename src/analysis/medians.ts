import { extendedMedian, median, quantileInterval, sortSample } from '../statistics/quantile.ts';
import type { Load } from '../suite/load.ts';
import type { EffectiveSample } from './effective-sample.ts';
import { headlineValues } from './headline.ts';
import { CONFIDENCE } from './measures/confidence.ts';
import { dependenceOf, worth } from './measures/dependence.ts';
import type { MedianLatency } from './summaries.ts';

/** @param samples in the order they were sent */
export function medianLatency(samples: readonly EffectiveSample[], load: Load): MedianLatency {
  const values = sortSample(headlineValues(samples, load));
  const interval = quantileInterval(values, 50, CONFIDENCE, worth(values.length, dependenceOf(samples, load)));
  return {
    valueMs: finite(median(values)),
    // An interval with a time-out at its lower end says nothing.
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
  /** Which uninterrupted stretch it is of, from 0. */
  readonly part: number;
}

/** One slow take among so many does not move a point of the line. */
const WINDOW = 9;

/** Takes this many times as far apart as is usual in their line do not belong to one stretch of it. */
const BREAK = 5;

/**
 * Shows whether a variant slows down: the median latency of nine takes in a row, sliding from take to take. The line is
 * broken where nothing was measured for long, and empty below twelve takes.
 */
export function rollingMedians(takes: readonly TimedTake[]): readonly RollingMedian[] {
  const ordered = takes.toSorted((a, b) => a.startMs - b.startMs);
  if (ordered.length < WINDOW + 3) return [];
  return uninterrupted(ordered).flatMap((stretch, part) =>
    stretch.slice(0, Math.max(0, stretch.length - WINDOW + 1)).flatMap((_, from) => {
      const window = stretch.slice(from, from + WINDOW);
      const middle = window[(WINDOW - 1) / 2];
      const totalMs = extendedMedian(window.map((each) => each.totalMs));
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
