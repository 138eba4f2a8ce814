import type { PlannedCase } from '../../../compare/gate/planning/plan-gate.ts';
import type { LookKind } from '../../../plan/planned-looks.ts';
import { type PreparedSuite, prepareSuite } from '../../../prepare/prepare-suite.ts';
import type { LeftOut } from '../../../record/model/run.ts';
import { leftOutReason } from '../../../report/words/run/left-out-reason.ts';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';
import type { Edge } from '../../edge.ts';
import { planSuiteGate } from './plan-gate.ts';

/** A suite as it was prepared, with what its gate could tell. */
export interface Prepared extends PreparedSuite {
  readonly gate: readonly PlannedCase[];
}

/** What a suite is prepared with, as the command line has it. */
export interface PrepareArguments {
  /** The values of `--set`. */
  readonly set: readonly string[];
  /** `--against`: the file of a stored baseline. */
  readonly against?: string | undefined;
  /** `--allow-outside`: whether the suite may name files outside its folder. */
  readonly allowOutside?: boolean | undefined;
}

/** What the command line, or the run that is resumed, says of a plan. */
interface PlanChoices {
  /** Why the plan is made in parts; null: it is made in one. */
  readonly looks?: LookKind | null;
  /** What the seeds of the cache probe follow from; drawn by default. */
  readonly nonce?: number | undefined;
}

/** As `prepareSuite`; refuses a suite whose variants this machine cannot measure, and rules that its plan can never decide. */
export async function prepare(
  suite: string,
  { set, against, allowOutside }: PrepareArguments,
  { env, cwd }: Pick<Edge, 'env' | 'cwd'>,
  { looks = null, nonce }: PlanChoices = {},
): Promise<Checked<Prepared>> {
  const prepared = await prepareSuite(suite, {
    env,
    cwd,
    overrides: set,
    allowOutside,
    against,
    looks: looks ?? undefined,
    nonce,
  });
  if (!prepared.ok) return prepared;
  if (prepared.value.variants.length === 0) return nothingLeft(prepared.value.leftOut);
  const gate = await planSuiteGate(prepared.value);
  return gate.ok ? { ...prepared, value: { ...prepared.value, gate: gate.cases } } : gate;
}

function nothingLeft([first]: readonly LeftOut[]): Checked<never> {
  const cause = `no variant of the suite can be measured: ${first === undefined ? 'it has none' : leftOutReason(first.reason)}`;
  const remedy = 'run npm install --include=optional, or set base_url to a service with video';
  return refused(cause, remedy);
}
