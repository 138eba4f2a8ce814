import type { Trial } from '../../plan/trial.ts';
import type { FailuresExceeded, Sample, Stop } from '../../record/journal.ts';
import { chargeOf, type Submitted } from '../../record/trial-histories.ts';
import type { CostBounds } from '../../targets/cost-bounds.ts';
import { createFailureLimit, type FailureLimit } from '../limits.ts';
import type { Measurement } from '../measurement.ts';
import { loadOf } from './abandoned-variants.ts';

/**
 * Spend so far, with submits in flight at their highest cost, in whole billionths of a dollar: a limit of 0.3 allows
 * three requests of 0.1.
 */
export interface Budget {
  /** Counts a submit at its highest cost; false, and nothing counted, if it could exceed the limit. */
  readonly reserve: (trial: Trial) => boolean;
  readonly release: (trial: Trial) => void;
  /** Replaces the highest cost of an ended trial by its charge. */
  readonly settle: (sample: Sample) => void;
  /** US dollars, with requests in flight at their highest cost. */
  readonly usd: () => number;
}

/** `boundsOf`: cost of a trial's submit; `submitted`: what earlier processes of the run sent. */
export function createBudget(
  limitUsd: number,
  boundsOf: (trial: Trial) => CostBounds,
  submitted: readonly Submitted[],
): Budget {
  const limit = floored(limitUsd);
  const most = (trial: Trial) => raised(boundsOf(trial).mostUsd);
  let counted = submitted.reduce((sum, submit) => sum + chargedAs(submit, boundsOf(submit.trial)), 0);
  return {
    reserve: (trial) => {
      if (counted + most(trial) > limit) return false;
      counted += most(trial);
      return true;
    },
    release: (trial) => {
      counted -= most(trial);
    },
    settle: (sample) => {
      const { trial, attempts } = sample;
      counted += chargedAs({ attempts, sample }, boundsOf(trial)) - attempts * most(trial);
    },
    usd: () => counted / PER_DOLLAR,
  };
}

const PER_DOLLAR = 1e9;

/** In billionths of a dollar: the rounding error of a multiplied price. */
const ROUNDING = 1e-3;

/** Without a charge, a submit costs its highest, in flight and after its end. */
function chargedAs(submits: Omit<Submitted, 'trial'>, bounds: CostBounds): number {
  const whole = { ...bounds, mostUsd: raised(bounds.mostUsd) / PER_DOLLAR };
  return raised(chargeOf(submits, whole));
}

function raised(usd: number): number {
  return Math.ceil(usd * PER_DOLLAR - ROUNDING);
}

function floored(usd: number): number {
  return Math.floor(usd * PER_DOLLAR + ROUNDING);
}

/** The rules that stop a run. They only count; the caller stops it. */
export interface StopRules {
  /** Counts a submit before it is sent, repeats included; gives the reason not to send it, or null. */
  readonly spend: (trial: Trial) => Stop | null;
  readonly takeBack: (trial: Trial) => void;
  /** Counts a job as in flight; an earlier process counted its submit. */
  readonly follow: (trial: Trial) => void;
  /** Gives the reason to stop the run, or to end the load of a sweep whose loads must hold something; or null. */
  readonly count: (sample: Sample) => Stop | EndedLoad | null;
  /** Whether the end of a call in flight may free part of `limits.usd`. */
  readonly mayFree: () => boolean;
  /** Resolves at the next end of a call, or when the run stops. */
  readonly nextEnd: () => Promise<void>;
}

export interface EndedLoad extends FailuresExceeded {
  readonly reason: 'load';
}

/**
 * Stops at `limits.requests`, `limits.usd`, without credit, at throttling if `on_throttle` is stop, and when failures
 * exceed `limits.failures`. Failures of earlier processes do not count, as their cause may be fixed.
 */
export function createStopRules(
  { limits, load, holds, costOf, resumption }: Pick<Measurement, 'limits' | 'load' | 'holds' | 'costOf' | 'resumption'>,
  stopped: AbortSignal,
): StopRules {
  const failures = createFailureLimit(limits.failures);
  const ofLoads = new Map<string, FailureLimit>();
  const failuresOf = ({ trial }: Sample): FailureLimit => {
    if (!holds || trial.step === undefined) return failures;
    const key = loadOf(trial);
    const known = ofLoads.get(key) ?? createFailureLimit(limits.failures);
    ofLoads.set(key, known);
    return known;
  };
  const boundsOf = (trial: Trial): CostBounds => {
    const bounds = costOf(trial);
    if (typeof bounds === 'string') throw new Error(`${trial.variant}: ${bounds}, which limits.usd does not take`);
    return bounds;
  };
  const budget = limits.usd === null ? null : createBudget(limits.usd, boundsOf, resumption?.submitted ?? []);
  const inFlight = new Set<string>();
  let waiting: (() => void)[] = [];
  let requests = resumption?.requests ?? 0;
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
      const exceeded = failuresOf(sample).count(outcome);
      if (outcome === 'no_credit') return { reason: 'no_credit', variant: trial.variant, message: error.message };
      if (outcome === 'throttled' && load.onThrottle === 'stop') return { reason: 'throttled', variant: trial.variant };
      if (exceeded === null) return null;
      return { reason: holds && trial.step !== undefined ? 'load' : 'failures', ...exceeded };
    },
    mayFree: () => inFlight.size > 0,
    nextEnd: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
