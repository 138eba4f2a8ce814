import { describe, expect, it } from 'vitest';
import { historySeries } from '../../src/analysis/series.ts';
import type { HistoryLine } from '../../src/record/kept-run.ts';
import { chance } from '../fixtures/scripted-run.ts';

/** A run of one variant; `values` are milliseconds of its cells, null of one without a value. */
function lineOf(night: number, values: readonly (number | null)[], more: Partial<HistoryLine> = {}): HistoryLine {
  const known = values.filter((value) => value !== null);
  return {
    format: 1,
    run: `night-${night}`,
    startedAt: new Date(Date.UTC(2026, 0, 1 + night)).toISOString(),
    suiteDigest: 'a'.repeat(64),
    complete: true,
    verdict: 'none',
    variants: [
      {
        variant: 'fast',
        kind: 'text-to-image',
        comparableDigest: 'b'.repeat(64),
        cells: values.map((_, at) => ({ prompt: 'fox', seed: at })),
        lnValues: { 'latency.total': values.map((value) => (value === null ? null : Math.log(value))) },
        meanLn: { 'latency.total': known.reduce((total, value) => total + Math.log(value), 0) / known.length },
        rates: { error_rate: 0 },
      },
    ],
    ...more,
  };
}

/** Nights that vary by up to 2 % either way, half as long again from a night on. */
function nights(count: number, from: number): readonly HistoryLine[] {
  return Array.from({ length: count }, (_, night) => {
    const value = 1000 * (0.98 + 0.04 * chance(night)) * (night >= from ? 1.5 : 1);
    return lineOf(night, [value, 4 * value]);
  });
}

describe('the series of a variant', () => {
  it('a change at the ninth run: names the run, its time, and the means before and after', () => {
    const [latency, errors] = historySeries(nights(20, 8));
    expect(latency).toMatchObject({ variant: 'fast', metric: 'latency.total', scale: 'value' });
    expect(latency?.changes).toMatchObject([{ index: 8, run: 'night-8', startedAt: '2026-01-09T00:00:00.000Z' }]);
    const [change] = latency?.changes ?? [];
    expect(change?.before).toBeCloseTo(2000, -2);
    expect((change?.after ?? 0) / (change?.before ?? 1)).toBeCloseTo(1.5, 1);
    expect(errors).toMatchObject({ metric: 'error_rate', scale: 'rate', changes: [] });
  });

  it('a service that stays as it was: has no change', () => {
    expect(historySeries(nights(40, Infinity))[0]?.changes).toEqual([]);
  });

  it('a run that lacks its slow cell: does not look fast', () => {
    const runs = [...nights(6, Infinity), lineOf(6, [1000, null])];
    const last = historySeries(runs)[0]?.points.at(-1);
    expect(last?.value).toBeCloseTo(2000, -2);
  });

  it('incomplete runs, and those that are not comparable: are left out, and the order of lines does not matter', () => {
    const other = lineOf(1, [9000, 9000]);
    const [variant] = other.variants;
    if (variant === undefined) throw new Error('a line without a variant');
    const lines = [
      lineOf(5, [1000, 4000]),
      { ...other, variants: [{ ...variant, comparableDigest: 'c'.repeat(64) }] },
      lineOf(3, [1000, 4000], { complete: false }),
      lineOf(2, [1000, 4000]),
    ];
    expect(historySeries(lines)[0]?.points.map(({ run }) => run)).toEqual(['night-2', 'night-5']);
  });
});
