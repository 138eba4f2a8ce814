import type { Metric } from '../../../analysis/measures/metric.ts';
import type { Run } from '../../../record/model/run.ts';
import { checkRules } from './check-rules.ts';
import type { RuleFault } from './rule-fault.ts';

/**
 * What is wrong with the rules that a run.json holds: nothing as Retake wrote it, since a suite with such rules is refused before anything
 * is sent. A file that was changed later may hold any.
 */
export function checkRecordedRules(
  { gate, variants, leftOut, prompts, plan }: Run,
  metrics: readonly Metric[],
): readonly RuleFault[] {
  const absent = leftOut.map(({ variant, twinOf, kind }) => ({
    name: variant,
    twinOf,
    kind,
    baseline: twinOf === null && !variants.some((each) => each.kind === kind && each.baseline),
    timeoutMs: Infinity,
  }));
  const { load, repeats } = plan;
  const probes = plan.probes?.kinds ?? [];
  return checkRules({ rules: gate, variants: [...variants, ...absent], prompts, load, repeats, probes, metrics });
}
