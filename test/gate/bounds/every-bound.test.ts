import { metricsOf } from '../../../src/analysis/metrics.ts';
import { assess } from '../../../src/gate/assess.ts';
import type { RuleResult } from '../../../src/gate/verdict.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import type { Bound, GateRule, WrittenIs } from '../../../src/suite/rule.ts';
import { keepsTheBoundContract } from '../../contracts/bound.ts';
import { only } from '../../fixtures/only.ts';
import { chance, failed, gated, gateRule, ORDINARY, ok, scriptedRun } from '../../fixtures/scripted-run.ts';

const PAIR = { ...ORDINARY, variants: ORDINARY.variants.slice(0, 2), concurrency: 1 };

/** A run in which `fast` takes so many times as long as `standard`, and fails so often. */
function runWith(ratio: number, failures = 0): StoredRun {
  return scriptedRun({
    ...PAIR,
    tell: (variant, ...where) =>
      variant === 'fast' && chance(...where) < failures
        ? failed()
        : ok((variant === 'fast' ? ratio : 1) * 1000 * (0.97 + 0.06 * chance(variant, ...where))),
  });
}

/** The outputs of `fast` are less sharp. */
function blurred(record: StoredRun): StoredRun {
  const outputs = new Set(
    record.samples.flatMap((sample) =>
      sample.outcome === 'ok' && sample.trial.variant === 'fast' ? [sample.outputs[0].sha256] : [],
    ),
  );
  const facts = record.facts.map((fact) =>
    fact.fact === 'output' && fact.decodes === true && fact.shown !== null && outputs.has(fact.sha256)
      ? { ...fact, shown: { ...fact.shown, first: { ...fact.shown.first, sharpness: 10 } } }
      : fact,
  );
  return { ...record, facts };
}

interface Example {
  readonly metric: string;
  readonly bound: Bound;
  readonly written: unknown;
  readonly within: StoredRun;
  readonly beyond: StoredRun;
}

/** Of each bound that a rule of the gate may have; those of claims are in `claim.test.ts`. */
const EXAMPLES: { readonly [Is in WrittenIs]: Example & { readonly bound: { readonly is: Is } } } = {
  max: {
    metric: 'error_rate',
    bound: { is: 'max', value: 0.2 },
    written: '20%',
    within: runWith(1),
    beyond: runWith(1, 0.7),
  },
  min: {
    metric: 'latency.total',
    bound: { is: 'min', value: 500 },
    written: '500ms',
    within: runWith(1),
    beyond: runWith(0.1),
  },
  max_increase: {
    metric: 'latency.total',
    bound: { is: 'max_increase', share: 0.05 },
    written: '5%',
    within: runWith(1),
    beyond: runWith(1.3),
  },
  max_decrease: {
    metric: 'signal.sharpness',
    bound: { is: 'max_decrease', amount: 20 },
    written: 20,
    within: runWith(1),
    beyond: blurred(runWith(1)),
  },
  max_rise: {
    metric: 'error_rate',
    bound: { is: 'max_rise', share: 0.05 },
    written: '5%',
    within: runWith(1),
    beyond: runWith(1, 0.7),
  },
  none: {
    metric: 'error_rate',
    bound: { is: 'none', event: 'error' },
    written: 'error',
    within: runWith(1),
    beyond: runWith(1, 0.3),
  },
};

function resultOf(rule: GateRule, record: StoredRun): RuleResult {
  return only(assess(gated(record, [rule]), metricsOf([rule])).verdict.rules);
}

for (const [is, { metric, bound, written, within, beyond }] of Object.entries(EXAMPLES)) {
  const rule = gateRule(metric, bound, { variants: ['fast'] });
  keepsTheBoundContract(is, {
    rule,
    written,
    passing: () => resultOf(rule, within),
    failing: () => resultOf(rule, beyond),
    empty: () => resultOf(rule, { ...within, samples: [], facts: [] }),
  });
}
