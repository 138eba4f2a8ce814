import type { AnalysedRun } from '../../analysis/analyse.ts';
import type { ClaimState } from '../../analysis/claim-state.ts';
import type { Comparison } from '../../analysis/comparison.ts';
import { isFlagged } from '../../analysis/effective-outcome.ts';
import type { EffectiveSample, TimedSample } from '../../analysis/effective-sample.ts';
import type { Metric, Subject } from '../../analysis/metric.ts';
import { pairTakes, type TakePair, type UnitKind } from '../../analysis/pair-units.ts';
import type { AgainstBaseline } from '../../analysis/stability.ts';
import type { Subjects } from '../../analysis/subjects.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { compareCodeUnits } from '../../kit/grouping.ts';
import type { Unit } from '../../kit/value-words.ts';
import { beganMs } from '../../record/codes.ts';
import type { HistoryLine } from '../../record/kept-run.ts';
import type { RunPlan } from '../../record/run.ts';
import { mayGoOn } from '../../record/trial-histories.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import type { Load } from '../../suite/load.ts';
import { type AllowedRange, excess } from '../allowed-range.ts';
import type { RuleCase } from '../rule-case.ts';
import type { Decision, Detectable, InconclusiveCode, RuleNumbers, WorstPlace } from '../verdict.ts';

/** Whether a flag affects a time of a take for a reason other than the candidate itself. */
type IsFlaggedFor = (take: EffectiveSample, candidate: string) => boolean;

/** An abandoned request may have been running beside the take. */
const ORPHANS = 'orphans';

