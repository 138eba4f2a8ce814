import { describe, expect, it } from 'vitest';
import { spentWords } from '../../../../src/commands/display/progress/progress-event.ts';
import { createSpend, type ShownSpend } from '../../../../src/commands/display/progress/spend.ts';
import type { TrialCosts } from '../../../../src/plan/estimate.ts';
import { buildFailure, buildOk, buildTrial } from '../../../fixtures/stored-run-builder.ts';

const costOf: TrialCosts = ({ variant }) =>
  variant === 'unpriced' ? 'no_price' : { leastUsd: 0.2, mostUsd: 0.2, delivered: null };

function wordsOf({ soFar }: ShownSpend): string | null {
  const spent = soFar();
  return spent === null ? null : spentWords(spent);
}

describe('what a run has spent so far', () => {
  it('a run with a limit: shows both, with failures and what earlier processes spent', () => {
    const before = [{ trial: buildTrial({ variant: 'fast' }), attempts: 1, sample: null }];
    const spend = createSpend(costOf, 5, before);
    expect(wordsOf(spend)).toBe('$0.200 of $5.00 spent');
    spend.add(buildOk(100, 'a', { trial: { variant: 'fast' }, costUsd: 0.05 }));
    spend.add(buildFailure('timed_out', { trial: { variant: 'fast' } }));
    spend.add(buildFailure('cancelled', { trial: { variant: 'fast' }, attempts: 0 }));
    expect(wordsOf(spend)).toBe('$0.450 of $5.00 spent');
  });

  it('a run with a request of unknown cost: has spent at least the rest', () => {
    const spend = createSpend(costOf, null, []);
    spend.add(buildOk(100, 'a', { trial: { variant: 'unpriced' } }));
    expect(wordsOf(spend)).toBeNull();
    spend.add(buildOk(100, 'a', { trial: { variant: 'fast' } }));
    expect(wordsOf(spend)).toBe('at least $0.200 spent');
  });
});
