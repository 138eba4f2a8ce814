import { compareCodeUnits, groupBy } from '../../kit/grouping.ts';
import { missingShards } from '../../plan/share.ts';
import { behindTwins } from '../../record/compared-variants.ts';
import type { LoopDelay, Sample, Stop } from '../../record/journal.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import type { Spend } from '../../record/run.ts';
import { addSpend, NO_SPEND } from '../../record/trial-histories.ts';
import { sum } from '../../statistics/mean.ts';
import type { Load } from '../../suite/load.ts';
import { isFlagged } from '../effective-outcome.ts';
import { EFFECTIVE_OUTCOMES, type EffectiveOutcome, type EffectiveSample } from '../effective-sample.ts';
import { medianLatency } from '../medians.ts';
import { spanMs } from '../sample-times.ts';
import type {
  FailureGroup,
  FlaggedSummary,
  MedianLatency,
  RunSummary,
  ShardsSummary,
  VariantSummary,
} from '../summaries.ts';
import type { TakeIndex } from '../take-index.ts';

/** Failed trials by variant, outcome, code and HTTP status, the largest group first; the first is its example. */
export function failureGroups(variants: readonly string[], trials: readonly EffectiveSample[]): FailureGroup[] {
  const failed = trials.filter(({ outcome }) => outcome !== 'ok' && outcome !== 'dropped');
  const keyOf = ({ sample, outcome, error }: EffectiveSample) =>
    JSON.stringify([sample.trial.variant, outcome, error?.code, sample.httpStatus]);
  const groups = [...groupBy(failed, keyOf).values()].map((members): FailureGroup => {
    const [{ sample, outcome, error }] = members;
    return {
      variant: sample.trial.variant,
      outcome,
      code: error?.code ?? '',
      httpStatus: sample.httpStatus,
      count: members.length,
      message: error?.message ?? '',
      undecodable: error?.undecodable ?? null,
      exampleTrial: sample.trial.id,
    };
  });
  return groups.sort(
    (a, b) =>
      b.count - a.count ||
      variants.indexOf(a.variant) - variants.indexOf(b.variant) ||
      EFFECTIVE_OUTCOMES.indexOf(a.outcome) - EFFECTIVE_OUTCOMES.indexOf(b.outcome) ||
      compareCodeUnits(a.code, b.code) ||
      (a.httpStatus ?? 0) - (b.httpStatus ?? 0),
  );
}

/** The medians with and without flagged takes. The latter is no better: long calls are flagged more often. */
export function flaggedSummaries(variants: readonly VariantSummary[], index: TakeIndex, load: Load): FlaggedSummary[] {
  return variants.flatMap(({ name }) => {
    return index.bySteps(name).flatMap(([step, takes]) => {
      const flagged = takes.filter(isFlagged);
      if (flagged.length === 0) return [];
      const everything = medianLatency(takes, load);
      const unflagged = medianLatency(
        takes.filter((take) => !isFlagged(take)),
        load,
      );
      return [
        {
          variant: name,
          step,
          flags: countFlags(flagged),
          samples: flagged.length,
          ofSamples: takes.length,
          blocks: blocksOf(flagged),
          ofBlocks: blocksOf(takes),
          withFlagged: everything,
          withoutFlagged: unflagged,
          agree: agree(everything, unflagged),
        },
      ];
    });
  });
}

function countFlags(flagged: readonly EffectiveSample[]): Readonly<Record<string, number>> {
  const names = [...new Set(flagged.flatMap(({ flags }) => flags))].sort(compareCodeUnits);
  return Object.fromEntries(names.map((name) => [name, flagged.filter(({ flags }) => flags.includes(name)).length]));
}

function blocksOf(samples: readonly EffectiveSample[]): number {
  return new Set(samples.map(({ sample }) => sample.trial.block)).size;
}

/** Disjoint intervals disagree; null if one is missing. An open upper end is infinite. */
function agree(a: MedianLatency, b: MedianLatency): boolean | null {
  if (a.lowMs === null || b.lowMs === null) return null;
  return a.lowMs <= (b.highMs ?? Infinity) && b.lowMs <= (a.highMs ?? Infinity);
}

