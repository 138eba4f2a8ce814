import { fileFaultOf } from '../../kit/diagnostic.ts';
import { isMeasured, type Plan } from '../../plan/plan.ts';
import type { Trial } from '../../plan/trial.ts';
import type { Outcome } from '../../record/codes.ts';
import type { Abandonment, FailuresExceeded, LoadEnded, Sample, Stop, Unreachable } from '../../record/journal.ts';
import { mayGoOn, type OrphanCall } from '../../record/trial-histories.ts';
import type { Server } from '../limits.ts';

export interface Stopping {
  readonly stop: (why: Stop) => void;
  /** Stops because of an error: of the disk, missing descriptors, else a defect of ours. */
  readonly fault: (error: Error) => void;
  readonly why: () => Stop | null;
  readonly noted: () => Error | null;
  readonly signal: AbortSignal;
}

/** Stops a run. `onStop` gets each reason before the signal is aborted. */
export function createStopping(onStop: () => void): Stopping {
  const stopped = new AbortController();
  let why: Stop | null = null;
  let defect: Error | null = null;
  const stop = (reason: Stop): void => {
    why ??= reason;
    onStop();
    stopped.abort();
  };
  return {
    stop,
    fault: (error) => {
      const why = ofThisMachine(error);
      if (why !== null) return stop(why);
      defect ??= error;
      stop({ reason: 'defect', message: error.message });
    },
    why: () => why,
    noted: () => defect,
    signal: stopped.signal,
  };
}

/** An error of the file system that the user can fix; else null. */
export function ofThisMachine(error: Error): Extract<Stop, { reason: 'disk' | 'descriptors' }> | null {
  const fault = fileFaultOf(error);
  if (fault === null) return null;
  if (fault.code === 'EMFILE' || fault.code === 'ENFILE') return { reason: 'descriptors' };
  return { reason: 'disk', path: 'path' in error ? String(error.path) : null, code: fault.code };
}

export interface AbandonedVariants {
  readonly holds: (trial: Pick<Trial, 'variant' | 'step'>) => boolean;
  /** Sends nothing more of the load of a trial. */
  readonly endLoad: (trial: Trial, why: Pick<FailuresExceeded, 'failed' | 'samples'>) => void;
  readonly abandon: (variant: string, why: Abandonment) => void;
  /** Abandons every variant of a server; stops the run if none is left. */
  readonly abandonServer: (server: Server, why: Unreachable) => void;
}

/** A variant under one load of a sweep. */
export function loadOf({ variant, step }: Pick<Trial, 'variant' | 'step'>): string {
  return JSON.stringify([variant, step ?? null]);
}

export interface TellAbandoned {
  readonly variant: (variant: string, why: Abandonment) => void;
  readonly load: (ended: Pick<LoadEnded, 'variant' | 'step' | 'planned' | 'failed' | 'samples'>) => void;
}

/**
 * Variants, and loads of a sweep, that are no longer called. `tell` is called once for each; `serverOf` is null if
 * unknown.
 */
export function createAbandonedVariants(
  { slices }: Plan,
  serverOf: (variant: string) => Server | null,
  stopping: Pick<Stopping, 'stop'>,
  tell: TellAbandoned,
): AbandonedVariants {
  const planned = new Set<string>();
  for (const { trials } of slices) for (const { variant } of trials) planned.add(variant);
  const endedLoads = new Set<string>();
  const abandoned = new Set<string>();
  const abandon = (variant: string, why: Abandonment): void => {
    if (abandoned.has(variant)) return;
    abandoned.add(variant);
    const keys = serverOf(variant)?.keys;
    tell.variant(variant, why.code === 'unreachable' || keys === undefined ? why : { ...why, keys });
  };
  return {
    holds: (trial) => abandoned.has(trial.variant) || (trial.step !== undefined && endedLoads.has(loadOf(trial))),
    endLoad: (trial, { failed, samples }) => {
      const { variant, step } = trial;
      const load = loadOf(trial);
      if (step === undefined || endedLoads.has(load)) return;
      endedLoads.add(load);
      const trials = slices.flatMap((slice) => slice.trials.filter((other) => loadOf(other) === load));
      tell.load({ variant, step, planned: trials.length, failed, samples });
    },
    abandon,
    abandonServer: ({ origin }, why) => {
      for (const variant of planned) {
        if (serverOf(variant)?.origin === origin) abandon(variant, { code: 'unreachable', ...why });
      }
      if (abandoned.size === planned.size) stopping.stop({ reason: 'unreachable', ...why });
    },
  };
}

/** Takes over at least two prompts: fewer may be the fault of a prompt. */
const FIRST_TAKES = 3;
const FEWEST_PROMPTS = 2;

const SILENT: ReadonlySet<Outcome> = new Set(['cancelled', 'dropped', 'throttled', 'defect']);

interface AbandonRule {
  /** Call in the order of ends. Gives the reason to abandon the sample's variant, else null. */
  readonly count: (sample: Sample) => Abandonment | null;
}

/**
 * Abandons a variant when a warm-up is rejected with 401 or 403, or when its first three or more takes, over at least
 * two prompts, were all rejected with one code: more requests would measure nothing.
 */
export function createAbandonRule(): AbandonRule {
  const beginnings = new Map<
    string,
    { readonly errorCode: string; readonly prompts: Set<string>; takes: number } | null
  >();
  return {
    count: ({ trial, outcome, error, httpStatus }) => {
      if (trial.phase === 'warmup') {
        if (outcome !== 'rejected' || (httpStatus !== 401 && httpStatus !== 403)) return null;
        return { code: 'refused_warmup', httpStatus, errorCode: error.code, message: error.message };
      }
      const known = beginnings.get(trial.variant);
      if (!isMeasured(trial) || SILENT.has(outcome) || known === null) return null;
      if (outcome !== 'rejected' || (known !== undefined && known.errorCode !== error.code)) {
        beginnings.set(trial.variant, null);
        return null;
      }
      const beginning = known ?? { errorCode: error.code, prompts: new Set<string>(), takes: 0 };
      beginnings.set(trial.variant, beginning);
      beginning.prompts.add(trial.prompt);
      beginning.takes += 1;
      const { takes, prompts } = beginning;
      if (takes < FIRST_TAKES || prompts.size < FEWEST_PROMPTS) return null;
      return { code: 'rejected', takes, httpStatus, errorCode: error.code, message: error.message };
    },
  };
}

/** Abandoned requests that the service may still work on. Times are milliseconds on the segment's clock. */
export interface OrphanWatch {
  /** Call in the order of ends. True if an orphan, other than the call itself, may have run beside it. */
  readonly ended: (call: OrphanCall) => boolean;
  readonly count: () => number;
}

/** Counts an orphan for its time limit once more: services rarely work for more than twice the limit. */
export function createOrphanWatch(): OrphanWatch {
  let count = 0;
  let runningUntilMs = -Infinity;
  return {
    ended: (call) => {
      // All orphans were abandoned before this call ended: only the last to end matters.
      const beside = runningUntilMs > call.marks.startedMs;
      if (mayGoOn(call)) {
        count += 1;
        runningUntilMs = Math.max(runningUntilMs, call.endedMs + call.timeoutMs);
      }
      return beside;
    },
    count: () => count,
  };
}
