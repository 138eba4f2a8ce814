import { resolve } from 'node:path';
import { findRun } from '../../record/find/find-run.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import type { Edge } from '../edge.ts';
import { type AssessedRun, assessRun } from './assess-run.ts';
import { lockedToRead } from './record/locked-to-read.ts';

export async function assessNamed(
  path: string,
  { quiet }: { readonly quiet: boolean },
  edge: Edge,
): Promise<Checked<AssessedRun>> {
  const found = findRun(resolve(edge.cwd, path));
  if (!found.ok) return found;
  const { folder } = found.value;
  return lockedToRead(folder, edge, () => assessRun(folder, { quiet, baseline: 'none' }, edge));
}
