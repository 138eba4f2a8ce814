import {
  FEWEST_RUNS_OF_TREND,
  type LeftOutRun,
  type SeriesChange,
  type Trend,
  type TrendSeries,
  type TrendVariant,
} from '../analysis/series.ts';
import { groupBy } from '../kit/grouping.ts';
import { differenceWords, ratioWords, times, valueWords } from '../kit/value-words.ts';
import { count, duration, durationUnit, listedInShort, ordinal, plural } from '../kit/wording.ts';

export interface TrendChange {
  readonly variant: string;
  readonly series: TrendSeries;
  readonly change: SeriesChange;
  /** Of the run with which it changed. */
  readonly label: string | null;
}

/** `spread` where the mean stays the same. */
export type ChangeDirection = 'better' | 'worse' | 'spread' | 'neither';

export function changesOf(
  { variants, runs }: Pick<Trend, 'variants' | 'runs'>,
  isChosen: (series: TrendSeries, variant: TrendVariant) => boolean,
): readonly TrendChange[] {
  const labels = new Map(runs.map(({ run, label = null }) => [run, label]));
  return variants
    .flatMap((variant) =>
      variant.series
        .filter((series) => isChosen(series, variant))
        .flatMap((series) =>
          series.changes.map((change) => {
            return { variant: variant.variant, series, change, label: labels.get(change.run) ?? null };
          }),
        ),
    )
    .toSorted((a, b) =>
      a.change.startedAt < b.change.startedAt ? 1 : a.change.startedAt > b.change.startedAt ? -1 : 0,
    );
}

/** "latency.total of fast rose to 1.15x (262 ms to 301 ms) with run 20261120T154500Z-7f3a, the 9th of 12". */
export function changeSentence({ variant, series, change, label }: TrendChange): string {
  const { metric, points } = series;
  const where = `run ${change.run}${label === null ? '' : ` (${label})`}, the ${ordinal(change.index + 1)} of ${count(points.length)}`;
  const between = `(${meansOf(change, seriesWords(series))})`;
  if (changeDirection(series, change) === 'spread')
    return `${metric} of ${variant} varies otherwise than before from ${where} on`;
  const verb = change.after > change.before ? 'rose' : 'fell';
  return `${metric} of ${variant} ${verb} ${series.scale === 'rate' ? 'by' : 'to'} ${changeWords(series, change)} ${between} with ${where}${machineWords(series, change)}`;
}

/** Names the machine where its noise floor changed at least as much, and in the same direction. */
function machineWords({ unit }: Pick<TrendSeries, 'unit'>, { before, after, floorMs }: SeriesChange): string {
  if (unit !== 'ms' || floorMs === null) return '';
  const [change, floorChange] = [after - before, floorMs.after - floorMs.before];
  if (change * floorChange <= 0 || Math.abs(change) > Math.abs(floorChange)) return '';
  const scale = durationUnit([floorMs.before, floorMs.after]);
  const floorWords = (ms: number) => duration(ms, scale);
  return `; the noise floor of the machine ${floorChange > 0 ? 'rose' : 'fell'} as much, ${meansOf(floorMs, floorWords)}: the machine may be why`;
}

function meansOf({ before, after }: Pick<SeriesChange, 'before' | 'after'>, words: (value: number) => string): string {
  return `${words(before)} to ${words(after)}`;
}

/** Writes values of a series, all durations in one unit. */
export function seriesWords({ points, unit }: Pick<TrendSeries, 'points' | 'unit'>): (value: number) => string {
  if (unit !== 'ms') return (value) => valueWords(value, unit);
  const scale = durationUnit(points.map(({ value }) => value));
  return (value) => duration(value, scale);
}

/** `1.15x`; of a rate `12.5 points`. */
export function changeWords({ scale }: Pick<TrendSeries, 'scale'>, { before, after }: SeriesChange): string {
  return scale === 'rate' ? differenceWords(Math.abs(after - before), '1').slice(1) : times(after / before);
}

export function changeDirection(
  { scale, better }: Pick<TrendSeries, 'scale' | 'better'>,
  { before, after }: SeriesChange,
): ChangeDirection {
  if (scale === 'rate' ? before === after : Number(ratioWords(after / before)) === 1) return 'spread';
  if (better === null) return 'neither';
  return after < before === (better === 'lower') ? 'better' : 'worse';
}

/** The last run against its base: `1.15x`, of a rate `+12.5 points`; null without a base. */
export function lastChangeWords({ scale, againstBase }: TrendSeries): string | null {
  return againstBase === null ? null : seriesChangeWords(scale, againstBase.change);
}

function seriesChangeWords(scale: TrendSeries['scale'], change: number): string {
  if (scale === 'value') return times(change);
  return change === 0 ? 'the same' : differenceWords(change, '1');
}

/** The last run against the one before it: `1.15x`, of a rate `+12.5 points`; null for the first run. */
export function runBeforeWords({ scale, points }: Pick<TrendSeries, 'scale' | 'points'>): string | null {
  const [before, last] = points.slice(-2);
  if (before === undefined || last === undefined) return null;
  return seriesChangeWords(scale, scale === 'value' ? last.value / before.value : last.value - before.value);
}

/** The range of most changes of an unchanged service: `0.96–1.04x`; null of a rate and without a base. */
export function usualWords({ againstBase }: Pick<TrendSeries, 'againstBase'>): string | null {
  const usual = againstBase?.usual ?? null;
  return usual === null ? null : `${ratioWords(usual.low)}–${times(usual.high)}`;
}

