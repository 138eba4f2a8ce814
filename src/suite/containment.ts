import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Fault } from '../kit/diagnostic.ts';

/** Files named in a document must be in or below these folders (absolute); `anywhere`: no limit. */
export type Containment = 'anywhere' | readonly [folder: string, ...more: string[]];

/**
 * Why a file may not be read; null: it may. Follows links. Refuses a file outside whether or not it exists, so that a
 * suite cannot explore the machine. `path` is absolute; `owner` names the first folder in messages: `the suite`.
 */
export async function findOutside(path: string, allowed: Containment, owner: string): Promise<Fault | null> {
  if (allowed === 'anywhere') return null;
  const real = await realPathOf(path);
  for (const folder of allowed) if (isWithin(await realPathOf(folder), real)) return null;
  if (allowed.some((folder) => isWithin(folder, path))) {
    const cause = `a link leads out of the folder of ${owner}`;
    return { cause, remedy: 'replace the link by the file itself, or add --allow-outside' };
  }
  const cause = `it is outside the folder of ${owner}`;
  return { cause, remedy: 'move it there, or add --allow-outside' };
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), basename(path));
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
