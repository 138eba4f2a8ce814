import { describe, expect, it } from 'vitest';
import type { StartedRun } from '../../src/analysis/earlier-runs.ts';
import { METRICS } from '../../src/analysis/metrics.ts';
import { historySeries, trendOf } from '../../src/analysis/series.ts';
import type { HistoryLine } from '../../src/record/kept-run.ts';
import { nightLine, twoVariants, withOtherRequests } from '../fixtures/history-lines.ts';

const trend = (lines: readonly HistoryLine[], baseFrom: StartedRun | null = null) =>
  trendOf('nightly', lines, { metrics: METRICS, baseFrom });

const latencyOf = (lines: readonly HistoryLine[], variant: string, baseFrom: StartedRun | null = null) =>
  trend(lines, baseFrom)
    .variants.find((each) => each.variant === variant)
    ?.series.find(({ metric }) => metric === 'latency.total');

describe('the trend of a suite', () => {
  it('a series: has unit and direction of its metric, and every run in order', () => {
    const { runs, variants } = trend(twoVariants(5, Infinity).toReversed());
    expect(runs.map(({ run }) => run)).toEqual(['night-0', 'night-1', 'night-2', 'night-3', 'night-4']);
    expect(variants.map(({ variant, isInLastRun }) => [variant, isInLastRun])).toEqual([
      ['standard', true],
      ['fast', true],
    ]);
    expect(variants[1]?.series.map(({ metric, scale, unit, better }) => [metric, scale, unit, better])).toEqual([
      ['latency.total', 'value', 'ms', 'lower'],
      ['latency.download', 'value', 'ms', 'lower'],
      ['error_rate', 'rate', '1', 'lower'],
    ]);
  });

  it('the last run: is compared with the runs before the one before it, where these are eight or more', () => {
    expect(latencyOf(twoVariants(9, Infinity), 'fast')?.againstBase).toBeNull();
    const slower = latencyOf(twoVariants(10, 8), 'fast')?.againstBase;
    expect(slower).toMatchObject({ runs: 8 });
    expect(slower?.base).toBeCloseTo(800, -2);
    expect(slower?.change).toBeCloseTo(1.5, 1);
    expect(slower?.usual?.high).toBeLessThan(1.06);
    expect((slower?.usual?.low ?? 0) * (slower?.usual?.high ?? 0)).toBeCloseTo(1, 12);
    expect(latencyOf(twoVariants(50, Infinity), 'fast')?.againstBase?.runs).toBe(30);
  });

  it('a run of a value: has the range that its own base leaves it, from the tenth run on', () => {
    const lines = twoVariants(14, Infinity);
    const points = latencyOf(lines, 'fast')?.points ?? [];
    expect(points.map(({ usual }) => usual !== null)).toEqual(points.map((_, at) => at >= 9));
    for (const [at, { usual }] of points.entries()) {
      // What comes later changes no range but through the cells that all runs have.
      const alone = latencyOf(lines.slice(0, at + 1), 'fast')?.againstBase ?? null;
      if (usual === null || alone?.usual == null) expect([usual, alone]).toEqual([null, null]);
      else expect(usual.high / usual.low).toBeCloseTo(alone.usual.high / alone.usual.low, 2);
    }
    const { base = 0, usual: last = null } = latencyOf(lines, 'fast')?.againstBase ?? {};
    expect(points.at(-1)?.usual).toEqual({ low: base * (last?.low ?? 0), high: base * (last?.high ?? 0) });
    const rates = trend(lines).variants[0]?.series.find(({ metric }) => metric === 'error_rate');
    expect(rates?.points.map(({ usual }) => usual)).toEqual(lines.map(() => null));
  });

  it('the likeness of outputs: is better the higher, other pictures and errors the lower', () => {
    const rates = { 'likeness.similar': 1, 'likeness.another': 0, 'determinism.pixel': 0, error_rate: 0 };
    const series = trend([nightLine(0, { fast: { cellsMs: [400], rates } })]).variants[0]?.series ?? [];
    expect(series.slice(2).map(({ metric, better }) => [metric, better])).toEqual([
      ['likeness.similar', 'higher'],
      ['likeness.another', 'lower'],
      ['determinism.pixel', 'lower'],
      ['error_rate', 'lower'],
    ]);
  });

  it('a stored baseline: begins the base', () => {
    const lines = twoVariants(30, 10);
    const from = (night: number) => ({ run: `night-${night}`, startedAt: lines[night]?.startedAt ?? '' });
    expect(latencyOf(lines, 'fast', from(10))?.againstBase).toMatchObject({ runs: 18 });
    expect(latencyOf(lines, 'fast', from(10))?.againstBase?.change).toBeCloseTo(1, 1);
    expect(latencyOf(lines, 'fast', from(25))?.againstBase).toBeNull();
  });

  it('incomplete runs, and those that sent other requests: are named, and in no series', () => {
    const lines = [
      withOtherRequests(nightLine(0, { fast: { cellsMs: [9000] } }), 'c'),
      ...twoVariants(6, Infinity).slice(1),
      nightLine(6, { fast: { cellsMs: [9000] } }, { complete: false }),
    ];
    const fast = trend(lines).variants.find(({ variant }) => variant === 'fast');
    expect(fast?.leftOut).toEqual([
      { run: 'night-0', reason: 'other_requests' },
      { run: 'night-6', reason: 'incomplete' },
    ]);
    expect(fast?.comparable).toEqual(['night-1', 'night-2', 'night-3', 'night-4', 'night-5']);
    expect(fast?.series[0]?.points.map(({ run }) => run)).toEqual(fast?.comparable);
  });

  it('a variant that the last complete run does not have: keeps its series, and says so', () => {
    const lines = [...twoVariants(4, Infinity), nightLine(4, { standard: { cellsMs: [1000, 4000] } })];
    const [standard, fast] = trend(lines).variants;
    expect([standard?.isInLastRun, fast?.isInLastRun]).toEqual([true, false]);
    expect(fast?.series[0]?.points).toHaveLength(4);
  });

  it('a metric that is not measured any more: has no series', () => {
    const [line] = twoVariants(1, Infinity);
    if (line === undefined) throw new Error('no line');
    const variants = line.variants.map((each) => ({ ...each, rates: { 'slow_rate.rate_over_500ms': 0.5, gone: 1 } }));
    const [standard] = trend([{ ...line, variants }]).variants;
    expect(standard?.series.map(({ metric }) => metric)).toEqual([
      'latency.total',
      'latency.download',
      'slow_rate.rate_over_500ms',
    ]);
  });

  it('incomplete runs alone: give no series', () => {
    const lines = twoVariants(3, Infinity).map((line) => ({ ...line, complete: false }));
    expect(trend(lines).variants.map(({ series, leftOut }) => [series, leftOut.length])).toEqual([
      [[], 3],
      [[], 3],
    ]);
  });
});

