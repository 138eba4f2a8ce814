import type { Trial } from '../trial.ts';
import { concurrencyOf, isScheduled, keyOfWork, type Pacing, workKey } from './planned-work.ts';
import { createSlotTimes, type SlotTimes } from './slot-times.ts';
import type { PlannedWork } from './work.ts';

type TimedTrial = Pick<Trial, 'id' | 'variant' | 'phase' | 'step' | 'probe'>;

/** How long the rest of a plan takes. Times are milliseconds on one clock, which it does not read itself. */
export interface TimeLeft {
  /** @param slice of the trial; a new number means that the previous slice was drained */
  readonly started: (trial: TimedTrial, slice: number, atMs: number) => void;
  /** A trial without a start was dropped, or continued from an earlier process. */
  readonly ended: (trial: TimedTrial, slice: number, atMs: number) => void;
  readonly abandoned: (variant: string) => void;
  readonly decided: () => void;
  /** The process ended. What it had in flight is sent again. */
  readonly interrupted: () => void;
  /** Milliseconds until the last answer; null if unknown. */
  readonly at: (nowMs: number) => number | null;
}

interface Rest {
  readonly work: PlannedWork;
  left: number;
  /** Of open load: from the start of its slice. */
  lastStartMs: number;
}

interface Begun {
  readonly trial: TimedTrial;
  readonly sinceMs: number;
}

interface Current {
  readonly slice: number;
  readonly trial: TimedTrial;
  readonly beganMs: number;
  readonly begun: Map<string, number>;
}

/** So many mean calls count as exactly as long as the rule says, beside real ones. */
const PRIOR_WAVES = 4;

/**
 * A slice of n trials at concurrency c is drained before the next: it lasts ceil(n / c) mean calls of its variant at
 * that concurrency. The rest is the sum over work that has not begun, corrected by how much longer the slices so far
 * took than this rule (throttling, pauses of the service, uneven calls), and the rest of the calls in flight. Open load
 * lasts until its last start, and one more call.
 * @param planned what this process sends, or the whole plan if all processes are observed
 */
export function createTimeLeft(planned: readonly PlannedWork[], load: Pacing): TimeLeft {
  const times = createSlotTimes();
  const rests = new Map<string, Rest>(
    planned.map((work) => [
      keyOfWork(work),
      { work, left: work.trials, lastStartMs: work.mode === 'open' ? work.lastStartMs : 0 },
    ]),
  );
  const inFlight = new Map<string, Begun>();
  const abandoned = new Set<string>();
  /** Waves of closed load that have ended, by variant and concurrency, and how long their slices took. */
  const past = new Map<string, { readonly variant: string; readonly concurrency: number; waves: number }>();
  let pastMs = 0;
  let current: Current | null = null;
  let isDecided = false;

  const leave = (nowMs: number): void => {
    // Warm-ups may take longer than any later call, and open load has its own times.
    if (current === null || current.trial.phase === 'warmup' || isScheduled(current.trial, load)) return;
    const concurrency = concurrencyOf(current.trial, load);
    const trials = [...current.begun.values()].reduce((sum, each) => sum + each, 0);
    for (const [variant, begun] of current.begun) {
      const key = JSON.stringify([variant, concurrency]);
      const sum = past.get(key) ?? { variant, concurrency, waves: 0 };
      past.set(key, sum);
      sum.waves += (Math.ceil(trials / concurrency) * begun) / trials;
    }
    pastMs += nowMs - current.beganMs;
  };

  const begin = (trial: TimedTrial, slice: number, nowMs: number): void => {
    if (current?.slice !== slice) {
      leave(nowMs);
      current = { slice, trial, beganMs: nowMs, begun: new Map() };
    }
    current.begun.set(trial.variant, (current.begun.get(trial.variant) ?? 0) + 1);
    const rest = rests.get(workKey(trial, load));
    if (rest !== undefined) rest.left = Math.max(0, rest.left - 1);
  };

  const toCome = (mode: PlannedWork['mode']): readonly Rest[] =>
    [...rests.values()].filter(
      ({ work, left }) =>
        left > 0 && work.mode === mode && !abandoned.has(work.variant) && !(isDecided && work.measured),
    );

  const closedMs = (): number | null =>
    sumOrNull(
      toCome('closed').map(({ work, left }) => {
        const mean = times.meanMs(work.variant, work.concurrency);
        return work.mode === 'open' || mean === null ? null : (work.waves * left * mean) / work.trials;
      }),
    );

  const openMs = (nowMs: number): number =>
    toCome('open').reduce((sum, { work, lastStartMs }) => {
      const isNow = current !== null && isScheduled(current.trial, load) && current.trial.variant === work.variant;
      const sinceMs = isNow && current !== null ? nowMs - current.beganMs : 0;
      return sum + Math.max(0, lastStartMs - sinceMs) + (times.meanMs(work.variant, work.concurrency) ?? 0);
    }, 0);

  return {
    started: (trial, slice, atMs) => {
      if (inFlight.has(trial.id)) return;
      begin(trial, slice, atMs);
      inFlight.set(trial.id, { trial, sinceMs: atMs });
    },
    ended: (trial, slice, atMs) => {
      const begun = inFlight.get(trial.id);
      if (begun === undefined) begin(trial, slice, atMs);
      else times.add(trial, concurrencyOf(trial, load), atMs - begun.sinceMs);
      inFlight.delete(trial.id);
    },
    abandoned: (variant) => {
      abandoned.add(variant);
    },
    decided: () => {
      isDecided = true;
    },
    interrupted: () => {
      for (const { trial } of inFlight.values()) {
        const rest = rests.get(workKey(trial, load));
        if (rest !== undefined) rest.left += 1;
      }
      // The next process begins the rest of a schedule at once.
      for (const rest of rests.values()) rest.lastStartMs *= rest.left / rest.work.trials;
      inFlight.clear();
      current = null;
    },
    at: (nowMs) => {
      if (current === null) return null;
      const rest = closedMs();
      const now = flightMs(inFlight.values(), nowMs, load, times);
      if (rest === null || now === null) return null;
      const byRule =
        sumOrNull(
          [...past.values()].map(({ variant, concurrency, waves }) => {
            const mean = times.meanMs(variant, concurrency);
            return mean === null ? null : waves * mean;
          }),
        ) ?? 0;
      const prior = PRIOR_WAVES * (times.overallMs() ?? 0);
      const correction = byRule + prior === 0 ? 1 : (pastMs + prior) / (byRule + prior);
      const open = openMs(nowMs);
      // Beside starts to come, calls in flight take no extra time.
      return rest * correction + (open > 0 && isScheduled(current.trial, load) ? open : open + now);
    },
  };
}

function flightMs(begun: Iterable<Begun>, nowMs: number, load: Pacing, times: SlotTimes): number | null {
  let work = 0;
  let longest = 0;
  let most = 1;
  for (const { trial, sinceMs } of begun) {
    const concurrency = concurrencyOf(trial, load);
    const mean = times.meanMs(trial.variant, concurrency);
    if (mean === null) return null;
    const left = Math.max(0, mean - (nowMs - sinceMs));
    work += left;
    longest = Math.max(longest, left);
    most = Math.max(most, concurrency);
  }
  return Math.max(longest, work / most);
}

function sumOrNull(parts: readonly (number | null)[]): number | null {
  return parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0);
}
