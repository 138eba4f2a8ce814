import type { Sample } from '../../record/model/sample.ts';
import type { Stop } from '../../record/model/stop.ts';
import type { Limits, Load } from '../../suite/format/suite.ts';
import { createFailureLimit } from './failure-limit.ts';

/** The rules by which a run stops by itself. They only count; the caller stops the run. */
export interface StopRules {
  /** Counts a submit that is about to leave, one that is sent again among them; gives why it must not leave, else null. */
  readonly spend: () => Stop | null;
  /** A submit that was counted did not leave after all. */
  readonly takeBack: () => void;
  /** Counts a sample; gives why the run must stop after it, else null. */
  readonly count: (sample: Sample) => Stop | null;
}

/** What earlier processes of a run have spent of its limits. */
export interface Spent {
  readonly requests: number;
}

const NOTHING_SPENT: Spent = { requests: 0 };

/** Stops at `limits.requests`, without credit, where `on_throttle` is stop, and when failures exceed `limits.failures`. Failures of earlier processes do not count: their cause may be fixed. */
export function createStopRules(limits: Limits, load: Load, spent: Spent = NOTHING_SPENT): StopRules {
  const failures = createFailureLimit(limits.failures);
  let { requests } = spent;
  return {
    spend: () => {
      if (limits.requests !== null && requests >= limits.requests) {
        return { reason: 'requests', limit: limits.requests };
      }
      requests += 1;
      return null;
    },
    takeBack: () => {
      requests -= 1;
    },
    count: ({ outcome, trial, error }) => {
      const exceeded = failures.count(outcome);
      if (outcome === 'no_credit') return { reason: 'no_credit', variant: trial.variant, message: error.message };
      if (outcome === 'throttled' && load.onThrottle === 'stop') return { reason: 'throttled', variant: trial.variant };
      return exceeded === null ? null : { reason: 'failures', ...exceeded };
    },
  };
}
