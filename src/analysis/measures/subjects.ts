import { caseSeedOf } from '../../plan/plan.ts';
import { baselineOf } from '../../record/comparable.ts';
import type { Run, RunPlan } from '../../record/run.ts';
import { promptsOf } from '../cells/cells.ts';
import type { EffectiveSample, TimedSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import type { CellLikeness } from '../likeness.ts';
import type { Subject } from '../metric.ts';
import { type LevelsByVariant, levelsOf } from '../pair-levels.ts';
import type { ProbeFindings } from '../probe.ts';
import type { VariantSummary } from '../summaries.ts';
import type { DependenceFinding } from './dependence.ts';

export interface Subjects {
  /** Over all prompts, then by step, then by prompt. */
  readonly ofVariant: (variant: VariantSummary) => readonly Subject[];
  /** `against`: the compared variant; null: the baseline variant. */
  readonly ofTakes: (variant: VariantSummary, keep: (take: TimedSample) => boolean, against?: string | null) => Subject;
}

export interface SubjectSource {
  readonly run: Run;
  readonly trials: readonly TimedSample[];
  readonly warmups: readonly EffectiveSample[];
  readonly dependences: readonly DependenceFinding[];
  readonly probes: readonly ProbeFindings[];
  readonly likeness: readonly CellLikeness[];
  readonly levelOf: LevelsByVariant;
  readonly samePixels: Subject['samePixels'];
}

export function subjectsOf(source: SubjectSource): Subjects {
  const { run, dependences, levelOf, samePixels } = source;
  const variantOf = ({ sample }: EffectiveSample) => sample.trial.variant;
  const trialsOf = groupBy(source.trials, variantOf);
  const warmupsOf = groupBy(source.warmups, variantOf);
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
    probes: source.probes.find((findings) => findings.variant === variant.name) ?? null,
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
      const trials = trialsOf.get(variant.name) ?? [];
      const byPrompt = groupBy(trials, ({ sample }) => sample.trial.prompt);
      const byStep = groupBy(trials, ({ sample }) => sample.trial.step ?? null);
      return [
        subjectOf(variant, trials),
        ...stepsOf(run.plan).map((step) => subjectOf(variant, byStep.get(step) ?? [], { step })),
        ...promptsOf(run, variant).map(({ id }) => subjectOf(variant, byPrompt.get(id) ?? [], { prompt: id })),
      ];
    },
    ofTakes: (variant, keep, against) => ({
      ...subjectOf(variant, (trialsOf.get(variant.name) ?? []).filter(keep), {}, against ?? undefined),
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

function stepsOf({ load }: RunPlan): readonly number[] {
  return load.mode === 'closed' ? [...(load.steps ?? [])].sort((a, b) => a - b) : [];
}
