import { firstWhere } from '../samples/first-where.ts';
import { clopperPearsonLower, clopperPearsonUpper } from './clopper-pearson.ts';

/** The number of events of n that pass or fail a limit on their rate; between the two it is undecided. */
export interface EventLimits {
  /** Null if not even 0 events pass. */
  readonly mostThatPass: number | null;
  /** Null if not even n events fail. */
  readonly fewestThatFail: number | null;
}

/**
 * For a rate of at most `max`: events pass if their upper bound at `level` is at most `max`, and fail if their lower
 * bound is above it. 36 trials, at most 20 %, at 95 %: up to 2 events pass, from 12 they fail. Both null without
 * trials. For a rate of at least `min`, count the opposite with 1 - min.
 */
export function eventLimits(trials: number, max: number, level: number): EventLimits {
  if (!Number.isSafeInteger(trials) || trials < 0) throw new RangeError(`trials must be a whole number, not ${trials}`);
  if (!(max >= 0 && max <= 1)) throw new RangeError(`a limit of a rate lies between 0 and 1, not ${max}`);
  if (trials === 0) return { mostThatPass: null, fewestThatFail: null };
  const beyondPass = firstWhere(0, trials, (events) => clopperPearsonUpper(events, trials, level) > max);
  const failing = firstWhere(0, trials, (events) => clopperPearsonLower(events, trials, level) > max);
  return {
    mostThatPass: beyondPass === 0 ? null : beyondPass - 1,
    fewestThatFail: failing > trials ? null : failing,
  };
}
