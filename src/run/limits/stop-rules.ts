import type { Trial } from '../../plan/trial.ts';
import type { Sample, Stop } from '../../record/journal.ts';
import type { Submitted } from '../../record/spend.ts';
import type { Limits, Load } from '../../suite/load.ts';
import type { CostBounds } from '../../targets/cost-bounds.ts';
import { createFailureLimit } from '../limits.ts';
import { createBudget } from './budget.ts';

/** The rules that stop a run. They only count; the caller stops it. */
export interface StopRules {
  /** Counts a submit before it is sent, repeats included; gives the reason not to send it, or null. */
  readonly spend: (trial: Trial) => Stop | null;
  readonly takeBack: (trial: Trial) => void;
  /** Counts a job as in flight; an earlier process counted its submit. */
  readonly follow: (trial: Trial) => void;
  /** Gives the reason to stop, or null. */
  readonly count: (sample: Sample) => Stop | null;
  /** Whether the end of a call in flight may free part of `limits.usd`. */
  readonly mayFree: () => boolean;
  /** Resolves at the next end of a call, or when the run stops. */
  readonly nextEnd: () => Promise<void>;
}

export interface StopRulesInput {
  readonly limits: Limits;
  readonly load: Pick<Load, 'onThrottle'>;
  /** Called only if `limits.usd` is set. */
  readonly boundsOf: (trial: Trial) => CostBounds;
  readonly spent: Spent;
  readonly stopped: AbortSignal;
}

export interface Spent {
  readonly requests: number;
  readonly submitted: readonly Submitted[];
}

export const NOTHING_SPENT: Spent = { requests: 0, submitted: [] };

/**
 * Stops at `limits.requests`, `limits.usd`, without credit, at throttling if `on_throttle` is stop, and when failures
 * exceed `limits.failures`. Failures of earlier processes do not count, as their cause may be fixed.
 */
export function createStopRules({ limits, load, boundsOf, spent, stopped }: StopRulesInput): StopRules {
  const failures = createFailureLimit(limits.failures);
  const budget = limits.usd === null ? null : createBudget(limits.usd, boundsOf, spent.submitted);
  const inFlight = new Set<string>();
  let waiting: (() => void)[] = [];
  let { requests } = spent;
  const wakeAll = () => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  stopped.addEventListener('abort', wakeAll, { once: true });
  return {
    spend: (trial) => {
      if (limits.requests !== null && requests >= limits.requests) {
        return { reason: 'requests', limit: limits.requests };
      }
      if (budget !== null && limits.usd !== null && !budget.reserve(trial)) {
        return { reason: 'usd', limitUsd: limits.usd };
      }
      requests += 1;
      inFlight.add(trial.id);
      return null;
    },
    takeBack: (trial) => {
      requests -= 1;
      budget?.release(trial);
    },
    follow: ({ id }) => {
      inFlight.add(id);
    },
    count: (sample) => {
      const { outcome, trial, error } = sample;
      inFlight.delete(trial.id);
      budget?.settle(sample);
      wakeAll();
      const exceeded = failures.count(outcome);
      if (outcome === 'no_credit') return { reason: 'no_credit', variant: trial.variant, message: error.message };
      if (outcome === 'throttled' && load.onThrottle === 'stop') return { reason: 'throttled', variant: trial.variant };
      return exceeded === null ? null : { reason: 'failures', ...exceeded };
    },
    mayFree: () => inFlight.size > 0,
    nextEnd: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
