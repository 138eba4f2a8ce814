import { fewestThatHold, holdAlpha } from '../../../analysis/held-load.ts';
import { count, plural } from '../../../kit/wording.ts';
import { isMeasured, type Plan } from '../../../plan/plan.ts';
import { holdWords, moreTakes } from '../../../report/hold-statement.ts';
import type { Hold, Load } from '../../../suite/load.ts';
import { heldLimits, stepsOf } from '../../../suite/sweep.ts';

/** Takes of a queue depend on each other: so many times as many independent ones show in 98 of 100 runs what they can. */
const DEPENDENT = 2;

/**
 * What a load can show at best, and the repeats with which it will.
 * @returns no line where the suite asks nothing of its loads
 */
export function describeHold(
  hold: Hold | null,
  { load, repeats, variants }: { readonly load: Load; readonly repeats: number; readonly variants: number },
  plan: Plan,
): readonly string[] {
  const steps = stepsOf(load);
  if (hold === null || steps === null) return [];
  const alpha = holdAlpha(variants * steps.length, heldLimits(hold).length).holds;
  const needs = Math.max(...heldLimits(hold).map(({ share }) => fewestThatHold(0, share, alpha) ?? Infinity));
  const fewest = Math.min(...countedTakes(plan, load));
  const asked = DEPENDENT * needs;
  const asks = `Hold: ${holdWords(hold)} at each load; with all takes within it, a load needs ${count(needs)} independent takes, about ${count(asked)} of a queue`;
  if (fewest >= asked) return [`${asks}; ${plural(fewest, 'take')} or more count at each`];
  const more = Math.ceil((repeats * asked) / Math.max(1, fewest));
  const shown = fewest < needs ? 'no load can be shown to hold' : 'a load may stay undecided';
  return [`${asks}; ${plural(fewest, 'take')} count: ${shown}; ${moreTakes(load, more)}`];
}

/** For each variant and load, without the first takes of a group, which meet a load that is not full yet. */
function countedTakes({ slices }: Plan, { mode }: Load): readonly number[] {
  const takes = new Map<string, number>();
  for (const { trials } of slices) {
    const [first] = trials;
    if (first?.step === undefined || !isMeasured(first)) continue;
    const key = JSON.stringify([first.variant, first.step]);
    const filling = mode === 'closed' ? first.step : 0;
    takes.set(key, (takes.get(key) ?? 0) + Math.max(0, trials.length - filling));
  }
  return [...takes.values()];
}
