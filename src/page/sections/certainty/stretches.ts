import {
  type EffectiveOutcome,
  type EffectiveSample,
  headlineMs,
  LATE,
  SLOWED,
} from '../../../analysis/effective-sample.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { epochMs } from '../../../kit/time.ts';
import { isMeasured } from '../../../plan/plan.ts';
import { beganMs } from '../../../record/codes.ts';
import { rateWords } from '../../../report/load-words.ts';
import { extendedMedian } from '../../../statistics/quantile.ts';
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

/** A median of consecutive delivered takes, in milliseconds, at the end of the middle one. */
interface RollingMedian {
  readonly atMs: number;
  readonly totalMs: number;
}

/** One slow take in a window of this size does not move the median. */
const WINDOW = 9;

/** A gap of this many times the usual one ends a line. */
const BREAK = 5;

/** Rolling medians, which show a slowdown: a line for each step of a sweep, and none across long gaps. */
export function driftLines(stretches: readonly Stretch[]): readonly (readonly RollingMedian[])[] {
  const delivered = stretches.filter(({ state }) => state === 'delivered');
  return [...groupBy(delivered, ({ step }) => step).values()]
    .filter((takes) => takes.length >= WINDOW + 3)
    .flatMap((takes) => uninterrupted(takes.toSorted((a, b) => a.startMs - b.startMs)).map(rollingMedians))
    .filter((medians) => medians.length > 0);
}

function rollingMedians(takes: readonly Stretch[]): readonly RollingMedian[] {
  return takes.slice(WINDOW - 1).flatMap((_, from) => {
    const window = takes.slice(from, from + WINDOW);
    const middle = window[(WINDOW - 1) / 2];
    const totalMs = extendedMedian(window.map((take) => take.totalMs));
    return middle === undefined || totalMs === null ? [] : [{ atMs: middle.endMs, totalMs }];
  });
}

function uninterrupted(ordered: readonly Stretch[]): readonly (readonly Stretch[])[] {
  const gaps = ordered.slice(1).map(({ startMs }, at) => startMs - (ordered[at]?.startMs ?? 0));
  const usual = extendedMedian(gaps) ?? 0;
  const starts = gaps.flatMap((gap, at) => {
    return gap > BREAK * usual && gap > (ordered[at]?.totalMs ?? 0) * BREAK ? [at + 1] : [];
  });
  return [0, ...starts].map((from, at) => ordered.slice(from, starts[at]));
}
