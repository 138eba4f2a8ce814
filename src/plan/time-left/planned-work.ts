import type { ClosedLoad, OpenLoad } from '../../suite/format/load.ts';
import { isMeasured, type Slice } from '../plan.ts';
import type { Trial } from '../trial.ts';
import type { PlannedWork } from './work.ts';

type PacedTrial = Pick<Trial, 'phase' | 'step' | 'probe'>;

export type Pacing = Pick<ClosedLoad, 'mode' | 'concurrency' | 'steps'> | Pick<OpenLoad, 'mode' | 'concurrency'>;

/** Whether it begins at a time of its own; others begin when one has ended. */
export function isScheduled(trial: PacedTrial, load: Pacing): boolean {
  return load.mode === 'open' && isMeasured(trial);
}

export function concurrencyOf({ phase, step, probe }: PacedTrial, load: Pacing): number {
  if (step !== undefined) return step;
  if (phase === 'probe') return probe?.kind === 'load' && probe.role === 'concurrent' ? load.concurrency : 1;
  if (phase !== 'warmup') return load.concurrency;
  return load.mode === 'closed' && load.steps === null ? load.concurrency : 1;
}

interface Sum {
  readonly trial: Trial;
  trials: number;
  waves: number;
  lastStartMs: number;
}

/** Waves of several variants in one slice are not whole numbers. */
const DIGITS = 1e6;

export function workOf(slices: readonly Slice[], load: Pacing): readonly PlannedWork[] {
  const sums = new Map<string, Sum>();
  for (const { trials, pace } of slices) {
    const waves = pace.mode === 'closed' ? Math.ceil(trials.length / pace.concurrency) / trials.length : 0;
    const lastStartMs = pace.mode === 'open' ? (pace.startsMs.at(-1) ?? 0) : 0;
    for (const trial of trials) {
      const key = workKey(trial, load);
      const sum = sums.get(key) ?? { trial, trials: 0, waves: 0, lastStartMs: 0 };
      sums.set(key, sum);
      sum.trials += 1;
      sum.waves += waves;
      sum.lastStartMs = Math.max(sum.lastStartMs, lastStartMs);
    }
  }
  return [...sums.values()].map(({ trial, trials, waves, lastStartMs }): PlannedWork => {
    const common = {
      variant: trial.variant,
      concurrency: concurrencyOf(trial, load),
      measured: isMeasured(trial),
      trials,
    };
    return isScheduled(trial, load)
      ? { mode: 'open', ...common, lastStartMs }
      : { mode: 'closed', ...common, waves: Math.round(waves * DIGITS) / DIGITS };
  });
}

export function workKey(trial: PacedTrial & Pick<Trial, 'variant'>, load: Pacing): string {
  const { variant } = trial;
  return keyOfWork({ variant, concurrency: concurrencyOf(trial, load), measured: isMeasured(trial) });
}

export function keyOfWork({
  variant,
  concurrency,
  measured,
}: Pick<PlannedWork, 'variant' | 'concurrency' | 'measured'>): string {
  return JSON.stringify([variant, concurrency, measured]);
}
