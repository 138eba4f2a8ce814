import { isMeasured } from '../plan/trial.ts';
import type { Run, RunPlan } from '../record/model/run.ts';
import { beganMs } from '../record/model/sample.ts';
import type { StoredRun } from '../record/model/stored-run.ts';
import {
  ANALYSIS_FORMAT,
  type Analysis,
  type EffectiveSample,
  type Measure,
  type TimedSample,
  type VariantSummary,
} from './analysis.ts';
import { cellsOf, promptsOf } from './cells/cells.ts';
import { findPairs, type LevelsByVariant, levelsOf } from './cells/pair-levels.ts';
import { compareCodeUnits } from './code-units.ts';
import { failureGroups } from './failure-groups.ts';
import { flaggedSummaries } from './flagged.ts';
import { groupBy } from './grouping.ts';
import { applyMetric, measuredMetrics } from './measures/apply-metric.ts';
import { type DependenceFinding, findDependences } from './measures/dependence.ts';
import type { Metric, Subject } from './measures/metric.ts';
import { type CachedScope, cachedScope, markTimed } from './probes/cached-scope.ts';
import { decideProbes } from './probes/decide-probes.ts';
import type { ProbeFindings } from './probes/probe-finding.ts';
import { summariseRun, summariseVariants } from './run-summary.ts';
import { effectiveOutcome, factsByDigest } from './samples/effective-outcome.ts';
import { warningsOf } from './warnings.ts';

/**
 * Everything the reports say, from the record alone: pure, and the same for the same record and metrics.
 *
 * @param record as `readRecord` gives it
 * @param metrics those to measure: `METRICS`, or some of them
 * @returns `analysis`, which is analysis.json, and all of the record's samples, warm-ups among them, as they count and in the order
 * they were sent; of a merged run in the order of the plan
 */
export function analyse(
  record: StoredRun,
  metrics: readonly Metric[],
): { readonly analysis: Analysis; readonly samples: readonly TimedSample[] } {
  const { run } = record;
  const effective = effectiveSamples(record);
  const variants = summariseVariants(
    record,
    effective.filter(({ sample }) => isMeasured(sample.trial)),
  );
  const pairs = findPairs(record.facts);
  const levelOf = new Map(variants.map((variant) => [variant.name, pairs.levels(variant.levels)]));
  const probes = decideProbes(run.plan, variants, effective, levelOf);
  const cached = cachedScope(variants, probes);
  const samples = markTimed(effective, cached);
  const trials = samples.filter(({ sample }) => isMeasured(sample.trial));
  const warmups = samples.filter(({ sample }) => sample.trial.phase === 'warmup');
  const summary = summariseRun(record, variants);
  const failures = failureGroups(
    variants.map(({ name }) => name),
    trials,
  );
  const flagged = flaggedSummaries(variants, trials, run.plan.load);
  const cells = cellsOf(run, trials, levelOf, pairs.differenceOf);
  const dependences = findDependences(variants, trials, run.plan.load);
  const measures = measuresOf(
    record,
    variants,
    { trials, dependences, warmups, probes, levelOf, samePixels: pairs.samePixels, cached },
    metrics,
  );
  const analysis: Analysis = {
    format: ANALYSIS_FORMAT,
    run: summary,
    variants,
    prompts: run.prompts,
    metrics: measuredMetrics(metrics, measures),
    measures,
    cells,
    failures,
    flagged,
    probes,
    warnings: warningsOf({
      run: summary,
      plan: run.plan,
      variants,
      leftOut: run.leftOut,
      noCancel: run.variants.filter(({ cancelsJobs }) => cancelsJobs === false).map(({ name }) => name),
      prompts: run.prompts,
      trials,
      warmups,
      cells,
      failures,
      flagged,
      probes,
      dependences,
      unanswered: unanswered(record),
    }),
  };
  return { analysis, samples: run.merged === null ? samples : samples.toSorted(bySlice) };
}

