import type { Metric } from '../../../analysis/measures/metric.ts';
import type { Run } from '../../../record/model/run.ts';
import { checkRules } from './check-rules.ts';
import type { RuleFault } from './rule-fault.ts';

/**
 * Retake refuses a suite with such rules before it sends anything, so only a run.json that was changed later has
 * faults.
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
