import { compareCodeUnits } from '../kit/grouping.ts';
import { isMeasured } from '../plan/plan.ts';
import { beganMs } from '../record/codes.ts';
import type { Sample } from '../record/journal.ts';
import type { StoredRun } from '../record/kept-run.ts';
import { factsByDigest } from '../record/output-pairs.ts';
import { isUnanswered, priceOf } from '../record/trial-histories.ts';
import { SCORE_PREFIX } from '../suite/score-label.ts';
import type { Analysis } from './analysis.ts';
import { cellsOf, likenessesOf } from './cells/cells.ts';
import { claimStates } from './claims.ts';
import { findDependences } from './dependence.ts';
import { effectiveOutcome } from './effective-outcome.ts';
import type { EffectiveSample, TimedSample } from './effective-sample.ts';
import type { Metric } from './metric.ts';
import { findPairs, type LevelsByVariant } from './pair-levels.ts';
import { cachedScope, decideProbes, markTimed, unusedSeeds } from './probes.ts';
import { withEdits } from './samples/edits.ts';
import {
  failureGroups,
  flaggedSummaries,
  spendByVariant,
  summariseRun,
  summariseVariants,
} from './samples/summaries-of-samples.ts';
import { agreementWithVotes, summariseVotes } from './scores/agreement.ts';
import { judgingsOf, summariseJudges } from './scores/judging.ts';
import { scoringsOf, summariseScorers } from './scores/scoring.ts';
import { applyMetric, measuredMetrics, type Subjects, subjectsOf } from './subjects.ts';
import { indexTakes, type TakeIndex } from './take-index.ts';
import { warningsOf } from './warnings.ts';

export interface AnalysedRun {
  readonly analysis: Analysis;
  /** All samples of the record, warm-ups included, in sending order; of a merged run in plan order. */
  readonly samples: readonly TimedSample[];
  /** The measured takes. */
  readonly takes: TakeIndex;
  readonly subjects: Subjects;
  /** Levels between outputs of one variant, and to those of a stored baseline where they were compared. */
  readonly levelOf: LevelsByVariant;
}

/** What reports say, from the record alone. `metrics`: `METRICS`, or some of them. */
export function analyse(record: StoredRun, metrics: readonly Metric[]): AnalysedRun {
  const { run } = record;
  const delivered = effectiveSamples(record, record.samples);
  const variants = summariseVariants(
    record,
    delivered.filter(({ sample }) => isMeasured(sample.trial)),
    spendByVariant(record, delivered, effectiveSamples(record, record.replaced)),
  );
  const pairs = findPairs(record.facts);
  const levelOf = new Map(variants.map((variant) => [variant.name, pairs.levels(variant.levels)]));
  const effective = withEdits(delivered, record, levelOf);
  const probes = decideProbes(run.plan, variants, effective, levelOf);
  const cached = cachedScope(variants, probes);
  const samples = markTimed(effective, cached);
  const takes = indexTakes(samples.filter(({ sample }) => isMeasured(sample.trial)));
  const warmups = samples.filter(({ sample }) => sample.trial.phase === 'warmup');
  const summary = summariseRun(record, variants);
  const failures = failureGroups(
    variants.map(({ name }) => name),
    takes.all,
  );
  const flagged = flaggedSummaries(variants, takes, run.plan.load);
  const cells = cellsOf(run, takes, levelOf, pairs.differenceOf);
  const facts = factsByDigest(record.facts);
  const likeness = likenessesOf({
    variants,
    cells,
    levelOf,
    pairs,
    sharpnessOf: (sha256) => {
      const fact = facts.get(sha256);
      return fact?.decodes === true ? fact.shown.first.sharpness : null;
    },
    seedUnused: unusedSeeds(variants, probes),
  });
  const scorings = scoringsOf(run.scorers ?? [], record.scores);
  const judgings = judgingsOf(record);
  const scorers = [...summariseJudges(judgings, run), ...summariseScorers(scorings, variants, takes)];
  const votes = summariseVotes(record);
  const agreement = agreementWithVotes(
    record.votes,
    record.facts,
    judgings.map(({ scorer, preferences }) => ({ metric: `${SCORE_PREFIX}${scorer.name}`, preferences })),
  );
  const dependences = findDependences(variants, takes, run.plan.load);
  const subjects = subjectsOf({
    run,
    takes,
    warmups,
    dependences,
    cached,
    likeness,
    levelOf,
    samePixels: pairs.samePixels,
  });
  const measures = variants.flatMap((variant) =>
    subjects.ofVariant(variant).flatMap((subject) => metrics.flatMap((metric) => applyMetric(metric, subject))),
  );
  const claims = run.shard === null ? claimStates(record) : [];
  const analysis: Analysis = {
    format: 1,
    run: summary,
    variants,
    prompts: run.prompts,
    metrics: measuredMetrics(metrics, measures),
    measures,
    cells,
    likeness,
    ...(scorers.length === 0 ? {} : { scorers }),
    ...(votes === null ? {} : { votes }),
    ...(agreement === null ? {} : { agreement }),
    ...(claims.length === 0 ? {} : { claims }),
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
      trials: takes.all,
      trialsOf: takes.ofVariant,
      bySteps: takes.bySteps,
      warmups,
      cells,
      uncompared: record.facts.flatMap((fact) => (fact.fact === 'pair' && !fact.compared ? [fact] : [])),
      failures,
      flagged,
      probes,
      dependences,
      unanswered: record.samples.filter(isUnanswered).length,
    }),
  };
  return { analysis, samples: run.merged === null ? samples : samples.toSorted(bySlice), takes, subjects, levelOf };
}

function effectiveSamples(
  { run, facts, intents }: Pick<StoredRun, 'run' | 'facts' | 'intents'>,
  samples: readonly Sample[],
): readonly EffectiveSample[] {
  const known = new Map(run.variants.map((variant) => [variant.name, variant]));
  const byDigest = factsByDigest(facts);
  const mostUsdOf = new Map(intents.map(({ trial, mostUsd }) => [trial.id, mostUsd ?? null]));
  return samples
    .map((sample) => {
      const variant = known.get(sample.trial.variant);
      const price = variant === undefined ? null : priceOf(variant);
      const mostUsd = mostUsdOf.get(sample.trial.id) ?? null;
      return effectiveOutcome(sample, byDigest, variant?.price ?? null, variant?.sendsSeed, { price, mostUsd });
    })
    .sort(bySending);
}

/** Clocks of segments have different origins. Trial ids order requests sent at the same time. */
function bySending({ sample: a }: EffectiveSample, { sample: b }: EffectiveSample): number {
  return a.segment - b.segment || beganMs(a) - beganMs(b) || compareCodeUnits(a.trial.id, b.trial.id);
}

/** Slices in plan order; within a slice, the trials of each shard in sending order. */
function bySlice(a: EffectiveSample, b: EffectiveSample): number {
  return a.sample.slice - b.sample.slice || bySending(a, b);
}
