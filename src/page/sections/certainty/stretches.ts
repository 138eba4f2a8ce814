import { type EffectiveOutcome, type EffectiveSample, LATE, SLOWED } from '../../../analysis/effective-sample.ts';
import { groupBy } from '../../../analysis/grouping.ts';
import { headlineMs } from '../../../analysis/headline.ts';
import { type RollingMedian, rollingMedians } from '../../../analysis/medians.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { epochMs } from '../../../kit/wall-clock.ts';
import { isMeasured } from '../../../plan/plan.ts';
import { beganMs } from '../../../record/codes.ts';
import { rateWords } from '../../../report/load-words.ts';
import type { Load, OpenLoad } from '../../../suite/load.ts';

export interface Stretch {
  readonly step: number | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly totalMs: number;
  readonly state: 'delivered' | 'warmup' | 'failed' | 'dropped';
  /** The service refused requests, so fewer than declared were in flight when it began. */
  readonly slowed: boolean;
  /** This machine may have taken a timestamp late. */
  readonly late: boolean;
  /** Sent again after refusals: only the last attempt is drawn. */
  readonly again: boolean;
}

export interface SlowedTime {
  readonly startMs: number;
  readonly endMs: number;
}

/** By variant. Clocks of processes differ: wall-clock time gives starts, monotonic time durations. */
export function stretchesOf(
  variants: readonly VariantSummary[],
  samples: readonly EffectiveSample[],
  load: Load,
): ReadonlyMap<string, readonly Stretch[]> {
  const timeouts = new Map(variants.map(({ name, timeoutMs }) => [name, timeoutMs]));
  const started = samples.flatMap((effective) => {
    const startMs = epochMs(effective.sample.scheduledAt);
    return startMs === null ? [] : [{ effective, startMs }];
  });
  const originMs = started.reduce((least, { startMs }) => Math.min(least, startMs), Number.POSITIVE_INFINITY);
  const ofVariants = groupBy(started, ({ effective }) => effective.sample.trial.variant);
  return new Map(
    [...ofVariants].map(([name, own]) => [
      name,
      own.map(({ effective, startMs }) => stretchOf(effective, startMs - originMs, timeouts.get(name) ?? 0, load)),
    ]),
  );
}

function stretchOf(effective: EffectiveSample, startMs: number, timeoutMs: number, load: Load): Stretch {
  const { sample, outcome, flags, timings } = effective;
  const warmup = !isMeasured(sample.trial);
  const totalMs = (warmup ? timings.totalMs : headlineMs(effective, load)) ?? tookMs(effective, timeoutMs);
  return {
    step: sample.trial.step ?? null,
    startMs,
    endMs: startMs + totalMs,
    totalMs,
    state: stateOf(outcome, warmup),
    slowed: flags.includes(SLOWED),
    late: flags.includes(LATE),
    again: sample.attempts > 1,
  };
}

function stateOf(outcome: EffectiveOutcome, warmup: boolean): Stretch['state'] {
  if (outcome === 'dropped') return 'dropped';
  if (outcome !== 'ok') return 'failed';
  return warmup ? 'warmup' : 'delivered';
}

/** Where the rate of arrivals changes, with the new rate. */
export function stagesOf(
  { stages }: OpenLoad,
  stretches: readonly Stretch[],
): readonly { readonly atMs: number; readonly words: string }[] {
  const starts = stretches.filter(({ state }) => state !== 'warmup');
  if (stages.length < 2 || starts.length === 0) return [];
  let atMs = starts.reduce((least, { startMs }) => Math.min(least, startMs), Number.POSITIVE_INFINITY);
  return stages.map((stage) => {
    const placed = { atMs, words: rateWords(stage) };
    atMs += stage.forMs ?? 0;
    return placed;
  });
}

/** Time until the time-out, else until the last mark. */
function tookMs({ sample, outcome }: EffectiveSample, timeoutMs: number): number {
  if (outcome === 'timed_out') return timeoutMs;
  const began = beganMs(sample);
  return Math.max(began, ...Object.values(sample.marks)) - began;
}

/** From the first slowed start to the last before one that was not, in the order of starts. */
export function slowedTimes(stretches: readonly Stretch[]): readonly SlowedTime[] {
  const times: SlowedTime[] = [];
  let wasSlowed = false;
  for (const { startMs, endMs, slowed } of stretches.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = times.at(-1);
    if (slowed && !wasSlowed) times.push({ startMs, endMs });
    else if (wasSlowed && last !== undefined) {
      times[times.length - 1] = {
        ...last,
        endMs: slowed ? Math.max(last.endMs, endMs) : Math.min(last.endMs, startMs),
      };
    }
    wasSlowed = slowed;
  }
  return times;
}

/** Rolling medians of delivered takes, a line for each step of a sweep; none joins takes that lie far apart. */
export function driftLines(stretches: readonly Stretch[]): readonly (readonly RollingMedian[])[] {
  const delivered = stretches.filter(({ state }) => state === 'delivered');
  return [...groupBy(delivered, ({ step }) => step).values()].flatMap((own) => [
    ...groupBy(rollingMedians(own), ({ part }) => part).values(),
  ]);
}
