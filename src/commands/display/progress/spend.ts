import type { TrialCosts } from '../../../plan/estimate.ts';
import type { Sample } from '../../../record/model/sample.ts';
import { chargeOf, type Submitted } from '../../../record/spend/charge.ts';
import { usd } from '../../../text/wording.ts';
import type { SpentSoFar } from './progress-event.ts';

/** The spend so far, counted as by `limits.usd`, for the progress. */
export interface ShownSpend {
  readonly add: (sample: Sample) => void;
  /** `$1.20 of $5.00 spent`; null if no cost is known. */
  readonly text: () => string | null;
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
    text: () => {
      if (!isPriced) return null;
      const of = limitUsd === null ? '' : ` of ${usd(limitUsd)}`;
      return `${isPartial ? 'at least ' : ''}${usd(spentUsd)}${of} spent`;
    },
    soFar: () => (isPriced ? { usd: rounded(spentUsd), isPartial, limitUsd } : null),
  };
}

/** To billionths of a dollar, as limits count: hides rounding errors of sums. */
function rounded(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}