export function summariseRun(record: StoredRun, variants: readonly VariantSummary[]): RunSummary {
  const { run, segments } = record;
  const missingProbes = countMissingProbes(record);
  const shards = summariseShards(record);
  const stop = shards === null ? lastStop(segments) : firstUnfinished(shards);
  return {
    id: run.id,
    label: run.label ?? null,
    ...(run.vantage === undefined ? {} : { vantage: run.vantage }),
    suite: run.suite.name,
    description: run.suite.description,
    startedAt: shards === null ? (segments[0]?.started.originAt ?? run.createdAt) : run.createdAt,
    durationMs: shards === null ? durationMs(record.samples) : longest(shards),
    complete:
      missingProbes === 0 &&
      record.unended === 0 &&
      variants.every(({ missing, outcomes }) => missing === 0 && outcomes.cancelled === undefined),
    missingProbes,
    stop,
    shard: run.shard === null ? null : { run: run.shard.run, index: run.shard.index, of: run.shard.of },
    shards,
    plan: run.plan,
    ...(run.hold === undefined ? {} : { hold: run.hold }),
    against: run.against,
    targets: run.targets.map(({ id, file, digest }) => ({ id, file, digest })),
    machine: run.machine,
    calibration: run.calibration,
    git: run.git,
    requestsSent: requestsSent(record),
    spend: wholeSpend(variants),
    loopDelay: worstLoopDelay(record),
    orphans: orphans(record),
  };
}

/** @param trials without warm-ups */
export function summariseVariants(
  record: StoredRun,
  trials: readonly EffectiveSample[],
  spend: ReadonlyMap<string, Spend>,
): VariantSummary[] {
  const { run } = record;
  const abandoned = stillAbandoned(record);
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return behindTwins(run.variants).map((variant) => {
    const trials = byVariant.get(variant.name) ?? [];
    return {
      ...variant,
      outcomes: countOutcomes(trials),
      missing: Math.max(0, variant.plannedTrials - trials.length - unsentOfEnded(record, variant.name, trials)),
      spend: spend.get(variant.name) ?? null,
      abandoned: abandoned.findLast((event) => event.variant === variant.name)?.why ?? null,
    };
  });
}

/** Trials of loads that ended, and were not sent for that. */
function unsentOfEnded(
  { endedLoads }: Pick<StoredRun, 'endedLoads'>,
  variant: string,
  trials: readonly EffectiveSample[],
): number {
  // A job that a resumed run still followed may end its load once more.
  const ended = new Map(endedLoads.filter((load) => load.variant === variant).map((load) => [load.step, load.planned]));
  return sum(
    [...ended].map(([step, planned]) => planned - trials.filter(({ sample }) => sample.trial.step === step).length),
  );
}

/** A resumed run sends abandoned variants again: those are not abandoned any more. */
function stillAbandoned({ run, abandoned, samples }: StoredRun): StoredRun['abandoned'] {
  if (run.merged !== null || abandoned.length === 0) return abandoned;
  const last = new Map<string, number>();
  for (const { trial, segment } of samples) last.set(trial.variant, Math.max(segment, last.get(trial.variant) ?? 0));
  return abandoned.filter(({ variant, segment }) => (last.get(variant) ?? 0) <= segment);
}

function countMissingProbes({ run, samples }: StoredRun): number {
  const ended = samples.filter(({ trial, outcome }) => trial.phase === 'probe' && outcome !== 'cancelled').length;
  return Math.max(0, (run.plan.probes?.trials ?? 0) - ended);
}

function countOutcomes(samples: readonly EffectiveSample[]): Partial<Record<EffectiveOutcome, number>> {
  const counts: Partial<Record<EffectiveOutcome, number>> = {};
  // In the order of EFFECTIVE_OUTCOMES, so that equal counts give equal text.
  for (const outcome of EFFECTIVE_OUTCOMES) {
    const count = samples.filter((sample) => sample.outcome === outcome).length;
    if (count > 0) counts[outcome] = count;
  }
  return counts;
}

