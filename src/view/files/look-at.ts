import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { fileFaultOf } from '../../suite/document/file-fault.ts';

/*
 * Looking at what others wrote: a link may lead to itself, a file may stand where a folder belongs, and anything may be gone by now. What
 * cannot be looked at is not there.
 */

/** What stands at a path, with links followed; null where that cannot be said. */
export function statOf(path: string): Stats | null {
  return lookedAt(() => statSync(path, { throwIfNoEntry: false }) ?? null, null);
}

/** What is in a folder; nothing where it cannot be read. */
export function entriesOf(folder: string): readonly Dirent[] {
  return lookedAt(() => readdirSync(folder, { withFileTypes: true }), []);
}

/** What is found; `otherwise` where the file system refuses to show it. Throws a defect of ours. */
export function lookedAt<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    if (fileFaultOf(error) === null) throw error;
    return otherwise;
  }
}
