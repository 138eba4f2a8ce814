import type { Stop } from '../record/stop.ts';

/** Whether a run goes on, and why not. The first reason is the one that counts. */
export interface Stopping {
  readonly stop: (why: Stop) => void;
  /** Stops for a fault of our own. */
  readonly defect: (error: Error) => void;
  /** Why the run stops; null while it goes on. */
  readonly why: () => Stop | null;
  /** The fault of our own that was noted first; null without one. */
  readonly noted: () => Error | null;
  /** Aborted once the run stops. */
  readonly signal: AbortSignal;
}

/** @param onStop called with every reason, before the signal is aborted */
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
    defect: (error) => {
      defect ??= error;
      stop({ reason: 'defect', message: error.message });
    },
    why: () => why,
    noted: () => defect,
    signal: stopped.signal,
  };
}
