import { groupBy } from '../../../kit/grouping.ts';
import { beganMs } from '../../../record/codes.ts';
import type { HistoryLine } from '../../../record/kept-run.ts';
import type { RunPlan } from '../../../record/run.ts';
import { mayGoOn } from '../../../record/trial-histories.ts';
import type { Load } from '../../../suite/load.ts';
import type { AnalysedRun } from '../../analyse.ts';
import type { EffectiveSample, TimedSample } from '../../effective-sample.ts';
import { pairTakes, type TakePair } from '../../effects/block-pair.ts';
import type { Subjects } from '../../measures/subjects.ts';
import type { Metric, Subject } from '../../metric.ts';
import type { RuleCase } from '../../rule-cases.ts';
import { isBent } from '../../samples/effective-outcome.ts';
import type { AgainstBaseline } from '../../stability.ts';
import type { VariantSummary } from '../../summaries.ts';

/** Whether a flag affects a time of a take for a reason other than the candidate itself. */
type IsBentFor = (take: EffectiveSample, candidate: string) => boolean;

/** An abandoned request may have been running beside the take. */
const ORPHANS = 'orphans';

/** Ignores flags caused only by abandoned requests of the candidate itself: its time-outs must not undecide it. */
function bentFor(
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

interface HistoryGrounds {
  readonly lines: readonly HistoryLine[];
  /** The run to decide; its own line and later ones do not count. */
  readonly run: string;
  readonly startedAt: string;
  readonly plan: RunPlan;
  readonly vantage: string | null;
}

export interface Grounds {
  readonly load: Load;
  readonly history: HistoryGrounds | null;
  readonly metrics: readonly Metric[];
  readonly takesOf: (variant: string) => readonly TimedSample[];
  readonly subjects: Subjects;
  readonly isBent: IsBentFor;
  readonly against: AgainstBaseline | null;
}

export function groundsOf(
  { analysis, samples, trials, subjects }: AnalysedRun,
  metrics: readonly Metric[],
  against: AgainstBaseline | null,
  lines: readonly HistoryLine[],
): Grounds {
  const { id, startedAt, plan, vantage = null } = analysis.run;
  const variantOf = ({ sample }: EffectiveSample) => sample.trial.variant;
  const takes = groupBy(trials, variantOf);
  return {
    load: plan.load,
    history: { lines, run: id, startedAt, plan, vantage },
    metrics,
    takesOf: (variant) => takes.get(variant) ?? [],
    subjects,
    isBent: bentFor(samples, analysis.variants),
    against,
  };
}

export type TakesKept = 'all' | 'unflagged';

export function pairsOf(
  { variant, baseline, prompts }: RuleCase,
  metric: Metric,
  grounds: Grounds,
  kept: TakesKept,
): readonly TakePair[] {
  if (baseline === null) throw new Error(`${variant.name} is compared with nothing`);
  const counts = ({ timed }: TimedSample) => metric.whenCached !== 'first_takes' || timed;
  const takesOf = (name: string) => grounds.takesOf(name).filter(counts);
  return pairTakes(takesOf(baseline.name), takesOf(variant.name), (take) => grounds.isBent(take, variant.name)).filter(
    ({ prompt, flagged }) => (prompts === null || prompts.has(prompt)) && (kept === 'all' || !flagged),
  );
}

export function takesOfCase({ variant, prompts }: RuleCase, grounds: Grounds, kept: TakesKept): readonly TimedSample[] {
  return grounds
    .takesOf(variant.name)
    .filter(
      (take) =>
        (prompts === null || prompts.has(take.sample.trial.prompt)) &&
        (kept === 'all' || !grounds.isBent(take, variant.name)),
    );
}

export function subjectOf({ variant, baseline, prompts }: RuleCase, grounds: Grounds, kept: TakesKept): Subject {
  return grounds.subjects.ofTakes(
    variant,
    (take) =>
      (prompts === null || prompts.has(take.sample.trial.prompt)) &&
      (kept === 'all' || !grounds.isBent(take, variant.name)),
    baseline?.name,
  );
}

/** Repeats from a cache say nothing of the model. */
export function isUntestable({ variant }: RuleCase, { whenCached }: Metric, { subjects }: Grounds): boolean {
  return whenCached === 'untestable' && subjects.ofTakes(variant, () => false).probes?.cache?.code === 'cached';
}
