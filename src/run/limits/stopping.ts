import type { Stop } from '../../record/model/stop.ts';
import { fileFaultOf } from '../../suite/document/file-fault.ts';

/** Whether a run goes on, and why not. The first reason is the one that counts. */
export interface Stopping {
  readonly stop: (why: Stop) => void;
  /** Stops for an error that was thrown: of the disk, for want of descriptors, else a defect of ours. */
  readonly fault: (error: Error) => void;
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

/** Why a run stops on an error of the file system that the user can fix; null for any other error. */
export function ofThisMachine(error: Error): Extract<Stop, { reason: 'disk' | 'descriptors' }> | null {
  const fault = fileFaultOf(error);
  if (fault === null) return null;
  if (fault.code === 'EMFILE' || fault.code === 'ENFILE') return { reason: 'descriptors' };
  return { reason: 'disk', path: 'path' in error ? String(error.path) : null, code: fault.code };
}
