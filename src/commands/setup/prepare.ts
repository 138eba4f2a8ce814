import { type PreparedSuite, prepareSuite } from '../../prepare/prepare-suite.ts';
import type { LeftOut } from '../../record/model/run.ts';
import { leftOutReason } from '../../report/words/left-out-reason.ts';
import { type Checked, refused } from '../../suite/document/diagnostic.ts';
import type { Edge } from '../edge.ts';

/** As `prepareSuite`; refuses a suite whose variants this machine cannot measure. */
export async function prepare(
  suite: string,
  overrides: readonly string[],
  { env, cwd }: Pick<Edge, 'env' | 'cwd'>,
): Promise<Checked<PreparedSuite>> {
  const prepared = await prepareSuite(suite, { env, cwd, overrides });
  return prepared.ok && prepared.value.variants.length === 0 ? nothingLeft(prepared.value.leftOut) : prepared;
}

function nothingLeft([first]: readonly LeftOut[]): Checked<never> {
  const cause = `no variant of the suite can be measured: ${first === undefined ? 'it has none' : leftOutReason(first.reason)}`;
  const remedy = 'install node-av (npm install node-av), or set base_url to a service with video';
  return refused(cause, remedy);
}
