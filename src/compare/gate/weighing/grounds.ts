import type { AnalysedRun } from '../../../analysis/analyse.ts';
import type { EffectiveSample, TimedSample } from '../../../analysis/effective-sample.ts';
import { groupBy } from '../../../analysis/grouping.ts';
import type { Metric, Subject } from '../../../analysis/measures/metric.ts';
import type { Subjects } from '../../../analysis/subjects.ts';
import type { HistoryLine } from '../../../record/model/history-line.ts';
import type { RunPlan } from '../../../record/model/run.ts';
import type { Load } from '../../../suite/format/load.ts';
import type { AgainstBaseline } from '../../baseline/against-baseline.ts';
import { type BlockPair, pairTakes, readBlocks } from '../../pairs/block-pair.ts';
import type { RuleCase } from '../rule-cases.ts';
import { bentFor, type IsBentFor } from './own-orphans.ts';

/** What a rule against earlier runs is weighed on. */
interface HistoryGrounds {
  readonly lines: readonly HistoryLine[];
  /** The run that is decided; lines of it and of later ones do not count. */
  readonly run: string;
  readonly startedAt: string;
  readonly plan: RunPlan;
}

/** What a rule is weighed on. */
export interface Grounds {
  readonly load: Load;
  /** Null where no rule is about earlier runs. */
  readonly history: HistoryGrounds | null;
  readonly metrics: readonly Metric[];
  /** Measured takes of a variant, in the order they were sent. */
  readonly takesOf: (variant: string) => readonly TimedSample[];
  readonly subjects: Subjects;
  readonly isBent: IsBentFor;
  /** The run beside its stored baseline; null where there is none. */
  readonly against: AgainstBaseline | null;
}

/** The grounds of a run as it was analysed, with the lines of earlier runs. */
export function groundsOf(
  { analysis, samples, trials, subjects }: AnalysedRun,
  metrics: readonly Metric[],
  against: AgainstBaseline | null,
  lines: readonly HistoryLine[],
): Grounds {
  const variantOf = ({ sample }: EffectiveSample) => sample.trial.variant;
  const takes = groupBy(trials, variantOf);
  return {
    load: analysis.run.plan.load,
    history: { lines, run: analysis.run.id, startedAt: analysis.run.startedAt, plan: analysis.run.plan },
    metrics,
    takesOf: (variant) => takes.get(variant) ?? [],
    subjects,
    isBent: bentFor(samples, analysis.variants),
    against,
  };
}

/** Which takes are weighed: all, or those that nothing may have bent. */
export type TakesKept = 'all' | 'unflagged';

/** The blocks of a case by what a metric reads from its takes. */
export function blocksOf<Value>(
  { variant, baseline, prompts }: RuleCase,
  metric: Metric,
  read: (take: EffectiveSample) => Value | null,
  grounds: Grounds,
  kept: TakesKept,
): readonly BlockPair<Value>[] {
  if (baseline === null) throw new Error(`${variant.name} is compared with nothing`);
  const counts = ({ timed }: TimedSample) => metric.whenCached !== 'first_takes' || timed;
  const takesOf = (name: string) => grounds.takesOf(name).filter(counts);
  const pairs = pairTakes(takesOf(baseline.name), takesOf(variant.name), (take) =>
    grounds.isBent(take, variant.name),
  ).filter(({ prompt, flagged }) => (prompts === null || prompts.has(prompt)) && (kept === 'all' || !flagged));
  return readBlocks(pairs, read);
}

/** The takes of a case's variant that count. */
export function takesOfCase({ variant, prompts }: RuleCase, grounds: Grounds, kept: TakesKept): readonly TimedSample[] {
  return grounds
    .takesOf(variant.name)
    .filter(
      (take) =>
        (prompts === null || prompts.has(take.sample.trial.prompt)) &&
        (kept === 'all' || !grounds.isBent(take, variant.name)),
    );
}

/** The subject that a metric measures: the case's variant, of the takes that count. */
export function subjectOf({ variant, prompts }: RuleCase, grounds: Grounds, kept: TakesKept): Subject {
  return grounds.subjects.ofTakes(
    variant,
    (take) =>
      (prompts === null || prompts.has(take.sample.trial.prompt)) &&
      (kept === 'all' || !grounds.isBent(take, variant.name)),
  );
}

/** Whether repeats of the variant come from a cache, so that what they are says nothing of the model. */
export function isUntestable({ variant }: RuleCase, { whenCached }: Metric, { subjects }: Grounds): boolean {
  return whenCached === 'untestable' && subjects.ofTakes(variant, () => false).probes?.cache?.code === 'cached';
}
