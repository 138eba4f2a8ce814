import type { TrialCosts } from '../../../plan/estimate.ts';
import type { Sample } from '../../../record/model/sample.ts';
import { chargeOf, type Submitted } from '../../../record/spend/charge.ts';
import { usd } from '../../../text/wording.ts';

interface SpentSoFar {
  readonly usd: number;
  /** Some requests have no known cost: more may be spent. */
  readonly isPartial: boolean;
  readonly limitUsd: number | null;
}

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

/** The progress for `--json`: codes and numbers, no sentence. Requests are those of this process. */
export interface ProgressEvent {
  readonly event: 'progress';
  /** Since this process began to measure. */
  readonly atMs: number;
  readonly done: number;
  /** Requests to send, with those done; without those of abandoned variants. */
  readonly planned: number;
  readonly inFlight: number;
  /** Results other than ok, moderated, cancelled or dropped. */
  readonly failed: number;
  readonly refusals: number;
  /** Results per second since the first request; null before the first result. */
  readonly perSecond: number | null;
  /** Estimated; null if unknown, or nothing more is sent. */
  readonly leftMs: number | null;
  /** Null if no cost is known. */
  readonly spent: SpentSoFar | null;
  /** The server that cannot be reached, while the run waits for it; else null. */
  readonly waitingFor: { readonly origin: string; readonly code: string } | null;
  /** After an interrupt: no more requests are sent. */
  readonly stopping: boolean;
  /** The gate is decided: only probes are still sent. */
  readonly decided: boolean;
  readonly variants: readonly VariantProgressEvent[];
}

export interface VariantProgressEvent {
  readonly variant: string;
  readonly done: number;
  readonly planned: number;
  readonly inFlight: number;
  readonly failed: number;
  /** p50 of delivered takes so far; null without one, and for a sweep. */
  readonly p50Ms: number | null;
  /** No more requests of it are sent. */
  readonly abandoned: boolean;
}
