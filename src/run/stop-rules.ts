import type { Stop } from '../record/journal.ts';
import type { Sample } from '../record/sample.ts';
import type { Limits, Load } from '../suite/suite.ts';
import { createFailureLimit } from './failure-limit.ts';

/** The rules by which a run stops by itself. They only count; whoever asks them stops the run. */
export interface StopRules {
  /** Counts a submit that is about to leave, one that is sent again among them; gives why it must not leave, else null. */
  readonly spend: () => Stop | null;
  /** Counts a sample; gives why the run must stop after it, else null. */
  readonly judge: (sample: Sample) => Stop | null;
}

/** Stops at `limits.requests`, without credit, where `on_throttle` is stop, and when failures exceed `limits.failures`. */
export function createStopRules(limits: Limits, load: Load): StopRules {
  const failures = createFailureLimit(limits.failures);
  let requests = 0;
  return {
    spend: () => {
      if (limits.requests !== null && requests >= limits.requests) {
        const message = `the limit of ${limits.requests} requests was reached; raise limits.requests to measure the rest`;
        return { reason: 'requests', message };
      }
      requests += 1;
      return null;
    },
    judge: ({ outcome, trial, error }) => {
      const exceeded = failures.count(outcome);
      if (outcome === 'no_credit') {
        const message = `${trial.variant}: the account has no credit left (${error.message}); top it up`;
        return { reason: 'no_credit', message };
      }
      if (outcome === 'throttled' && load.onThrottle === 'stop') {
        const message = `${trial.variant}: the service refused a request as throttled, and on_throttle is stop`;
        return { reason: 'throttled', message };
      }
      return exceeded === null ? null : { reason: 'failures', message: exceeded };
    },
  };
}
