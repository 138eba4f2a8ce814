import { LATE, SLOWED } from '../../../analysis/bent.ts';
import type { EffectiveOutcome, EffectiveSample } from '../../../analysis/effective-sample.ts';
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
  readonly row: number;
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

/** All starts of a row in it were slowed. */
export interface SlowedTime {
  readonly row: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Processes have monotonic clocks of their own: wall-clock time gives starts, monotonic time durations. */
export function stretchesOf(
  variants: readonly VariantSummary[],
  samples: readonly EffectiveSample[],
  load: Load,
): readonly Stretch[] {
  const rows = new Map(variants.map((variant, row) => [variant.name, { row, timeoutMs: variant.timeoutMs }]));
  const starts = samples.map(({ sample }) => epochMs(sample.scheduledAt));
  let origin = Number.POSITIVE_INFINITY;
  for (const start of starts) if (start !== null && start < origin) origin = start;
  return samples.flatMap((effective, index): readonly Stretch[] => {
    const variant = rows.get(effective.sample.trial.variant);
    const start = starts[index] ?? null;
    if (variant === undefined || start === null) return [];
    const warmup = !isMeasured(effective.sample.trial);
    const known = warmup ? effective.timings.totalMs : headlineMs(effective, load);
    const totalMs = known ?? tookMs(effective, variant.timeoutMs);
    const state = stateOf(effective.outcome, warmup);
    return [
      {
        row: variant.row,
        step: effective.sample.trial.step ?? null,
        startMs: start - origin,
        endMs: start - origin + totalMs,
        totalMs,
        state,
        slowed: effective.flags.includes(SLOWED),
        late: effective.flags.includes(LATE),
        again: effective.sample.attempts > 1,
      },
    ];
  });
}

function stateOf(outcome: EffectiveOutcome, warmup: boolean): Stretch['state'] {
  if (outcome === 'dropped') return 'dropped';
  if (outcome !== 'ok') return 'failed';
  return warmup ? 'warmup' : 'delivered';
}

/** Where each row's rate of arrivals changes, with the new rate. */
export function stagesOf(
  { stages }: OpenLoad,
  rows: number,
  stretches: readonly Stretch[],
): readonly { readonly row: number; readonly atMs: number; readonly words: string }[] {
  if (stages.length < 2) return [];
  return Array.from({ length: rows }, (_, row) => row).flatMap((row) => {
    let atMs = Number.POSITIVE_INFINITY;
    for (const { row: own, state, startMs } of stretches) {
      if (own === row && state !== 'warmup') atMs = Math.min(atMs, startMs);
    }
    if (atMs === Number.POSITIVE_INFINITY) return [];
    return stages.map((stage) => {
      const placed = { row, atMs, words: rateWords(stage) };
      atMs += stage.forMs ?? 0;
      return placed;
    });
  });
}

/** Up to the time-out, else to the last mark it reached. */
function tookMs({ sample, outcome }: EffectiveSample, timeoutMs: number): number {
  if (outcome === 'timed_out') return timeoutMs;
  const began = beganMs(sample);
  return Math.max(began, ...Object.values(sample.marks)) - began;
}

/** From the first slowed start to the last before one that was not, in the order of starts. */
export function slowedTimes(stretches: readonly Stretch[]): readonly SlowedTime[] {
  const times: SlowedTime[] = [];
  const open = new Map<number, SlowedTime>();
  for (const { row, startMs, endMs, slowed } of [...stretches].sort((a, b) => a.startMs - b.startMs)) {
    const before = open.get(row);
    if (slowed) open.set(row, { row, startMs: before?.startMs ?? startMs, endMs: Math.max(before?.endMs ?? 0, endMs) });
    else if (before !== undefined) {
      times.push({ ...before, endMs: Math.min(before.endMs, startMs) });
      open.delete(row);
    }
  }
  return [...times, ...open.values()];
}

/** Of a sweep each step has a line of its own. */
export interface DriftPoint extends RollingMedian {
  readonly line: string;
  readonly row: number;
}

/** Rolling medians of each row's delivered takes, of a sweep by step: a variant may slow down. */
export function driftPoints(stretches: readonly Stretch[]): readonly DriftPoint[] {
  const lines = groupBy(
    stretches.filter(({ state }) => state === 'delivered'),
    ({ row, step }) => `${row} ${step ?? ''}`,
  );
  return [...lines].flatMap(([line, own]) =>
    rollingMedians(own).map((point) => ({ ...point, line: `${line} ${point.part}`, row: own[0]?.row ?? 0 })),
  );
}
