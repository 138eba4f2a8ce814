import type { PlannedCase } from '../gate/planned-reach.ts';
import { comparesTwins } from '../gate/rule-case.ts';
import { type Checked, diagnoseFrom, refused, type Source } from '../kit/diagnostic.ts';
import { leftOutReason } from '../kit/outcome-words.ts';
import type { Plan } from '../plan/plan.ts';
import type { AskedLooks } from '../plan/recorded-plan.ts';
import type { LeftOut } from '../record/run.ts';
import { LOOK_FLAGS, type PartOfSuite, type PreparedSuite, prepareSuite } from '../run/prepare-suite.ts';
import type { DeclaredRule } from '../suite/suite.ts';
import type { MeasureArguments } from './run-arguments.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

export interface PlannedSuite extends PreparedSuite {
  readonly gate: readonly PlannedCase[];
}

type SuiteArguments = Pick<MeasureArguments, 'set' | 'against' | 'allowOutside'>;

interface PlanChoices {
  /** Why the plan has several parts; null: one part. */
  readonly looks?: AskedLooks | null;
  /** The seeds of the cache probe follow from it; drawn by default. */
  readonly nonce?: number | undefined;
  /** Does not check rules that need `--against`: there may be no stored baseline yet. */
  readonly withoutTwins?: boolean | undefined;
}

/** As `prepareSuite`; also an error if this machine cannot measure the variants, or a rule can never be decided. */
export async function planSuite(
  suite: string,
  { set, against, allowOutside }: SuiteArguments,
  { env, cwd }: Pick<WorkflowEdge, 'env' | 'cwd'>,
  { looks = null, nonce, withoutTwins = false }: PlanChoices = {},
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
  if (!prepared.ok) {
    const rules = prepared.rest === undefined ? null : await planSuiteGate({ ...prepared.rest, plan: null });
    return { ok: false, diagnostics: [...prepared.diagnostics, ...(rules?.ok === false ? rules.diagnostics : [])] };
  }
  const { suite: declared, variants, leftOut } = prepared.value;
  if (variants.length === 0) return nothingLeft(leftOut);
  const rules = withoutTwins ? declared.gate.filter(({ rule }) => !comparesTwins(rule)) : declared.gate;
  const gate = await planSuiteGate({ ...prepared.value, suite: { ...declared, gate: rules } });
  return gate.ok ? { ...prepared, value: { ...prepared.value, gate: gate.value } } : gate;
}

function nothingLeft([first]: readonly LeftOut[]): Checked<never> {
  const cause = `no variant of the suite can be measured: ${first === undefined ? 'it has none' : leftOutReason(first.reason)}`;
  const remedy = 'run npm install --include=optional, or set base_url to a service with video';
  return refused(cause, remedy);
}

/**
 * Checks the rules of a suite against its plan: errors at their places, else what each rule could find.
 * @param plan null: the suite has other errors, so only what rules say by themselves is checked
 */
async function planSuiteGate({
  suite,
  variants,
  leftOut,
  plan,
}: PartOfSuite & { readonly plan: Plan | null }): Promise<Checked<readonly PlannedCase[]>> {
  // Loads what weighs a gate only for suites with one.
  const asked = plan?.looks == null || plan.looks.kind === 'claim' ? null : plan.looks.kind;
  if (suite.gate.length === 0) return asked === null ? { ok: true, value: [] } : refuseGateless(asked);
  const [{ metricsOf }, { checkRules, planGate }, { kindOf }] = await Promise.all([
    import('../analysis/metrics.ts'),
    import('../gate/check-rules.ts'),
    import('../gate/bounds.ts'),
  ]);
  const rules = suite.gate.map(({ rule }) => rule);
  const { cases: prompts, load, seeds, repeats, hold } = suite;
  const held = hold === null ? null : { hold, load, variants: variants.length };
  const shared = { rules, prompts, load, seeds, repeats, metrics: metricsOf(rules, suite.scorers, held) };
  // A rule about variants that this machine cannot measure is valid: their kind keeps a baseline variant.
  const absent = leftOut.map(({ variant, twinOf, kind }) => ({
    name: variant,
    twinOf,
    kind,
    baseline:
      twinOf === null &&
      !variants.some((other) => other.kind === kind && other.baseline) &&
      leftOut.find((other) => other.kind === kind)?.variant === variant,
    timeoutMs: Infinity,
  }));
  const writtenAs = suite.gate.map((declared) => declared.writtenAs);
  const faults = checkRules({ ...shared, variants: [...variants, ...absent], writtenAs });
  const wrong = plan !== null ? faults : faults.filter(({ ofWhole }) => ofWhole !== true);
  const planned =
    wrong.length > 0 || plan === null ? { cases: [], faults: wrong } : planGate({ ...shared, variants, plan });
  if (planned.faults.length === 0) {
    const isLooked = planned.cases.some(
      ({ ruleCase }) => kindOf(ruleCase.rule).lookPart(ruleCase.rule, shared.metrics) === 'each_look',
    );
    return asked === null || isLooked ? { ok: true, value: planned.cases } : refuseGateless(asked);
  }
  return {
    ok: false,
    diagnostics: planned.faults.map(({ index, key, cause, remedy }) => {
      const declared = suite.gate[index];
      if (declared === undefined) throw new Error(`rule ${index} of the gate was not declared`);
      return diagnoseFrom(sourceOfKey(declared, key), { cause, remedy });
    }),
  };
}

function refuseGateless(kind: AskedLooks): Extract<Checked<never>, { readonly ok: false }> {
  const flag = LOOK_FLAGS[kind];
  return refused(
    `${flag} needs a gate rule that can be decided before the run ends, and this suite has none`,
    `add a rule with max_increase, max_decrease, max_rise or a max of a rate or latency, or remove ${flag}`,
  );
}

export function sourceOfKey({ sources }: DeclaredRule, key: string): Source {
  const source = sources[key] ?? sources[''];
  if (source === undefined) throw new Error('a rule without its place in the suite');
  return source;
}
