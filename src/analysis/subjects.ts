import { groupBy } from '../kit/grouping.ts';
import { caseSeedOf } from '../plan/plan.ts';
import { baselineOf } from '../record/compared-variants.ts';
import type { Run } from '../record/run.ts';
import { CONFIDENCE } from '../statistics/quantile.ts';
import { sweepSteps } from '../suite/sweep.ts';
import { promptsOf } from './cells/cells.ts';
import type { DependenceFinding } from './dependence.ts';
import type { EffectiveSample, TimedSample } from './effective-sample.ts';
import type { Finding, Metric, Subject } from './metric.ts';
import { noted } from './note.ts';
import type { CellLikeness } from './output-summaries.ts';
import { type LevelsByVariant, levelsOf } from './pair-levels.ts';
import type { CachedScope } from './probes.ts';
import type { Measure, MeasuredMetric, VariantSummary } from './summaries.ts';
import type { TakeIndex } from './take-index.ts';

export interface Subjects {
  /** Over all prompts, then by step, then by prompt. */
  readonly ofVariant: (variant: VariantSummary) => readonly Subject[];
  /** `against`: the compared variant; null: the baseline variant. */
  readonly ofTakes: (variant: VariantSummary, keep: (take: TimedSample) => boolean, against?: string | null) => Subject;
}

interface SubjectSource {
  readonly run: Run;
  readonly takes: TakeIndex;
  readonly warmups: readonly EffectiveSample[];
  readonly dependences: readonly DependenceFinding[];
  readonly cached: CachedScope;
  readonly likeness: readonly CellLikeness[];
  readonly levelOf: LevelsByVariant;
  readonly samePixels: Subject['samePixels'];
}

export function subjectsOf(source: SubjectSource): Subjects {
  const { run, takes, dependences, cached, levelOf, samePixels } = source;
  const warmupsOf = groupBy(source.warmups, ({ sample }) => sample.trial.variant);
  const likeness = likenessByPair(source.likeness);

  const subjectOf = (
    variant: VariantSummary,
    samples: readonly TimedSample[],
    { prompt = null, step = null }: { readonly prompt?: string | null; readonly step?: number | null } = {},
    against = baselineOf(variant, run.variants)?.name,
  ): Subject => ({
    variant,
    prompt,
    step,
    samples,
    warmups: prompt === null && step === null ? (warmupsOf.get(variant.name) ?? []) : [],
    dependence: dependences.find((entry) => entry.variant === variant.name && entry.step === step)?.dependence ?? null,
    cached: cached.variants.has(variant.name) ? 'own' : cached.kinds.has(variant.kind) ? 'of_kind' : null,
    likeness:
      prompt === null && step === null
        ? likenessOf(samples, likeness.get(JSON.stringify([variant.name, against])))
        : [],
    levelOf: levelsOf(levelOf, variant.name),
    samePixels,
    plan: run.plan,
    isSharded: run.merged !== null && run.merged.of > 1,
  });

  return {
    ofVariant: (variant) => {
      const ofVariant = takes.ofVariant(variant.name);
      const byPrompt = groupBy(ofVariant, ({ sample }) => sample.trial.prompt);
      const byStep = new Map(takes.bySteps(variant.name));
      return [
        subjectOf(variant, ofVariant),
        ...(sweepSteps(run.plan.load) ?? []).map((step) => subjectOf(variant, byStep.get(step) ?? [], { step })),
        ...promptsOf(run, variant).map(({ id }) => subjectOf(variant, byPrompt.get(id) ?? [], { prompt: id })),
      ];
    },
    ofTakes: (variant, keep, against) => ({
      ...subjectOf(variant, takes.ofVariant(variant.name).filter(keep), {}, against ?? undefined),
      warmups: [],
    }),
  };
}

function likenessByPair(likeness: readonly CellLikeness[]): ReadonlyMap<string, ReadonlyMap<string, CellLikeness>> {
  const pairs = groupBy(likeness, ({ variant, baseline }) => JSON.stringify([variant, baseline]));
  return new Map([...pairs].map(([key, cells]) => [key, new Map(cells.map((cell) => [caseSeedOf(cell), cell]))]));
}

function likenessOf(
  takes: readonly TimedSample[],
  likeness: ReadonlyMap<string, CellLikeness> | undefined,
): readonly CellLikeness[] {
  if (likeness === undefined) return [];
  const taken = new Set(takes.map(({ sample }) => caseSeedOf(sample.trial)));
  return [...taken].flatMap((key) => likeness.get(key) ?? []);
}

function readCached(
  finding: Finding,
  { whenCached }: Pick<Metric, 'whenCached'>,
  { cached }: Pick<Subject, 'cached'>,
): Finding {
  switch (whenCached) {
    case 'untestable':
      if (cached !== 'own') return finding;
      return { ...finding, value: null, n: 0, interval: null, notes: [noted('not_testable'), noted('cached')] };
    case 'first_takes':
      return cached === null ? finding : { ...finding, notes: [...finding.notes, noted('first_takes')] };
    case 'with_repeats':
      return cached === 'own' ? { ...finding, notes: [...finding.notes, noted('cached_repeats')] } : finding;
    case 'as_is':
      return finding;
  }
}

export function applyMetric(metric: Metric, subject: Subject): readonly Measure[] {
  const { variant, prompt, step } = subject;
  return metric.measure(subject).map((finding): Measure => {
    const { statistic, value, n, interval, level = CONFIDENCE, method, notes } = readCached(finding, metric, subject);
    const { unit, better } = { unit: metric.unit, better: metric.better, ...metric.statistics?.[statistic] };
    return {
      variant: variant.name,
      kind: variant.kind,
      prompt,
      step,
      metric: metric.name,
      statistic,
      value,
      unit,
      better,
      n,
      ciLow: interval?.low ?? null,
      ciHigh: interval?.high ?? null,
      ciLevel: interval === null ? null : level,
      method,
      notes,
    };
  });
}

export function measuredMetrics(metrics: readonly Metric[], measures: readonly Measure[]): readonly MeasuredMetric[] {
  const measured = new Set(measures.map(({ metric }) => metric));
  return metrics
    .filter(({ name }) => measured.has(name))
    .map(({ name, meaning, label, unit, better }) => {
      return { name, meaning, ...(label === undefined ? {} : { label }), unit, better };
    });
}
