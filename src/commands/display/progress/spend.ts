import type { TrialCosts } from '../../../plan/estimate.ts';
import type { Sample } from '../../../record/journal.ts';
import { chargeOf, type Submitted } from '../../../record/trial-histories.ts';
import type { SpentSoFar } from './progress-event.ts';

/** The spend so far, counted as by `limits.usd`, for the progress. */
export interface ShownSpend {
  readonly add: (sample: Sample) => void;
  /** Null if no cost is known. */
  readonly soFar: () => SpentSoFar | null;
}

export function createSpend(costOf: TrialCosts, limitUsd: number | null, before: readonly Submitted[]): ShownSpend {
  let spentUsd = 0;
  let isPriced = limitUsd !== null;
  let isPartial = false;
  const count = (submitted: Submitted): void => {
    if (submitted.attempts === 0) return;
    const bounds = costOf(submitted.trial);
    const reported = submitted.sample?.reported.costUsd ?? null;
    if (typeof bounds !== 'string') {
      spentUsd += chargeOf(submitted, bounds);
      isPriced ||= bounds.mostUsd > 0 || reported !== null;
    } else if (reported === null) isPartial = true;
    else {
      spentUsd += reported;
      isPriced = true;
    }
  };
  for (const submitted of before) count(submitted);
  return {
    add: (sample) => count({ trial: sample.trial, attempts: sample.attempts, sample }),
    // To billionths of a dollar, as limits count: hides rounding errors of sums.
    soFar: () => (isPriced ? { usd: Math.round(spentUsd * 1e9) / 1e9, isPartial, limitUsd } : null),
  };
}
