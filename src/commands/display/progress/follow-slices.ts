import type { Slice } from '../../../plan/plan.ts';
import type { Trial } from '../../../plan/trial.ts';

/** Finds a trial's slice: the current one or a later one, because each is drained before the next begins. */
export function followSlices(slices: readonly Slice[]): (trial: Pick<Trial, 'id'>) => number {
  let now = 0;
  let ids: ReadonlySet<string> = new Set();
  return ({ id }) => {
    if (ids.has(id)) return now;
    const found = slices.findIndex(({ trials }, at) => at >= now && trials.some((trial) => trial.id === id));
    if (found >= 0) {
      now = found;
      ids = new Set(slices[found]?.trials.map((trial) => trial.id));
    }
    return now;
  };
}