describe('the series of a variant', () => {
  const seriesOf = (lines: readonly HistoryLine[], metric = 'latency.total') =>
    historySeries(lines).find((series) => series.variant === 'fast' && series.metric === metric);

  it('a change at the ninth run: names the run, its time, and the means before and after', () => {
    const lines = twoVariants(20, 8);
    const latency = seriesOf(lines);
    expect(latency).toMatchObject({ scale: 'value' });
    expect(latency?.changes).toMatchObject([{ index: 8, run: 'night-8', startedAt: '2026-01-09T00:00:00.000Z' }]);
    const [change] = latency?.changes ?? [];
    expect(change?.before).toBeCloseTo(800, -2);
    expect((change?.after ?? 0) / (change?.before ?? 1)).toBeCloseTo(1.5, 1);
    expect(seriesOf(lines, 'error_rate')).toMatchObject({ scale: 'rate', changes: [] });
  });

  it('a service that stays as it was: has no change', () => {
    expect(seriesOf(twoVariants(40, Infinity))?.changes).toEqual([]);
  });

  it('a run that lacks its slow cell: does not look fast', () => {
    const [line = nightLine(6, {})] = twoVariants(7, Infinity).slice(6);
    const variants = line.variants.map((variant) => ({
      ...variant,
      lnValues: { 'latency.total': [variant.lnValues['latency.total']?.[0] ?? null, null] },
    }));
    const last = seriesOf([...twoVariants(6, Infinity), { ...line, variants }])?.points.at(-1);
    expect(last?.value).toBeCloseTo(800, -2);
  });
});
