import type { Trial } from '../../plan/trial.ts';
import type { Sample } from '../../record/model/sample.ts';
import { chargeOf, type Submitted } from '../../record/spend/charge.ts';
import type { CostBounds } from '../../targets/request/cost-bounds.ts';

/**
 * What a run has spent, with every submit in flight at its most. Sums are whole billionths of a dollar: a limit of 0.3 takes
 * three requests of 0.1.
 */
export interface Budget {
  /** Counts a submit at its most; false where the limit could be exceeded: then nothing is counted. */
  readonly reserve: (trial: Trial) => boolean;
  /** A submit that was counted did not leave. */
  readonly release: (trial: Trial) => void;
  /** The end of a trial is known: what its submits were counted as above its charge is free again. */
  readonly settle: (sample: Sample) => void;
  /** US dollars, those in flight at their most. */
  readonly usd: () => number;
}

/**
 * A budget that begins with what earlier processes of the run have spent.
 *
 * @param boundsOf what one submit of a trial can cost
 */
export function createBudget(
  limitUsd: number,
  boundsOf: (trial: Trial) => CostBounds,
  submitted: readonly Submitted[],
): Budget {
  const limit = floored(limitUsd);
  const most = (trial: Trial) => raised(boundsOf(trial).mostUsd);
  let counted = submitted.reduce((sum, each) => sum + chargedAs(each, boundsOf(each.trial)), 0);
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

/** Of a billionth: what multiplying a declared price may err by. */
const ROUNDING = 1e-3;

/** A submit that is counted at its most is counted as the same number, in flight and after its end. */
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
