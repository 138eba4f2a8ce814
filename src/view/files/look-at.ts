import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { fileFaultOf } from '../../kit/diagnostic.ts';

/*
 * Others wrote what is looked at: a link may lead to itself, a file may stand where a folder belongs, and anything may
 * be gone by now. What cannot be looked at is not there.
 */

/** Follows links; null if it cannot be read. */
export function statOf(path: string): Stats | null {
  return lookedAt(() => statSync(path, { throwIfNoEntry: false }) ?? null, null);
}

export function entriesOf(folder: string): readonly Dirent[] {
  return lookedAt(() => readdirSync(folder, { withFileTypes: true }), []);
}

/** Gives `otherwise` if the file system refuses; throws other errors. */
export function lookedAt<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    if (fileFaultOf(error) === null) throw error;
    return otherwise;
  }
}
