import type { Analysis, VariantSummary } from '../analysis/analysis.ts';
import { headlineLatency } from '../analysis/headline.ts';
import { listed } from '../analysis/wording.ts';
import { isBelowFloor } from '../calibrate/floor.ts';
import { count, duration } from './quantity.ts';

/** A variant's median latency in milliseconds. */
interface Median {
  readonly name: string;
  readonly ms: number;
}

/**
 * A sentence for each group of variants whose median latencies all differ by less than the noise floor of the machine that
 * measured them: such differences are not to be reported as differences. None where it was not calibrated. Of a sweep,
 * group by group at each step. Holds names of variants, which are others' text.
 */
export function indistinctVariants(
  { measures, run: { calibration, plan } }: Pick<Analysis, 'measures' | 'run'>,
  variants: readonly Pick<VariantSummary, 'name'>[],
): readonly string[] {
  if (calibration === null) return [];
  const names = new Set(variants.map(({ name }) => name));
  const metric = headlineLatency(plan.load);
  const steps = new Map<number | null, Median[]>();
  for (const { variant, prompt, step, metric: measured, statistic, value } of measures) {
    if (!names.has(variant) || prompt !== null || measured !== metric || statistic !== 'p50' || value === null)
      continue;
    const medians = steps.get(step) ?? [];
    steps.set(step, [...medians, { name: variant, ms: value }]);
  }
  return [...steps].flatMap(([step, medians]) =>
    closeGroups(medians, (difference) => isBelowFloor(difference, calibration)).map(
      (group) =>
        `${step === null ? '' : `At ${count(step)} in flight `}${listed(group)} differ by less than this machine can tell: ` +
        `their median latencies lie within its noise floor of ${duration(calibration.floorMs)}.`,
    ),
  );
}

/**
 * Names of every group that is as large as it can be and whose medians all lie close together. Groups may overlap: a may
 * be close to b and b to c without a being close to c.
 */
function closeGroups(medians: readonly Median[], isClose: (differenceMs: number) => boolean): readonly string[][] {
  const ordered = medians.toSorted((a, b) => a.ms - b.ms);
  const groups: string[][] = [];
  let reached = 0;
  for (const [from, { ms }] of ordered.entries()) {
    let to = from + 1;
    while (to < ordered.length && isClose((ordered[to]?.ms ?? Infinity) - ms)) to += 1;
    // One that ends where an earlier one ended is a part of it.
    if (to - from > 1 && to > reached) groups.push(ordered.slice(from, to).map(({ name }) => name));
    reached = Math.max(reached, to);
  }
  return groups;
}
