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

const trend = (lines: readonly HistoryLine[]) => trendOf('nightly', lines, { metrics: METRICS, baseFrom: null });
const sentences = (lines: readonly HistoryLine[]) => changesOf(trend(lines), () => true).map(changeSentence);

describe('changes in words', () => {
  it('a latency that rises: is said with its size, both means, the run that began it and its place', () => {
    expect(sentences(twoVariants(12, 8))[0]).toMatch(
      /^latency\.total of fast rose to 1\.\d\dx \(0\.\d\d\d s to 1\.\d\d s\) with run night-8, the 9th of 12$/,
    );
  });

  it('a latency that rises by no more than the noise floor of the machine: names the machine', () => {
    const withFloors = (before: number, after: number) =>
      twoVariants(12, 8).map((line, night) => ({ ...line, floorMs: night < 8 ? before : after }));
    expect(sentences(withFloors(100, 900))[0]).toMatch(
      /the 9th of 12; the noise floor of the machine rose as much, 100 ms to 900 ms: the machine may be why$/,
    );
    for (const [before, after] of [
      [3, 4],
      [900, 100],
    ] as const)
      expect(sentences(withFloors(before, after))[0]).toMatch(/the 9th of 12$/);
  });

  it('a latency that falls: is said so, and is for the better', () => {
    const lines = twoVariants(14, 7).map((line, at, all) => ({ ...line, variants: all[13 - at]?.variants ?? [] }));
    const [found] = changesOf(trend(lines), () => true);
    if (found === undefined) throw new Error('no change');
    expect(changeSentence(found)).toMatch(/^latency\.total of fast fell to 0\.\d\dx /);
    expect(changeDirection(found.series, found.change)).toBe('better');
  });

  it('a rate that rises: is said in percentage points, and is for the worse', () => {
    const lines = Array.from({ length: 12 }, (_, night) =>
      nightLine(
        night,
        { fast: { cellsMs: [400], rates: { error_rate: night < 5 ? 0 : 0.125 } } },
        { label: `v${night}` },
      ),
    );
    const [found] = changesOf(trend(lines), ({ metric }) => metric === 'error_rate');
    if (found === undefined) throw new Error('no change');
    expect(changeSentence(found)).toBe(
      'error_rate of fast rose by 12.5 points (0 % to 12.5 %) with run night-5 (v5), the 6th of 12',
    );
    expect(changeDirection(found.series, found.change)).toBe('worse');
  });

  it('a change of spread alone: does not claim another mean', () => {
    const lines = Array.from({ length: 60 }, (_, night) => {
      const spread = night < 30 ? 0.001 : 0.3;
      return nightLine(night, { fast: { cellsMs: [1000 * Math.exp(night % 2 === 0 ? spread : -spread)] } });
    });
    expect(sentences(lines)[0]).toMatch(
      /^latency\.total of fast varies more or less from run night-30, the 31st of 60 on$/,
    );
  });

  it('left-out runs of all variants: are said once, the latest first; those of some with the variants', () => {
    const [first, second, ...others] = twoVariants(8, Infinity);
    if (first === undefined || second === undefined) throw new Error('no lines');
    const [standard, ...rest] = second.variants;
    if (standard === undefined) throw new Error('no variant');
    const other = withOtherRequests({ ...second, variants: [standard] }, 'd').variants;
    const lines = [
      first,
      { ...second, variants: [...other, ...rest] },
      ...others.map((line, at) => (at < 4 ? { ...line, complete: false } : line)),
    ];
    expect(leftOutSentences(trend(lines))).toEqual([
      'left out: 4 incomplete runs (night-5, night-4, night-3 and night-2)',
      'left out of standard: 1 run with other requests, another load or another base URL (night-1)',
    ]);
  });

  it('verdicts of runs: are counted, those that failed by name', () => {
    const verdicts = ['pass', 'fail', 'inconclusive', 'pass'] as const;
    const lines = verdicts.map((verdict, night) => nightLine(night, { fast: { cellsMs: [1] } }, { verdict }));
    expect(verdictsSentence(trend(lines))).toBe('gate: 2 passed, 1 failed (night-1), 1 inconclusive');
    expect(verdictsSentence(trend(lines.map((line) => ({ ...line, verdict: 'none' }))))).toBeNull();
  });
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
