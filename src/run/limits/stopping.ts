import { fileFaultOf } from '../../kit/diagnostic.ts';
import type { Stop } from '../../record/journal.ts';

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
