import { lockToRead } from '../../../record/lock.ts';
import type { Checked } from '../../../suite/document/diagnostic.ts';
import type { Edge } from '../../edge.ts';

/** Locks a run while it is used; an error if another process uses it. */
export async function lockedToRead<T>(
  folder: string,
  { processes }: Pick<Edge, 'processes'>,
  use: () => Promise<Checked<T>>,
): Promise<Checked<T>> {
  const lock = lockToRead(folder, processes);
  if (!lock.ok) return lock;
  try {
    return await use();
  } finally {
    lock.value.release();
  }
}
