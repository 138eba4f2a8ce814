import type { Pace, Plan, Slice } from './plan.ts';
import type { Trial } from './trial.ts';

/**
 * A plan without the trials that are not to be sent, in the same order and with the same numbers. Empty slices are left
 * out. Under open load the first remaining trial of a slice is due at once. Digest and parts stay.
 */
export function remainderOf(plan: Plan, isLeft: (trial: Trial) => boolean): Plan {
  const left = plan.slices.flatMap((slice): readonly Slice[] => {
    const kept = slice.trials.map(isLeft);
    const trials = slice.trials.filter((_, at) => kept[at]);
    return trials.length === 0 ? [] : [{ ...slice, trials, pace: paceOf(slice.pace, kept) }];
  });
  return { ...plan, slices: left, requests: left.reduce((sum, { trials }) => sum + trials.length, 0) };
}

function paceOf(pace: Pace, kept: readonly boolean[]): Pace {
  if (pace.mode === 'closed') return pace;
  const startsMs = pace.startsMs.filter((_, at) => kept[at]);
  const [first = 0] = startsMs;
  return { ...pace, startsMs: startsMs.map((startMs) => startMs - first) };
}
