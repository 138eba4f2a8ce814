import type { Calibration } from '../record/calibration.ts';
import type { Analysis } from './analysis.ts';
import type { Comparison } from './comparison.ts';
import { groupBy } from './grouping.ts';
import { headlineLatency } from './headline.ts';
import type { Measure, VariantSummary } from './summaries.ts';

export interface FloorEvidence {
  readonly measures: readonly Measure[];
  readonly floorMs: number | null;
}

/**
 * Marks differences below the floor with overlapping median intervals and no time-out. The floor is the spread of
 * single calls, so it makes no significant difference less so.
 */
export function markBelowFloor(
  comparisons: readonly Comparison[],
  { measures, floorMs }: FloorEvidence,
): readonly Comparison[] {
  if (floorMs === null) return comparisons;
  const whole = measures.filter(({ unit, prompt }) => unit === 'ms' && prompt === null);
  const byVariant = groupBy(whole, ({ variant }) => variant);
  const measureOf = (name: string, { metric, statistic, step }: Comparison) =>
    byVariant
      .get(name)
      ?.find((measure) => measure.metric === metric && measure.statistic === statistic && measure.step === step);
  return comparisons.map((comparison): Comparison => {
    const { variant, baseline, scope, effect, value } = comparison;
    // A timed-out call differs by more than any floor.
    if (effect !== 'ratio' || value === null || comparison.censoredBlocks > 0) return comparison;
    if (scope.of === 'prompt' || scope.of === 'tag') return comparison;
    const [one, other] = [measureOf(variant, comparison), measureOf(baseline, comparison)];
    if (one === undefined || other === undefined || other.value === null || !overlap(one, other)) return comparison;
    const isBelow = Math.abs(value - 1) * other.value < floorMs;
    return isBelow ? { ...comparison, notes: [...comparison.notes, { code: 'below_noise_floor' }] } : comparison;
  });
}

export interface IndistinctGroup {
  readonly step: number | null;
  readonly variants: readonly string[];
}

/**
 * Groups variants whose medians all differ by less than the noise floor and whose intervals overlap. The floor is of
 * single calls, so medians with disjoint intervals differ anyway. A median without an interval is in no group.
 */
export function indistinctGroups(
  { measures, run: { calibration, plan } }: Pick<Analysis, 'measures' | 'run'>,
  variants: readonly Pick<VariantSummary, 'name'>[],
): readonly IndistinctGroup[] {
  if (calibration === null) return [];
  const names = new Set(variants.map(({ name }) => name));
  const metric = headlineLatency(plan.load);
  const medians = measures.flatMap((measure): Median[] => {
    const { variant, prompt, value } = measure;
    const isMedian = prompt === null && measure.metric === metric && measure.statistic === 'p50';
    return isMedian && names.has(variant) && value !== null && measure.ciLow !== null ? [{ ...measure, value }] : [];
  });
  const mayBeTheMachine = (a: Median, b: Median) => isBelowFloor(a.value - b.value, calibration) && overlap(a, b);
  return [...groupBy(medians, ({ step }) => step)].flatMap(([step, stepMedians]) =>
    closeGroups(stepMedians, mayBeTheMachine).map((group) => ({ step, variants: group.map(({ variant }) => variant) })),
  );
}

type Median = Measure & { readonly value: number };

/** Largest groups of neighbouring medians that are all close. Groups may overlap: closeness is not transitive. */
function closeGroups(
  medians: readonly Median[],
  isClose: (a: Median, b: Median) => boolean,
): readonly (readonly Median[])[] {
  const ordered = medians.toSorted((a, b) => a.value - b.value);
  const groups: Median[][] = [];
  let reached = 0;
  for (const from of ordered.keys()) {
    const group = ordered.slice(from, from + 1);
    for (const next of ordered.slice(from + 1)) {
      if (!group.every((member) => isClose(member, next))) break;
      group.push(next);
    }
    const to = from + group.length;
    // A group with an earlier end is part of the earlier group.
    if (group.length > 1 && to > reached) groups.push(group);
    reached = Math.max(reached, to);
  }
  return groups;
}

/** False if an interval is unknown. An open end is at time-outs. */
function overlap(a: Measure, b: Measure): boolean {
  if (a.ciLow === null || b.ciLow === null) return false;
  return a.ciLow <= (b.ciHigh ?? Infinity) && b.ciLow <= (a.ciHigh ?? Infinity);
}

/** Whether a difference of either sign is below the machine's noise floor; false without calibration. */
export function isBelowFloor(differenceMs: number, calibration: Pick<Calibration, 'floorMs'> | null): boolean {
  return calibration !== null && Math.abs(differenceMs) < calibration.floorMs;
}
