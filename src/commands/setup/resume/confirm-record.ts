import { resolve } from 'node:path';
import { type PreparedSuite, prepareSuite } from '../../../prepare/prepare-suite.ts';
import type { Run } from '../../../record/model/run.ts';
import type { Checked } from '../../../suite/document/diagnostic.ts';
import { shownPath } from '../../../suite/load.ts';
import type { Edge } from '../../edge.ts';
import { confirmOrigins, ownOf } from '../plan/confirm-origins.ts';
import type { SentSuite } from '../plan/sources.ts';
import type { ResumedArguments } from './recorded-arguments.ts';

export interface Named {
  readonly set: readonly string[];
  readonly allowOutside?: boolean | undefined;
  readonly allowOrigin: readonly string[];
}

/** Whether to send what the record adds: values of `--set`, a suite beside it, or a stored baseline. */
export async function confirmRecord(
  { id, suite: { overrides } }: Pick<Run, 'id' | 'suite'>,
  { suite, isNamed }: ResumedArguments,
  given: Named,
  prepared: PreparedSuite,
  edge: Edge,
): Promise<Checked<null>> {
  const named = isNamed ? await namedBy(suite, overrides.length > 0, given, prepared, edge) : null;
  const remedy = !isNamed
    ? `name the suite (retake run ${shownPath(resolve(edge.cwd, suite), edge.cwd)} --resume ...)`
    : overrides.length > 0
      ? 'repeat the --set of the run'
      : null;
  return confirmOrigins(prepared, named, { who: `the record of run ${id}`, remedy }, given.allowOrigin, edge);
}

/** The suite with only the user's values of `--set`; null if that is invalid. */
async function namedBy(
  suite: string,
  isOverridden: boolean,
  { set, allowOutside }: Named,
  prepared: PreparedSuite,
  { env, cwd }: Edge,
): Promise<SentSuite | null> {
  if (!isOverridden) return ownOf(prepared);
  const alone = await prepareSuite(suite, { env, cwd, overrides: set, allowOutside });
  return alone.ok ? alone.value : null;
}
