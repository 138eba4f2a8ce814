import { describe, expect, it } from 'vitest';
import { changeOfRuns } from '../../src/analysis/two-runs.ts';
import type { HistoryLine } from '../../src/record/kept-run.ts';
import { nightLine, withOtherRequests } from '../fixtures/history-lines.ts';

/** Nights of one variant that alternate by 2 % either way; `before` of them come before the last two. */
function nights(before: number, more: Partial<HistoryLine> = {}): readonly HistoryLine[] {
  return Array.from({ length: before + 2 }, (_, night) => {
    const ms = 1000 * Math.exp(night % 2 === 0 ? 0.02 : -0.02);
    return nightLine(night, { fast: { cellsMs: [ms, 4 * ms] } }, night < before ? more : {});
  });
}

function changeOf(lines: readonly HistoryLine[], names?: readonly [string, string]) {
  const [one = '', other = ''] = names ?? lines.slice(-2).map(({ run }) => run);
  return changeOfRuns({ pair: [one, other], lines }, 'fast', 'latency.total');
}

describe('changeOfRuns', () => {
  it('8 earlier runs give the change a reach of t(0.975, 7) s sqrt(2), whichever run is named first', () => {
    const lines = nights(8);
    const deviation = 0.02 * Math.sqrt(8 / 7);
    const { earlierRuns, change } = changeOf(lines);
    expect(earlierRuns).toBe(8);
    expect(change?.reach).toBeCloseTo(2.364624 * deviation * Math.SQRT2, 5);
    expect(change?.ln).toBeCloseTo(-0.04, 9);
    expect(changeOf(lines, ['night-9', 'night-8']).change?.ln).toBeCloseTo(0.04, 9);
  });

  it('7 earlier runs give none', () => {
    expect(changeOf(nights(7))).toEqual({ earlierRuns: 7, change: null });
  });

  it('changeOfRuns counts runs between the two, and no later ones', () => {
    expect(changeOf(nights(8), ['night-0', 'night-9']).earlierRuns).toBe(8);
    expect(changeOf(nights(8), ['night-3', 'night-8'])).toEqual({ earlierRuns: 7, change: null });
  });

  it('incomplete runs, and runs of other requests: do not count', () => {
    expect(changeOf(nights(8, { complete: false })).earlierRuns).toBe(0);
    const lines = nights(10);
    expect(changeOf(lines.map((line, at) => (at < 4 ? withOtherRequests(line, 'c') : line))).earlierRuns).toBe(6);
  });

  it('a run without a line, or without a cell in common: nothing is known', () => {
    expect(changeOf(nights(8), ['night-8', 'gone'])).toEqual({ earlierRuns: 0, change: null });
    const other = nights(8).map((line, at) => (at === 9 ? { ...line, variants: [] } : line));
    expect(changeOf(other)).toEqual({ earlierRuns: 0, change: null });
  });

  it('two vantages: each needs 8 earlier runs of its own', () => {
    const eu = nights(7);
    const us = nights(7).map((line, at) => withOtherRequests({ ...line, run: `us-${at}` }, 'c'));
    const both = changeOf([...eu, ...us], ['night-8', 'us-8']);
    expect(both.earlierRuns).toBe(8);
    expect(both.change?.reach).toBeCloseTo(changeOf(nights(8)).change?.reach ?? 0, 9);
    expect(changeOf([...eu, ...us.slice(6)], ['night-8', 'us-8'])).toEqual({ earlierRuns: 2, change: null });
  });
});
