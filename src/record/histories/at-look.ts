import { trialsIn } from '../../plan/plan.ts';
import type { PlannedPart } from '../../plan/planned-looks.ts';
import type { StoredRun } from '../model/stored-run.ts';

/** A record as it was at a look at its gate: it holds what was planned and measured until then. */
export function recordAtLook(record: StoredRun, look: number): StoredRun {
  const parts = record.run.plan.looks?.parts.slice(0, look) ?? [];
  const last = parts.at(-1);
  if (last === undefined) throw new Error(`the plan has no look ${look}`);
  return {
    ...planned(record, parts),
    looks: record.looks.filter((each) => each.look < look),
    samples: record.samples.filter(({ slice }) => slice <= last.lastSlice),
  };
}

/**
 * A record whose plan is what was to be sent: of a run that was decided early without the parts that were not needed.
 */
export function asSent(record: StoredRun): StoredRun {
  const decided = record.looks.find((each) => each.decided);
  const parts = record.run.plan.looks?.parts ?? [];
  return decided === undefined ? record : planned(record, parts.slice(0, decided.look));
}

function planned(record: StoredRun, parts: readonly PlannedPart[]): StoredRun {
  const { run } = record;
  const { looks } = run.plan;
  if (looks === null) return record;
  return {
    ...record,
    run: {
      ...run,
      variants: run.variants.map((variant) => ({ ...variant, plannedTrials: trialsIn(parts, variant.name) })),
      plan: { ...run.plan, looks: { ...looks, parts } },
    },
  };
}