function isSharded({ merged }: Run): boolean {
  return merged !== null && merged.of > 1;
}

/** All samples as they count, in the order they were sent. */
function effectiveSamples({ run, samples, facts }: StoredRun): readonly EffectiveSample[] {
  const known = new Map(run.variants.map((variant) => [variant.name, variant]));
  const byDigest = factsByDigest(facts);
  return samples
    .map((sample) => {
      const variant = known.get(sample.trial.variant);
      return effectiveOutcome(sample, byDigest, variant?.price ?? null, variant?.sendsSeed);
    })
    .sort(bySending);
}

function unanswered({ intents, samples }: StoredRun): number {
  const sampled = new Set(samples.map(({ trial }) => trial.id));
  return intents.filter(({ trial }) => !sampled.has(trial.id)).length;
}

/** What measures are made from. */
interface Measured {
  readonly trials: readonly TimedSample[];
  readonly dependences: readonly DependenceFinding[];
  readonly warmups: readonly EffectiveSample[];
  readonly probes: readonly ProbeFindings[];
  readonly levelOf: LevelsByVariant;
  readonly samePixels: Subject['samePixels'];
  readonly cached: CachedScope;
}

/** By variant in the plan's order: over all prompts first, then step by step of a sweep, then prompt by prompt. */
function measuresOf(
  { run }: StoredRun,
  variants: readonly VariantSummary[],
  { trials, dependences, warmups, probes, levelOf, samePixels, cached }: Measured,
  metrics: readonly Metric[],
): Measure[] {
  const trialsOf = groupBy(trials, ({ sample }) => sample.trial.variant);
  const warmupsOf = groupBy(warmups, ({ sample }) => sample.trial.variant);
  const subjects = variants.flatMap((variant): Subject[] => {
    const own = trialsOf.get(variant.name) ?? [];
    const byPrompt = groupBy(own, ({ sample }) => sample.trial.prompt);
    const byStep = groupBy(own, ({ sample }) => sample.trial.step ?? null);
    const found = probes.find((each) => each.variant === variant.name) ?? null;
    const shared = {
      variant,
      plan: run.plan,
      isSharded: isSharded(run),
      probes: found,
      levelOf: levelsOf(levelOf, variant.name),
      samePixels,
    };
    const dependent = (step: number | null) =>
      dependences.find((each) => each.variant === variant.name && each.step === step)?.dependence ?? null;
    return [
      {
        ...shared,
        prompt: null,
        step: null,
        dependence: dependent(null),
        samples: own,
        warmups: warmupsOf.get(variant.name) ?? [],
      },
      ...stepsOf(run.plan).map((step) => ({
        ...shared,
        prompt: null,
        step,
        dependence: dependent(step),
        samples: byStep.get(step) ?? [],
        warmups: [],
      })),
      ...promptsOf(run, variant).map(({ id }) => ({
        ...shared,
        prompt: id,
        step: null,
        dependence: dependent(null),
        samples: byPrompt.get(id) ?? [],
        warmups: [],
      })),
    ];
  });
  return subjects.flatMap((subject) => metrics.flatMap((metric) => applyMetric(metric, subject, cached)));
}

/** Of a sweep, its steps in ascending order; none outside one. */
function stepsOf({ load }: RunPlan): readonly number[] {
  return load.mode === 'closed' ? [...(load.steps ?? [])].sort((a, b) => a - b) : [];
}

/** Clocks of different segments have different origins; requests sent at once are ordered by their trials. */
function bySending({ sample: a }: EffectiveSample, { sample: b }: EffectiveSample): number {
  return a.segment - b.segment || beganMs(a) - beganMs(b) || compareCodeUnits(a.trial.id, b.trial.id);
}

/** Slices in the order of the plan; within one, each shard's trials as it sent them. */
function bySlice(a: EffectiveSample, b: EffectiveSample): number {
  return a.sample.slice - b.sample.slice || bySending(a, b);
}