/** What is said where no change was found, without a full stop: fewer runs than that tell nothing. */
export function noChangeWords({ variants }: Pick<Trend, 'variants'>): string {
  const most = Math.max(0, ...variants.flatMap(({ series }) => series.map(({ points }) => points.length)));
  return most < FEWEST_RUNS_OF_TREND
    ? `Too few runs to tell: needs ${count(FEWEST_RUNS_OF_TREND)}, has ${count(most)}`
    : 'No change found';
}

const REASONS = ['incomplete', 'other_requests'] as const;

const LEFT_OUT_WORDS: Readonly<Record<LeftOutRun['reason'], (runs: number) => string>> = {
  incomplete: (runs) => plural(runs, 'incomplete run'),
  other_requests: (runs) => `${plural(runs, 'run')} with other requests, another load or another base URL`,
};

/** A sentence for each reason why runs are not in the series and each group of variants. */
export const NOTHING_TO_FOLLOW = 'No complete run has a value that can be followed; a sweep never has one.';

/** @param run the first one that counts: history begins again there */
export function ignoredRunsWords(run: string): string {
  return `rules against earlier runs ignore the runs before ${run}`;
}

export function leftOutSentences({ variants }: Pick<Trend, 'variants'>): readonly string[] {
  return REASONS.flatMap((reason) => {
    const byRuns = groupBy(
      variants.flatMap(({ variant, leftOut }) => {
        const runs = leftOut.filter((left) => left.reason === reason).map(({ run }) => run);
        return runs.length === 0 ? [] : [{ variant, runs }];
      }),
      ({ runs }) => JSON.stringify(runs),
    );
    return [...byRuns.values()].map((group) => {
      const [{ runs }] = group;
      const whose = group.length === variants.length ? '' : ` of ${listedInShort(group.map(({ variant }) => variant))}`;
      return `left out${whose}: ${LEFT_OUT_WORDS[reason](runs.length)} (${namesWords(runs)})`;
    });
  });
}

function namesWords(runs: readonly string[]): string {
  return listedInShort(runs.toReversed());
}

/** `gate: 9 passed, 2 failed (RUN, RUN), 1 not decided`; null where no run has a gate. */
export function verdictsSentence({ runs }: Pick<Trend, 'runs'>): string | null {
  const open = runs.filter(({ verdict, notJudged }) => verdict.startsWith('pass') && notJudged !== undefined);
  const of = (verdict: Trend['runs'][number]['verdict']) =>
    runs.filter((decided) => decided.verdict === verdict && !open.includes(decided)).map(({ run }) => run);
  const [passed, unfit, failed, undecided] = [of('pass'), of('pass_unfit'), of('fail'), of('inconclusive')];
  const parts = [
    ...(passed.length === 0 ? [] : [`${count(passed.length)} passed`]),
    ...(open.length === 0 ? [] : [`${count(open.length)} with rules that were not judged`]),
    ...(unfit.length === 0 ? [] : [`${count(unfit.length)} passed on unfit latencies`]),
    ...(failed.length === 0 ? [] : [`${count(failed.length)} failed (${namesWords(failed)})`]),
    ...(undecided.length === 0 ? [] : [`${count(undecided.length)} not decided`]),
  ];
  return parts.length === 0 ? null : `gate: ${parts.join(', ')}`;
}

const HEADLINES = ['latency.response', 'latency.total'] as const;

/** Headline latency, errors, and every rate that was ever above 0, in the order of the variant's series. */
export function headlineSeries({ series }: Pick<TrendVariant, 'series'>): readonly TrendSeries[] {
  const latency = HEADLINES.find((name) => series.some(({ metric }) => metric === name));
  return series.filter(
    ({ metric, scale, points }) =>
      metric === latency || metric === 'error_rate' || (scale === 'rate' && points.some(({ value }) => value !== 0)),
  );
}

/** A scale spans at least this ratio of values, or so many percentage points of a rate: little noise looks flat. */
const LEAST_RATIO = 1.2;
const LEAST_RISE = 0.05;

export interface SeriesScale {
  readonly low: number;
  readonly high: number;
  /** From 0 at the low end to 1 at the high one; equal distances are equal ratios. */
  readonly place: (value: number) => number;
}

/** What is usual is on the scale up to this ratio beyond the values; the rest is cut off. */
const MOST_BEYOND = 1.2;

/** The scale of values, with room for what is usual of them. */
export function scaleWithUsual(series: Pick<TrendSeries, 'points' | 'scale'>): SeriesScale {
  const { low, high } = seriesScale(series);
  const usual = series.points.flatMap((point) => point.usual ?? []);
  const lowest = usual.reduce((least, interval) => Math.min(least, interval.low), low);
  const highest = usual.reduce((most, interval) => Math.max(most, interval.high), high);
  return scaleOfValues(Math.max(lowest, low / MOST_BEYOND), Math.min(highest, high * MOST_BEYOND), series.scale);
}

export function seriesScale({ points, scale }: Pick<TrendSeries, 'points' | 'scale'>): SeriesScale {
  const values = points.map(({ value }) => value);
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const most = values.reduce((largest, value) => Math.max(largest, value), Number.NEGATIVE_INFINITY);
  if (scale === 'value') return scaleOfValues(low, Math.max(most, low * LEAST_RATIO), scale);
  const high = Math.max(most, Math.min(1, low + LEAST_RISE));
  return scaleOfValues(Math.min(low, high - LEAST_RISE), high, scale);
}

function scaleOfValues(low: number, high: number, scale: TrendSeries['scale']): SeriesScale {
  if (scale === 'rate') return { low, high, place: (value) => (value - low) / (high - low) };
  const span = Math.log(high / low);
  return { low, high, place: (value) => Math.log(value / low) / span };
}
