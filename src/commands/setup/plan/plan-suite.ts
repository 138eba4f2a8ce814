import type { PlannedCase } from '../../../compare/gate/planning/planned-case.ts';
import type { LookKind } from '../../../plan/planned-looks.ts';
import { type PreparedSuite, prepareSuite } from '../../../prepare/prepare-suite.ts';
import type { LeftOut } from '../../../record/model/run.ts';
import { leftOutReason } from '../../../report/words/run/left-out-reason.ts';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';
import type { Edge } from '../../edge.ts';
import { planSuiteGate } from './plan-gate.ts';

export interface PlannedSuite extends PreparedSuite {
  readonly gate: readonly PlannedCase[];
}

export interface SuiteArguments {
  readonly set: readonly string[];
  readonly against?: string | undefined;
  /** `--allow-outside`: the suite may name files outside its folder. */
  readonly allowOutside?: boolean | undefined;
}

interface PlanChoices {
  /** Why the plan has several parts; null: one part. */
  readonly looks?: LookKind | null;
  /** The seeds of the cache probe follow from it; drawn by default. */
  readonly nonce?: number | undefined;
}

/** As `prepareSuite`; also an error if this machine cannot measure the variants, or a rule can never be decided. */
export async function planSuite(
  suite: string,
  { set, against, allowOutside }: SuiteArguments,
  { env, cwd }: Pick<Edge, 'env' | 'cwd'>,
  { looks = null, nonce }: PlanChoices = {},
): Promise<Checked<PlannedSuite>> {
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
