import { sum } from '../../statistics/samples/mean.ts';
import type { FailureGroup, VariantSummary } from '../analysis.ts';
import { ANSWERABLE, FAILED } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import { ownTimeMs } from '../samples/span.ts';
import type { WarningOf } from '../warning-codes/coded-warning.ts';
import type { FailureKind } from '../warning-codes/failure-warning.ts';
import type { WarningRule } from './evidence.ts';

/** Above this share of failures, or of missing pairs, latencies no longer speak for the whole. */
const TOO_MANY = 0.05;

export const defects: WarningRule = ({ variants }) => {
  const broken = sum(variants.map(({ outcomes }) => outcomes.defect ?? 0));
  if (broken === 0) return [];
  return [{ code: 'defects', trials: broken }];
};

/** Variants that fail often: what is left is a choice of the easy trials. */
export const failures: WarningRule = ({ variants, failures: groups }) =>
  variants.flatMap((variant) => {
    const { failed, counted: all } = failuresOf(variant);
    if (all === 0 || failed / all <= TOO_MANY) return [];
    const largest = groups.find(({ variant: name, outcome }) => name === variant.name && FAILED.has(outcome));
    const mostOften = largest === undefined ? null : kindOf(largest);
    return [{ code: 'many_failures', variant: variant.name, failed, takes: all, mostOften }];
  });

export const missingPairs: WarningRule = ({ variants, trials, plan }) => {
  if (plan.load.mode === 'open') return []; // Its variants are not paired, and dropped starts have a warning.

  const byKind = groupBy(variants, ({ kind }) => kind);
  const usable = groupBy(
    trials.filter(({ outcome }) => outcome === 'ok' || outcome === 'timed_out'),
    ({ sample }) => sample.trial.variant,
  );
  const blocksOf = ({ name }: VariantSummary) =>
    new Set((usable.get(name) ?? []).map(({ sample }) => sample.trial.block));
  const found: WarningOf<'missing_pairs'>[] = [];
  for (const members of byKind.values()) {
    for (const { variant, baseline } of comparedPairs(members)) {
      const reference = blocksOf(baseline);
      const own = blocksOf(variant);
      const baselineMissing = [...own].filter((block) => !reference.has(block)).length;
      const variantMissing = [...reference].filter((block) => !own.has(block)).length;
      const pairs = own.size + variantMissing;
      if (pairs === 0 || (variantMissing + baselineMissing) / pairs <= TOO_MANY) continue;
      found.push({
        code: 'missing_pairs',
        variant: variant.name,
        baseline: baseline.name,
        pairs,
        variantMissing,
        baselineMissing,
      });
    }
  }
  return found;
};

/** A variant is compared with its baseline variant, and with its twin of the stored baseline. */
function comparedPairs(
  members: readonly VariantSummary[],
): readonly { readonly variant: VariantSummary; readonly baseline: VariantSummary }[] {
  const own = members.filter(({ twinOf }) => twinOf === null);
  const twins = members.filter(({ twinOf }) => twinOf !== null);
  const marked = own.find((variant) => variant.baseline) ?? own[0];
  return own.flatMap((variant) => [
    ...(marked === undefined || marked === variant ? [] : [{ variant, baseline: marked }]),
    ...twins.filter(({ twinOf }) => twinOf === variant.name).map((baseline) => ({ variant, baseline })),
  ]);
}

export const undecodable: WarningRule = ({ failures: groups }) => {
  const broken = groups.flatMap(({ variant, count, undecodable: reason }) =>
    reason === null ? [] : [{ variant, count, reason }],
  );
  const [largest] = broken;
  if (largest === undefined) return [];
  return [
    {
      code: 'undecodable_outputs',
      variants: broken.map(({ variant }) => variant),
      outputs: sum(broken.map(({ count }) => count)),
      reason: largest.reason,
    },
  ];
};

/** Also counts refusals that were waited out. */
export const throttling: WarningRule = ({ run: { shards }, trials, plan }) => {
  const refused = trials.filter(({ sample, outcome }) => sample.throttleWaitMs > 0 || outcome === 'throttled');
  if (refused.length === 0) return [];
  const names = new Set(refused.map(({ sample }) => sample.trial.variant));
  // Of several machines nobody knows what the service served at one time.
  const isTimed = shards === null || shards.of < 2;
  const own = trials.filter(({ sample, outcome }) => names.has(sample.trial.variant) && outcome !== 'throttled');
  const timeMs = ownTimeMs(trials.filter(({ sample }) => names.has(sample.trial.variant)).map(({ sample }) => sample));
  return [
    {
      code: 'rate_limited',
      variants: [...names],
      trials: refused.length,
      waitedMs: sum(refused.map(({ sample }) => sample.throttleWaitMs)),
      mode: plan.load.mode,
      concurrency: plan.load.concurrency,
      servedPerSecond: !isTimed || own.length < 2 || timeMs === 0 ? null : own.length / (timeMs / 1000),
    },
  ];
};

function failuresOf({ outcomes }: VariantSummary): { failed: number; counted: number } {
  const total = (among: ReadonlySet<string>) =>
    sum(Object.entries(outcomes).map(([outcome, count]) => (among.has(outcome) ? count : 0)));
  return { failed: total(FAILED), counted: total(ANSWERABLE) };
}

function kindOf({ outcome, code, httpStatus, count, message, undecodable }: FailureGroup): FailureKind {
  return { outcome, errorCode: code, httpStatus, count, message, undecodable };
}
