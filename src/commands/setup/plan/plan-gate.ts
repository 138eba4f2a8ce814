import type { PlannedCase } from '../../../compare/gate/planning/planned-case.ts';
import type { PreparedSuite } from '../../../prepare/prepare-suite.ts';
import { type Diagnostic, diagnoseFrom, type Source } from '../../../suite/document/diagnostic.ts';
import type { DeclaredRule } from '../../../suite/format/suite.ts';
import { refuseGateless } from './choose-looks.ts';

/** What the gate of a suite could find with a plan, or why its rules are refused. */
export type GateOfPlan =
  | { readonly ok: true; readonly cases: readonly PlannedCase[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Checks the rules of a suite against its plan: errors at their places, else what each rule could find. */
export async function planSuiteGate({ suite, variants, leftOut, plan }: PreparedSuite): Promise<GateOfPlan> {
  // Loads what weighs a gate only for suites with one.
  if (suite.gate.length === 0) return plan.looks === null ? { ok: true, cases: [] } : refuseGateless(plan.looks.kind);
  const [{ metricsOf }, { checkRules }, { kindOf }, { planGate }, { ruleFaultWords }] = await Promise.all([
    import('../../../analysis/metrics.ts'),
    import('../../../compare/gate/planning/check-rules.ts'),
    import('../../../compare/gate/bounds.ts'),
    import('../../../compare/gate/planning/plan-gate.ts'),
    import('../../../report/words/gate/rule-fault-words.ts'),
  ]);
  const rules = suite.gate.map(({ rule }) => rule);
  const { cases: prompts, load, repeats, probes } = suite;
  const shared = { rules, prompts, load, repeats, probes, metrics: metricsOf(rules) };
  // A rule about variants that this machine cannot measure is not wrong: their kind keeps a baseline variant.
  const absent = leftOut.map(({ variant, twinOf, kind }) => ({
    name: variant,
    twinOf,
    kind,
    baseline:
      twinOf === null &&
      !variants.some((each) => each.kind === kind && each.baseline) &&
      leftOut.find((each) => each.kind === kind)?.variant === variant,
    timeoutMs: Infinity,
  }));
  const writtenAs = suite.gate.map((declared) => declared.writtenAs);
  const wrong = checkRules({ ...shared, variants: [...variants, ...absent], writtenAs });
  const planned = wrong.length > 0 ? { cases: [], faults: wrong } : planGate({ ...shared, variants, plan });
  if (planned.faults.length === 0) {
    const isLooked = planned.cases.some(
      ({ ruleCase }) => kindOf(ruleCase.rule).lookPart(ruleCase.rule, shared.metrics) === 'each_look',
    );
    return plan.looks === null || isLooked ? { ok: true, cases: planned.cases } : refuseGateless(plan.looks.kind);
  }
  return {
    ok: false,
    diagnostics: planned.faults.map(({ index, key, ...fault }) => {
      const declared = suite.gate[index];
      if (declared === undefined) throw new Error(`rule ${index} of the gate was not declared`);
      return diagnoseFrom(sourceOfKey(declared, key), ruleFaultWords(fault));
    }),
  };
}

export function sourceOfKey({ sources }: DeclaredRule, key: string): Source {
  const source = sources[key] ?? sources[''];
  if (source === undefined) throw new Error('a rule without its place in the suite');
  return source;
}
