import type { HistoryLine } from '../../record/model/history-line.ts';

/** The headline latency of a variant from run to run. */
export interface HeadlineTrend {
  readonly variant: string;
  /** ln of milliseconds, the earliest run first; at least one. */
  readonly lnValues: readonly number[];
}

/** Under open load latency counts from when a call was due; only then is there the second. */
const HEADLINES = ['latency.response', 'latency.total'];

/**
 * The trend of each variant of the latest complete run, over the complete runs that measured the same of it.
 *
 * @param lines of a suite, in any order
 * @param most runs of a trend
 */
export function headlineTrends(lines: readonly HistoryLine[], most: number): readonly HeadlineTrend[] {
  const complete = lines.filter((line) => line.complete).sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const latest = complete.at(-1);
  return (latest?.variants ?? []).flatMap(({ variant, comparableDigest, meanLn }) => {
    const metric = HEADLINES.find((name) => meanLn[name] !== undefined);
    if (metric === undefined) return [];
    const lnValues = complete.flatMap(({ variants }) => {
      const own = variants.find((each) => each.variant === variant && each.comparableDigest === comparableDigest);
      const value = own?.meanLn[metric];
      return value === undefined ? [] : [value];
    });
    return [{ variant, lnValues: lnValues.slice(-most) }];
  });
}
