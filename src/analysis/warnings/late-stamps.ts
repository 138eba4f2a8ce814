import { clopperPearsonLower } from '../../statistics/rates/clopper-pearson.ts';
import { sum } from '../../statistics/samples/mean.ts';
import { groupBy } from '../grouping.ts';
import { LATE } from '../samples/bent.ts';
import type { LateVariant } from '../warning-codes/harness-warning.ts';
import type { Evidence, WarningRule } from './evidence.ts';

/** A share of late samples that bends no median worth a warning of its own. */
const TOLERATED = 0.05;

/**
 * One-sided, as the one that stops a run at `limits.failures`: a machine that is just fit is called unfit in one of a
 * thousand runs.
 */
const LATENESS_CONFIDENCE = 0.999;

/**
 * Variants whose latencies tell of the measuring machine as much as of the service. Their share of late samples is
 * significantly above 5 % (one-sided 99.9 %, Clopper-Pearson), alone or with the run as a whole; or their median
 * without flagged samples is another.
 */
export function lateVariants({ flagged, variants, trials }: LateEvidence): readonly LateVariant[] {
  const flaggedOf = groupBy(flagged, ({ variant }) => variant);
  const trialsOf = groupBy(trials, ({ sample }) => sample.trial.variant);
  const all = variants
    .map(({ name }) => lateVariant(name, flaggedOf.get(name) ?? [], trialsOf.get(name)?.length ?? 0))
    .filter(({ late }) => late > 0);
  const everything = { late: sum(all.map(({ late }) => late)), samples: trials.length };
  const wholeRun = isTooMany(everything);
  return all.filter(
    (each) => each.agree === false || isTooMany(each) || (wholeRun && each.late / each.samples > TOLERATED),
  );
}

interface LateEvidence {
  readonly flagged: Evidence['flagged'];
  readonly variants: readonly { readonly name: string }[];
  readonly trials: readonly { readonly sample: { readonly trial: { readonly variant: string } } }[];
}

/**
 * The numbers reflect this machine as much as the service: the first thing to say where p50 is not shown to be the same
 * without these samples.
 */
export const tooManyLateStamps: WarningRule = (evidence) => {
  const variants = lateVariants(evidence);
  if (variants.length === 0) return [];
  const { loopDelay, plan } = evidence.run;
  return [
    {
      code: 'too_many_late_stamps',
      ...(variants.every(({ agree }) => agree === true) ? {} : { unfit: true }),
      variants,
      ofVariants: evidence.variants.length,
      loopDelay: loopDelay === null ? null : { p99Ms: loopDelay.p99Ms, maxMs: loopDelay.maxMs },
      mode: plan.load.mode,
      concurrency: plan.load.concurrency,
    },
  ];
};

export const flagsDisagree: WarningRule = ({ flagged }) =>
  flagged
    .filter(({ agree }) => agree === false)
    .map(({ variant, step, withFlagged, withoutFlagged }) => ({
      code: 'flags_disagree',
      variant,
      step,
      withFlaggedMs: withFlagged.valueMs,
      withoutFlaggedMs: withoutFlagged.valueMs,
    }));

/** @param samples all that the variant has */
function lateVariant(variant: string, flagged: Evidence['flagged'], samples: number): LateVariant {
  const own = flagged.filter(({ flags }) => (flags[LATE] ?? 0) > 0);
  const answers = own.map(({ agree }) => agree);
  return {
    variant,
    late: sum(own.map(({ flags }) => flags[LATE] ?? 0)),
    samples,
    agree: answers.includes(false) ? false : answers.includes(null) ? null : true,
  };
}

function isTooMany({ late, samples }: Pick<LateVariant, 'late' | 'samples'>): boolean {
  return samples > 0 && clopperPearsonLower(late, samples, LATENESS_CONFIDENCE) > TOLERATED;
}
