import type { Run, RunPlan } from '../../record/model/run.ts';
import type { VariantSummary } from '../analysis.ts';
import { promptsOf } from '../cells/cells.ts';
import { type LevelsByVariant, levelsOf } from '../cells/pair-levels.ts';
import type { EffectiveSample, TimedSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import type { ProbeFindings } from '../probes/probe-finding.ts';
import type { DependenceFinding } from './dependence.ts';
import type { Subject } from './metric.ts';

export interface Subjects {
  /** Over all prompts first, then step by step, then prompt by prompt. */
  readonly ofVariant: (variant: VariantSummary) => readonly Subject[];
  /** Over all prompts, of the takes that are kept; without warm-ups. */
  readonly ofTakes: (variant: VariantSummary, keep: (take: TimedSample) => boolean) => Subject;
}

export interface SubjectSource {
  readonly run: Run;
  readonly trials: readonly TimedSample[];
  readonly warmups: readonly EffectiveSample[];
  readonly dependences: readonly DependenceFinding[];
  readonly probes: readonly ProbeFindings[];
  readonly levelOf: LevelsByVariant;
  readonly samePixels: Subject['samePixels'];
}

export function subjectsOf(source: SubjectSource): Subjects {
  const { run, dependences, levelOf, samePixels } = source;
  const variantOf = ({ sample }: EffectiveSample) => sample.trial.variant;
  const trialsOf = groupBy(source.trials, variantOf);
  const warmupsOf = groupBy(source.warmups, variantOf);

  const subjectOf = (
    variant: VariantSummary,
    samples: readonly TimedSample[],
    { prompt = null, step = null }: { readonly prompt?: string | null; readonly step?: number | null } = {},
  ): Subject => ({
    variant,
    prompt,
    step,
    samples,
    warmups: prompt === null && step === null ? (warmupsOf.get(variant.name) ?? []) : [],
    dependence: dependences.find((each) => each.variant === variant.name && each.step === step)?.dependence ?? null,
    probes: source.probes.find((each) => each.variant === variant.name) ?? null,
    levelOf: levelsOf(levelOf, variant.name),
    samePixels,
    plan: run.plan,
    isSharded: run.merged !== null && run.merged.of > 1,
  });

  return {
    ofVariant: (variant) => {
      const own = trialsOf.get(variant.name) ?? [];
      const byPrompt = groupBy(own, ({ sample }) => sample.trial.prompt);
      const byStep = groupBy(own, ({ sample }) => sample.trial.step ?? null);
      return [
        subjectOf(variant, own),
        ...stepsOf(run.plan).map((step) => subjectOf(variant, byStep.get(step) ?? [], { step })),
        ...promptsOf(run, variant).map(({ id }) => subjectOf(variant, byPrompt.get(id) ?? [], { prompt: id })),
      ];
    },
    ofTakes: (variant, keep) => ({
      ...subjectOf(variant, (trialsOf.get(variant.name) ?? []).filter(keep)),
      warmups: [],
    }),
  };
}

function stepsOf({ load }: RunPlan): readonly number[] {
  return load.mode === 'closed' ? [...(load.steps ?? [])].sort((a, b) => a - b) : [];
}
