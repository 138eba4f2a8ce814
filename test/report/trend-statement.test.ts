import { describe, expect, it } from 'vitest';
import { METRICS } from '../../src/analysis/metrics.ts';
import { trendOf } from '../../src/analysis/series.ts';
import type { HistoryLine } from '../../src/record/kept-run.ts';
import {
  changeDirection,
  changeSentence,
  changesOf,
  leftOutSentences,
  scaleWithUsual,
  seriesScale,
  verdictsSentence,
} from '../../src/report/trend-statement.ts';
import { nightLine, twoVariants, withOtherRequests } from '../fixtures/history-lines.ts';
import { reviewed } from '../fixtures/reviewed.ts';

const trend = (lines: readonly HistoryLine[]) => trendOf('nightly', lines, { metrics: METRICS, baseFrom: null });
const changes = (lines: readonly HistoryLine[], metric = 'latency.total') =>
  changesOf(trend(lines), (series) => series.metric === metric).map(
    (found) => `${changeDirection(found.series, found.change)}: ${changeSentence(found)}`,
  );

/** The noise floor of the machine changes on the night from which a variant is slower. */
const withFloors = (before: number, after: number) =>
  twoVariants(12, 8).map((line, night) => ({ ...line, floorMs: night < 8 ? before : after }));

const reversed = (lines: readonly HistoryLine[]) =>
  lines.map((line, at) => ({ ...line, variants: lines.at(-1 - at)?.variants ?? [] }));

const withErrors = Array.from({ length: 12 }, (_, night) =>
  nightLine(night, { fast: { cellsMs: [400], rates: { error_rate: night < 5 ? 0 : 0.125 } } }, { label: `v${night}` }),
);

const moreSpread = Array.from({ length: 60 }, (_, night) => {
  const spread = night < 30 ? 0.001 : 0.3;
  return nightLine(night, { fast: { cellsMs: [1000 * Math.exp(night % 2 === 0 ? spread : -spread)] } });
});

/** Four nights are incomplete; on the second, the first variant had other requests. */
const leftOut = twoVariants(8, Infinity).map((line, night) => {
  const [other] = withOtherRequests(line, 'd').variants;
  if (night === 1 && other !== undefined) return { ...line, variants: [other, ...line.variants.slice(1)] };
  return night > 1 && night < 6 ? { ...line, complete: false } : line;
});

const decided = (['pass', 'fail', 'inconclusive', 'pass'] as const).map((verdict, night) =>
  nightLine(night, { fast: { cellsMs: [1] } }, { verdict }),
);

reviewed('trends', {
  'a latency rises': () => changes(twoVariants(12, 8)),
  'a latency falls': () => changes(reversed(twoVariants(14, 7))),
  'a latency rises as much as the noise floor of the machine': () => changes(withFloors(100, 900)),
  'a latency rises by more': () => changes(withFloors(3, 4)),
  'a latency rises, the noise floor falls': () => changes(withFloors(900, 100)),
  'a rate rises': () => changes(withErrors, 'error_rate'),
  'the spread rises': () => changes(moreSpread),
  'runs are left out': () => leftOutSentences(trend(leftOut)),
  'verdicts of runs': () => verdictsSentence(trend(decided)),
  'verdicts of runs, one without all rules judged': () =>
    verdictsSentence(trend(decided.map((line, at) => (at === 0 ? { ...line, notJudged: { rules: 1, of: 2 } } : line)))),
  'runs without a gate': () => verdictsSentence(trend(decided.map((line) => ({ ...line, verdict: 'none' })))),
});

describe('the scale of a series', () => {
  it('a rate that is always 1: is at the upper end, and one that is always 0 at the lower', () => {
    const rates = { 'likeness.similar': 1, error_rate: 0 };
    const series = trend([nightLine(0, { fast: { cellsMs: [400], rates } })]).variants[0]?.series ?? [];
    const scales = series.filter(({ scale }) => scale === 'rate').map(seriesScale);
    expect(scales.map(({ low, high }) => [low, high])).toEqual([
      [0.95, 1],
      [0, 0.05],
    ]);
    expect(scales.map(({ place }, at) => place(1 - at))).toEqual([1, 0]);
  });

  it('what is usual: has room on the scale, as far as values keep most of it', () => {
    const [series] = trend(twoVariants(14, Infinity)).variants[0]?.series ?? [];
    if (series === undefined) throw new Error('a trend without a series');
    const [values, both] = [seriesScale(series), scaleWithUsual(series)];
    const usual = series.points.flatMap((point) => point.usual ?? []);
    expect(both.low).toBeCloseTo(Math.min(values.low, ...usual.map(({ low }) => low)), 9);
    const wide = { ...series, points: series.points.map((point) => ({ ...point, usual: { low: 1, high: 1e9 } })) };
    expect(scaleWithUsual(wide).high / values.high).toBeCloseTo(1.2, 9);
    expect(values.low / scaleWithUsual(wide).low).toBeCloseTo(1.2, 9);
  });
});
