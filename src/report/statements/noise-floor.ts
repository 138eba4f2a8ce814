import type { Analysis, VariantSummary } from '../../analysis/analysis.ts';
import { headlineLatency } from '../../analysis/samples/headline.ts';
import { isBelowFloor } from '../../calibrate/floor.ts';
import { listedInShort } from '../../text/listed.ts';
import { count, duration } from '../../text/quantity.ts';

/** A variant's median latency and its 95 % interval, in milliseconds; an end is null where it lies among time-outs. */
interface Median {
  readonly name: string;
  readonly ms: number;
  readonly lowMs: number;
  readonly highMs: number | null;
}

/**
 * A sentence for each group of variants whose median latencies all differ by less than the noise floor of the machine that
 * measured them, and whose intervals all overlap: such differences may be the machine's. The floor is of single calls at
 * one moment, so medians with disjoint intervals differ whatever the floor says, and of a median without an interval nothing
 * is said. None where the machine was not calibrated. Of a sweep, group by group at each step. Holds names of variants,
 * which are others' text.
 */
export function indistinctVariants(
  { measures, run: { calibration, plan } }: Pick<Analysis, 'measures' | 'run'>,
  variants: readonly Pick<VariantSummary, 'name'>[],
): readonly string[] {
  if (calibration === null) return [];
  const names = new Set(variants.map(({ name }) => name));
  const metric = headlineLatency(plan.load);
  const steps = new Map<number | null, Median[]>();
  for (const { variant, prompt, step, metric: measured, statistic, value, ciLow, ciHigh } of measures) {
    if (!names.has(variant) || prompt !== null || measured !== metric || statistic !== 'p50') continue;
    if (value === null || ciLow === null) continue;
    const medians = steps.get(step) ?? [];
    steps.set(step, [...medians, { name: variant, ms: value, lowMs: ciLow, highMs: ciHigh }]);
  }
  const mayBeTheMachine = (a: Median, b: Median) => isBelowFloor(a.ms - b.ms, calibration) && overlap(a, b);
  return [...steps].flatMap(([step, medians]) =>
    closeGroups(medians, mayBeTheMachine).map(
      (group) =>
        `The difference between ${step === null ? '' : `p50 at concurrency ${count(step)} of `}${listedInShort(group)} may come from this machine: ` +
        `their medians differ by less than its noise floor of ${duration(calibration.floorMs)}, and their intervals overlap.`,
    ),
  );
}

function overlap(a: Median, b: Median): boolean {
  return a.lowMs <= (b.highMs ?? Infinity) && b.lowMs <= (a.highMs ?? Infinity);
}

/**
 * Names of every group that is as large as it can be, of medians next to each other that are close, each to each. Groups
 * may overlap: a may be close to b and b to c without a being close to c.
 */
function closeGroups(medians: readonly Median[], isClose: (a: Median, b: Median) => boolean): readonly string[][] {
  const ordered = medians.toSorted((a, b) => a.ms - b.ms);
  const groups: string[][] = [];
  let reached = 0;
  for (const from of ordered.keys()) {
    const group = ordered.slice(from, from + 1);
    for (const next of ordered.slice(from + 1)) {
      if (!group.every((each) => isClose(each, next))) break;
      group.push(next);
    }
    const to = from + group.length;
    // One that ends where an earlier one ended is a part of it.
    if (group.length > 1 && to > reached) groups.push(group.map(({ name }) => name));
    reached = Math.max(reached, to);
  }
  return groups;
}
