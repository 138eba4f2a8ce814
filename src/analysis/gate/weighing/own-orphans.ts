import { beganMs } from '../../../record/codes.ts';
import { mayGoOn } from '../../../record/trial-histories.ts';
import { isBent } from '../../bent.ts';
import type { EffectiveSample } from '../../effective-sample.ts';
import type { VariantSummary } from '../../summaries.ts';

/** Whether something may have bent a time of a take that a candidate's doing does not explain. */
export type IsBentFor = (take: EffectiveSample, candidate: string) => boolean;

/** An abandoned request may still have been running beside the take. */
const ORPHANS = 'orphans';

/**
 * Flags as they count in a rule about a candidate. A take whose only flag is of the candidate's own abandoned requests
 * counts as unflagged: a variant that times out must not become undecided by that.
 *
 * @param samples all of a run, warm-ups and probes among them
 */
export function bentFor(
  samples: readonly EffectiveSample[],
  variants: readonly Pick<VariantSummary, 'name' | 'timeoutMs'>[],
): IsBentFor {
  const timeouts = new Map(variants.map(({ name, timeoutMs }) => [name, timeoutMs]));
  const orphans = samples.flatMap(({ sample }) =>
    sample.outcome !== 'dropped' && mayGoOn(sample)
      ? [{ ...sample, untilMs: sample.endedMs + (timeouts.get(sample.trial.variant) ?? Infinity) }]
      : [],
  );
  return (take, candidate) => {
    if (isBent({ flags: take.flags.filter((flag) => flag !== ORPHANS) })) return true;
    if (!take.flags.includes(ORPHANS)) return false;
    const { segment, endedMs } = take.sample;
    const beside = orphans.filter(
      (orphan) => orphan.segment === segment && orphan.endedMs <= endedMs && orphan.untilMs > beganMs(take.sample),
    );
    return beside.length === 0 || beside.some(({ trial }) => trial.variant !== candidate);
  };
}
