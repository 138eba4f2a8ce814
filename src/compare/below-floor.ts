import type { Measure } from '../analysis/analysis.ts';
import { groupBy } from '../analysis/grouping.ts';
import type { Comparison } from './comparison.ts';

/** What tells a difference of two variants from what the machine itself may make. */
export interface FloorEvidence {
  readonly measures: readonly Measure[];
  /** The noise floor of the machine that measured, in milliseconds; null where it was not calibrated. */
  readonly floorMs: number | null;
}

/**
 * Marks the comparisons of latencies over all blocks whose difference, the ratio of the baseline variant's median, is below the
 * noise floor of the machine while the intervals of both medians overlap, and in which no take timed out. The floor is the spread of
 * single calls: it tells how large a difference is, and does not make a significant one less so.
 */
export function markBelowFloor(
  comparisons: readonly Comparison[],
  { measures, floorMs }: FloorEvidence,
): readonly Comparison[] {
  if (floorMs === null) return comparisons;
  const whole = measures.filter(({ unit, prompt }) => unit === 'ms' && prompt === null);
  const byVariant = groupBy(whole, ({ variant }) => variant);
  const measureOf = (name: string, { metric, statistic, step }: Comparison) =>
    byVariant.get(name)?.find((each) => each.metric === metric && each.statistic === statistic && each.step === step);
  return comparisons.map((comparison): Comparison => {
    const { variant, baseline, scope, effect, value } = comparison;
    // A call that timed out differs by more than any floor.
    if (effect !== 'ratio' || value === null || comparison.censoredBlocks > 0) return comparison;
    if (scope.of === 'prompt' || scope.of === 'tag') return comparison;
    const [one, other] = [measureOf(variant, comparison), measureOf(baseline, comparison)];
    if (one === undefined || other === undefined || other.value === null || !overlap(one, other)) return comparison;
    const isBelow = Math.abs(value - 1) * other.value < floorMs;
    return isBelow ? { ...comparison, notes: [...comparison.notes, { code: 'below_noise_floor' }] } : comparison;
  });
}

/** Of a median without an interval nothing is known. An end that is open lies among time-outs. */
function overlap(a: Measure, b: Measure): boolean {
  if (a.ciLow === null || b.ciLow === null) return false;
  return a.ciLow <= (b.ciHigh ?? Infinity) && b.ciLow <= (a.ciHigh ?? Infinity);
}
