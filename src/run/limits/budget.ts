import type { Trial } from '../../plan/trial.ts';
import type { Sample } from '../../record/journal.ts';
import { chargeOf, type Submitted } from '../../record/spend.ts';
import type { CostBounds } from '../../targets/cost-bounds.ts';

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
