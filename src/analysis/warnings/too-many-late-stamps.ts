import { z } from 'zod';
import { milliseconds, type Recorded, variantName, count as wholeNumber } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { variantNames } from '../../kit/names.ts';
import { count, duration, listed, listedInShort, MOST_WHOLE, oneOf, plural, share } from '../../kit/wording.ts';
import { sum } from '../../statistics/mean.ts';
import { clopperPearsonLower } from '../../statistics/rate-interval.ts';
import type { Load } from '../../suite/load.ts';
import { LATE } from '../effective-sample.ts';
import { type Evidence, loadMode, warning } from './warning.ts';

const lateVariantSchema = z.strictObject({
  variant: variantName,
  late: wholeNumber.describe('Samples that were stamped late.'),
  samples: wholeNumber.describe('Its samples.'),
  agree: z.boolean().nullable().describe('Whether p50 is the same without late samples; null if that cannot be told.'),
});
export type LateVariant = Recorded<typeof lateVariantSchema>;

/** The numbers reflect this machine as much as the service; the first warning if p50 is not shown to be unaffected. */
export const tooManyLateStamps = warning({
  code: 'too_many_late_stamps',
  meaning: 'This machine was late in stamping so many samples that their tails are not fit for use.',
  fields: {
    variants: z.array(lateVariantSchema).describe('The variants with late samples.'),
    ofVariants: wholeNumber.describe('Variants of the run.'),
    loopDelay: z
      .strictObject({
        p99Ms: milliseconds.describe('The 99th percentile.'),
        maxMs: milliseconds.describe('The largest.'),
      })
      .nullable()
      .describe('How late the event loop of the thread that stamps ran; null where it was not watched.'),
    mode: loadMode,
    concurrency: wholeNumber.describe('The most in flight.'),
  },
  find: (evidence) => {
    const variants = lateVariants(evidence);
    if (variants.length === 0) return [];
    const { loopDelay, plan } = evidence.run;
    return [
      {
        ...(variants.every(({ agree }) => agree === true) ? {} : { unfit: 'latencies' as const }),
        variants,
        ofVariants: evidence.variants.length,
        loopDelay: loopDelay === null ? null : { p99Ms: loopDelay.p99Ms, maxMs: loopDelay.maxMs },
        mode: plan.load.mode,
        concurrency: plan.load.concurrency,
      },
    ];
  },
  words: ({ variants, ofVariants, loopDelay, mode, concurrency }) => {
    const delay = loopDelay === null ? '' : ` (up to ${duration(loopDelay.maxMs)}, p99 ${duration(loopDelay.p99Ms)})`;
    const isVoid = variants.filter(({ agree }) => agree !== true).map(({ variant }) => variant);
    return {
      what: `this machine could not keep up: ${voidWords(isVoid, ofVariants)}`,
      cause: `${lateWords(variants, ofVariants)}, because the thread that takes timestamps had to wait${delay}; the numbers reflect this machine as well as the service${agreementWords(variants)}`,
      remedy: quieterWords(mode, concurrency),
    };
  },
  example: {
    variants: [{ variant: 'standard', late: 20, samples: 100, agree: true }],
    ofVariants: 1,
    loopDelay: { p99Ms: 48, maxMs: 310 },
    mode: 'closed',
    concurrency: 4,
  },
});

/** A smaller share of late samples affects no median noticeably. */
const TOLERATED = 0.05;

/** One-sided, as in `limits.failures`: a machine that is just fit is called unfit in one of a thousand runs. */
const LATENESS_CONFIDENCE = 0.999;

interface LateEvidence extends Pick<Evidence, 'flagged'> {
  readonly variants: readonly { readonly name: string }[];
  readonly trials: readonly { readonly sample: { readonly trial: { readonly variant: string } } }[];
}

/** Their share of late samples is significantly above 5 % (Clopper-Pearson), or flags change their median. */
export function lateVariants({ flagged, variants, trials }: LateEvidence): readonly LateVariant[] {
  const flaggedOf = groupBy(flagged, ({ variant }) => variant);
  const trialsOf = groupBy(trials, ({ sample }) => sample.trial.variant);
  const all = variants
    .map(({ name }) => lateVariant(name, flaggedOf.get(name) ?? [], trialsOf.get(name)?.length ?? 0))
    .filter(({ late }) => late > 0);
  const wholeRun = isTooMany({ late: sum(all.map(({ late }) => late)), samples: trials.length });
  return all.filter(
    (summary) =>
      summary.agree === false || isTooMany(summary) || (wholeRun && summary.late / summary.samples > TOLERATED),
  );
}

function lateVariant(variant: string, flagged: Evidence['flagged'], samples: number): LateVariant {
  const late = flagged.filter(({ flags }) => (flags[LATE] ?? 0) > 0);
  const answers = late.map(({ agree }) => agree);
  return {
    variant,
    late: sum(late.map(({ flags }) => flags[LATE] ?? 0)),
    samples,
    agree: answers.includes(false) ? false : answers.includes(null) ? null : true,
  };
}

function isTooMany({ late, samples }: Pick<LateVariant, 'late' | 'samples'>): boolean {
  return samples > 0 && clopperPearsonLower(late, samples, LATENESS_CONFIDENCE) > TOLERATED;
}

/** What not to use: tails always, p50 unless it is the same without late takes. */
function voidWords(isVoid: readonly string[], ofVariants: number): string {
  if (isVoid.length === 0) return 'do not rely on p95 and small differences';
  if (isVoid.length === ofVariants) return 'do not use these latencies';
  const who =
    isVoid.length > MOST_WHOLE ? `${count(isVoid.length)} of ${plural(ofVariants, 'variant')}` : listed(isVoid);
  return `do not use the latencies of ${who}`;
}

function lateWords(variants: readonly LateVariant[], ofVariants: number): string {
  const spelled = ({ variant, late, samples }: LateVariant) =>
    `${count(late)} of ${plural(samples, 'take')} of ${variant} (${share(late / samples)})`;
  const [worst] = variants.toSorted((a, b) => b.late / b.samples - a.late / a.samples);
  if (variants.length <= MOST_WHOLE || worst === undefined)
    return `${listed(variants.map(spelled))} were timestamped late`;
  const who = variants.map(({ variant }) => variant);
  return `takes of ${variantNames(who, ofVariants)} were timestamped late, worst ${worst.variant} (${count(worst.late)} of ${count(worst.samples)})`;
}

/** Whether p50 agrees without late takes; omitted if too few takes are left. */
function agreementWords(variants: readonly LateVariant[]): string {
  const agreeing = variants.filter(({ agree }) => agree === true);
  if (agreeing.length === variants.length) return '; p50 with and without these takes agree';
  const parts = [
    ...(variants.some(({ agree }) => agree === false) ? ['p50 with and without these takes do not agree'] : []),
    ...(agreeing.length === 0 ? [] : [`p50 of ${listedInShort(agreeing.map(({ variant }) => variant))} agrees`]),
  ];
  return parts.map((part) => `; ${part}`).join('');
}

function quieterWords(mode: Load['mode'], concurrency: number): string {
  const load = mode === 'open' ? ['lower load.rate'] : concurrency > 1 ? ['lower load.concurrency'] : [];
  return oneOf(['run nothing else on this machine', ...load, 'use a faster machine']);
}