/** The time between two processes is not measuring time. */
function durationMs(samples: readonly Sample[]): number | null {
  if (samples.length === 0) return null;
  const segments = groupBy(samples, ({ segment }) => segment);
  return sum([...segments.values()].map((members) => spanMs(members)));
}

function lastStop(segments: StoredRun['segments']): Stop | null {
  return segments.at(-1)?.ended?.stop ?? null;
}

function summariseShards({ run: { merged }, segments, samples }: StoredRun): ShardsSummary | null {
  if (merged === null) return null;
  return {
    of: merged.of,
    missing: missingShards(merged),
    ...(merged.together === undefined ? {} : { together: merged.together }),
    merged: merged.shards.map((shard) => {
      const segmentsOfShard = segments.filter(({ started }) => shard.segments.includes(started.segment));
      return {
        index: shard.index,
        segments: shard.segments,
        startedAt: segmentsOfShard[0]?.started.originAt ?? shard.createdAt,
        durationMs: durationMs(samples.filter(({ segment }) => shard.segments.includes(segment))),
        stop: lastStop(segmentsOfShard),
        concurrency: shard.concurrency,
        warmupsLeftOut: shard.warmupsLeftOut,
        machine: shard.machine,
        floorMs: shard.calibration?.floorMs ?? null,
        unfit: shard.calibration?.unfit ?? [],
      };
    }),
  };
}

/** Shards run at the same time, so the sum of durations is meaningless. */
function longest({ merged }: ShardsSummary): number | null {
  const durations = merged.flatMap((shard) => shard.durationMs ?? []);
  return durations.length === 0 ? null : Math.max(...durations);
}

function firstUnfinished({ merged }: ShardsSummary): Stop | null {
  const unfinished = merged.find(({ stop }) => stop?.reason !== 'finished');
  return unfinished === undefined ? { reason: 'finished' } : unfinished.stop;
}

function requestsSent({ samples, replaced }: StoredRun): number {
  return sum([...samples, ...replaced].map(({ attempts }) => attempts));
}

function wholeSpend(variants: readonly VariantSummary[]): Spend | null {
  const spends = variants.flatMap(({ spend }) => spend ?? []);
  return spends.length === 0 ? null : addSpend(spends);
}

function worstLoopDelay({ segments }: StoredRun): LoopDelay | null {
  const delays = segments.flatMap(({ ended }) => ended?.loopDelay ?? []);
  if (delays.length === 0) return null;
  const worst = (pick: (delay: LoopDelay) => number) => Math.max(...delays.map(pick));
  return { p50Ms: worst(({ p50Ms }) => p50Ms), p99Ms: worst(({ p99Ms }) => p99Ms), maxMs: worst(({ maxMs }) => maxMs) };
}

function orphans({ segments }: StoredRun): number | null {
  const counts = segments.flatMap(({ ended }) => ended?.orphans ?? []);
  return counts.length === 0 ? null : sum(counts);
}

/** Counts every request, also warm-ups, probes and failures. `replaced`: by a later sample of their trial. */
export function spendByVariant(
  { run }: Pick<StoredRun, 'run'>,
  effective: readonly EffectiveSample[],
  replaced: readonly EffectiveSample[],
): ReadonlyMap<string, Spend> {
  const all = [...effective, ...replaced];
  const isPriced =
    run.variants.some(({ price }) => price !== null) || all.some(({ sample }) => sample.reported.costUsd !== null);
  if (!isPriced) return new Map();
  const samplesOf = groupBy(all, ({ sample }) => sample.trial.variant);
  return new Map(
    run.variants.map((variant) => [
      variant.name,
      addSpend([
        ...(samplesOf.get(variant.name) ?? []).map(({ spend }) => spend),
        ...(run.merged?.shards ?? []).map(({ spendLeftOut }) => spendLeftOut[variant.name] ?? NO_SPEND),
      ]),
    ]),
  );
}
