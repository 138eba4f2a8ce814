import { basename, dirname, resolve } from 'node:path';
import { accepted } from '../kit/diagnostic.ts';
import { plural } from '../kit/wording.ts';
import { findRun } from '../record/find-run.ts';
import { type Lock, lockToRead } from '../record/store.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

interface RunUse {
  /** By default, that of a reader. */
  readonly lock?: typeof lockToRead;
  /** Print which run was found, if the path is that of a suite with several. */
  readonly saysLatest?: boolean;
}

/**
 * Finds a run and locks it while it is used.
 * @param path of a run, or of a suite: then its latest run
 * @param use `isLatest`: the path was that of a suite
 */
export async function withRun<T>(
  path: string,
  { lock = lockToRead, saysLatest = false }: RunUse,
  edge: Pick<WorkflowEdge, 'cwd' | 'say' | 'processes'>,
  use: (folder: string, isLatest: boolean) => Promise<T>,
): Promise<T> {
  const { folder, latestOf } = accepted(findRun(resolve(edge.cwd, path)));
  if (saysLatest && latestOf !== null && latestOf > 1) {
    edge.say(`${basename(folder)} is the latest of ${plural(latestOf, 'run')} in ${dirname(folder)}`);
  }
  return whileLocked(accepted(lock(folder, edge.processes)), () => use(folder, latestOf !== null));
}

/** Releases the lock however `use` ends. */
export async function whileLocked<T>(lock: Lock, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } finally {
    lock.release();
  }
}
