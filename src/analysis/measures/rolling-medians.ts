import { extendedMedian } from '../../statistics/quantile.ts';

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
