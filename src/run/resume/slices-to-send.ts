import type { Plan, Slice } from '../../plan/plan.ts';
import { remainderOf } from '../../plan/remainder.ts';
import type { Load } from '../../suite/format/load.ts';
import { isLeft, type Resumption } from './resumption.ts';

/**
 * The slices of a plan that a process sends: all of them where the run begins; else the jobs that go on first, as they are
 * in flight at the service already, then what is left.
 */
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