/** Ignores flags caused only by abandoned requests of the candidate itself: its time-outs must not undecide it. */
function flaggedFor(
  samples: readonly EffectiveSample[],
  variants: readonly Pick<VariantSummary, 'name' | 'timeoutMs'>[],
): IsFlaggedFor {
  const timeouts = new Map(variants.map(({ name, timeoutMs }) => [name, timeoutMs]));
  const orphans = samples.flatMap(({ sample }) =>
    sample.outcome !== 'dropped' && mayGoOn(sample)
      ? [{ ...sample, untilMs: sample.endedMs + (timeouts.get(sample.trial.variant) ?? Infinity) }]
      : [],
  );
  return (take, candidate) => {
    if (isFlagged({ flags: take.flags.filter((flag) => flag !== ORPHANS) })) return true;
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
  readonly isFlagged: IsFlaggedFor;
  readonly against: AgainstBaseline | null;
  readonly claims: readonly ClaimState[];
}

export function groundsOf(
  { analysis, samples, takes, subjects }: AnalysedRun,
  metrics: readonly Metric[],
  against: AgainstBaseline | null,
  lines: readonly HistoryLine[],
): Grounds {
  const { id, startedAt, plan, vantage = null } = analysis.run;
  return {
    load: plan.load,
    history: { lines, run: id, startedAt, plan, vantage },
    metrics,
    takesOf: takes.ofVariant,
    subjects,
    isFlagged: flaggedFor(samples, analysis.variants),
    against,
    claims: analysis.claims ?? [],
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
  return pairTakes(takesOf(baseline.name), takesOf(variant.name), (take) =>
    grounds.isFlagged(take, variant.name),
  ).filter(({ prompt, flagged }) => (prompts === null || prompts.has(prompt)) && (kept === 'all' || !flagged));
}

export function takesOfCase({ variant, prompts }: RuleCase, grounds: Grounds, kept: TakesKept): readonly TimedSample[] {
  return grounds
    .takesOf(variant.name)
    .filter(
      (take) =>
        (prompts === null || prompts.has(take.sample.trial.prompt)) &&
        (kept === 'all' || !grounds.isFlagged(take, variant.name)),
    );
}

export function subjectOf({ variant, baseline, prompts }: RuleCase, grounds: Grounds, kept: TakesKept): Subject {
  return grounds.subjects.ofTakes(
    variant,
    (take) =>
      (prompts === null || prompts.has(take.sample.trial.prompt)) &&
      (kept === 'all' || !grounds.isFlagged(take, variant.name)),
    baseline?.name,
  );
}

/** Repeats from a cache say nothing of the model. */
export function isUntestable({ variant }: RuleCase, { whenCached }: Metric, { subjects }: Grounds): boolean {
  return whenCached === 'untestable' && subjects.ofTakes(variant, () => false).cached === 'own';
}

export interface WeighedCase {
  readonly p: number | null;
  readonly decide: (pAdjusted: number | null) => Decision;
  readonly effect: 'ratio' | 'difference' | 'value';
  readonly unit: Unit;
  readonly estimate: number | null;
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  readonly upperBound: number | null;
  /** Null for a counted value. */
  readonly boundLevel: number | null;
  readonly n: number;
  /** Takes that a bound needs; null if there are enough. */
  readonly needs: number | null;
  readonly units: UnitKind | 'takes' | 'blocks' | 'runs';
  readonly missingPairs: number;
  /** The smallest effect that these units show in 4 of 5 runs at a test's error rate; null without a comparison. */
  readonly detectableAt: (alpha: number) => Detectable | null;
  /** Prompts that changed most, or exceed the bound alone; null where comparisons show it. */
  readonly worst: readonly WorstPlace[] | null;
  /** Of a claim. */
  readonly evidence?: RuleNumbers['evidence'];
  /** Of a rule against earlier runs. */
  readonly lastRun?: RuleNumbers['lastRun'];
}

export const UNTESTED = {
  p: null,
  ciLow: null,
  ciHigh: null,
  boundLevel: CONFIDENCE,
  needs: null,
  units: 'takes',
  missingPairs: 0,
  detectableAt: () => null,
  worst: null,
} as const;

export function undecidedCase(code: InconclusiveCode, units: WeighedCase['units'] = 'takes'): WeighedCase {
  return {
    ...UNTESTED,
    decide: () => ({ verdict: 'inconclusive', code }),
    effect: 'value',
    unit: '1',
    estimate: null,
    upperBound: null,
    n: 0,
    units,
    worst: [],
  };
}

const MOST_PLACES = 3;

/** The comparisons of a case's variants by its metric, over all takes and by place. */
export function comparisonsOf(
  { rule, variant, baseline }: RuleCase,
  statistic: string,
  comparisons: readonly Comparison[],
): readonly Comparison[] {
  return comparisons.filter(
    (comparison) =>
      comparison.variant === variant.name &&
      comparison.baseline === baseline?.name &&
      comparison.metric === rule.metric &&
      comparison.statistic === statistic,
  );
}

/** Prompts and tags that changed for the worse. `allows`: by the rule. `ofCase`: from `comparisonsOf`. */
export function worstPlaces(
  { prompts }: RuleCase,
  { high }: AllowedRange,
  ofCase: readonly Comparison[],
): readonly WorstPlace[] {
  const places = ofCase.flatMap(({ scope, value, effect }) => {
    if (value === null || (scope.of !== 'prompt' && scope.of !== 'tag')) return [];
    if (scope.of === 'prompt' && prompts !== null && !prompts.has(scope.id)) return [];
    const change = effect === 'ratio' ? value - 1 : value;
    const place: WorstPlace = scope.of === 'prompt' ? { prompt: scope.id, value } : { tag: scope.tag, value };
    return [{ place, worse: high === Infinity ? -change : change }];
  });
  return worstOf(places);
}

/** Prompts beyond what a rule allows; `valueIn` is null without a value. */
export function worstPrompts(
  ruleCase: RuleCase,
  grounds: Grounds,
  kept: TakesKept,
  valueIn: (ofPrompt: RuleCase) => number | null,
  allows: AllowedRange,
): readonly WorstPlace[] {
  const prompts = new Set(takesOfCase(ruleCase, grounds, kept).map(({ sample }) => sample.trial.prompt));
  const places = [...prompts].flatMap((prompt) => {
    const value = valueIn({ ...ruleCase, prompts: new Set([prompt]) });
    return value === null ? [] : [{ place: { prompt, value }, worse: excess(allows, value) }];
  });
  return worstOf(places);
}

/** The worst places, first the worst; none that is not worse than it may be. */
export function worstOf(
  places: readonly { readonly place: WorstPlace; readonly worse: number }[],
): readonly WorstPlace[] {
  const nameOf = (place: WorstPlace) => ('prompt' in place ? place.prompt : place.tag);
  return places
    .filter(({ worse }) => worse > 0)
    .sort((a, b) => b.worse - a.worse || compareCodeUnits(nameOf(a.place), nameOf(b.place)))
    .slice(0, MOST_PLACES)
    .map(({ place }) => place);
}
