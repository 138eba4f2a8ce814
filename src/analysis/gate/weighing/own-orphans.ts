import { beganMs } from '../../../record/codes.ts';
import { mayGoOn } from '../../../record/trial-histories.ts';
import type { EffectiveSample } from '../../effective-sample.ts';
import { isBent } from '../../samples/bent.ts';
import type { VariantSummary } from '../../summaries.ts';

/** Whether a flag affects a time of a take for a reason other than the candidate itself. */
export type IsBentFor = (take: EffectiveSample, candidate: string) => boolean;

/** An abandoned request may have been running beside the take. */
const ORPHANS = 'orphans';

/** Ignores flags caused only by abandoned requests of the candidate itself: its time-outs must not undecide it. */
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
