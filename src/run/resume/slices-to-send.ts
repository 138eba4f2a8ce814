import type { Plan, Slice } from '../../plan/plan.ts';
import { remainderOf } from '../../plan/remainder.ts';
import type { Load } from '../../suite/format/load.ts';
import { isLeft, type Resumption } from './resumption.ts';

/** A resumed run begins with open jobs, because they are in flight at the service, then sends the rest. */
export function slicesToSend(
  plan: Plan,
  { concurrency }: Pick<Load, 'concurrency'>,
  resumption: Resumption | null,
): readonly Slice[] {
  if (resumption === null) return plan.slices;
  const { jobs } = resumption;
  const open = remainderOf(plan, ({ id }) => jobs.has(id)).slices;
  const left = remainderOf(plan, (trial) => isLeft(resumption, trial)).slices;
  return [...open.map((slice): Slice => ({ ...slice, pace: { mode: 'closed', concurrency } })), ...left];
}
