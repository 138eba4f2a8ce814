import type { Analysis, Measure } from '../analysis/analysis.ts';
import { groupBy } from '../analysis/grouping.ts';
import { headlineLatency } from '../analysis/samples/headline.ts';
import { isTwin } from '../record/model/comparable.ts';
import type { Kind } from '../suite/format/kind.ts';

/** Less is better on every axis. */
export interface TradeOff {
  readonly kind: Kind;
  /** The metrics that every variant has a value of. */
  readonly axes: readonly TradeOffAxis[];
  readonly variants: readonly TradeOffVariant[];
}

export interface TradeOffAxis {
  readonly metric: string;
  readonly statistic: string;
}

export interface TradeOffVariant {
  readonly variant: string;
  /** In the order of the axes. */
  readonly measures: readonly Measure[];
  /** On the Pareto front: no other variant is at least as good on every axis and better on one. By the values alone. */
  readonly isOnFront: boolean;
}

/**
 * For each kind with two variants or more, but not of a sweep, which has a trade-off at each step. Variants sent again
 * from a stored baseline are left out: nobody can choose them. Similarity to the baseline variant is no axis: another
 * image is no worse image.
 */
export function tradeOffs({
  variants,
  measures,
  run,
}: Pick<Analysis, 'variants' | 'measures' | 'run'>): readonly TradeOff[] {
  const axes: readonly TradeOffAxis[] = [
    { metric: headlineLatency(run.plan.load), statistic: 'p50' },
    { metric: 'cost.per_output', statistic: 'mean' },
    { metric: 'error_rate', statistic: 'rate' },
    { metric: 'block_rate', statistic: 'rate' },
    { metric: 'determinism.byte', statistic: 'departure' },
  ];
  const whole = groupBy(
    measures.filter(({ prompt, step }) => prompt === null && step === null),
    ({ variant }) => variant,
  );
  const measureOf = (variant: string, axis: TradeOffAxis) =>
    whole.get(variant)?.find((measure) => measure.metric === axis.metric && measure.statistic === axis.statistic);
  const kinds = [...new Set(variants.map(({ kind }) => kind))];
  return kinds.flatMap((kind): TradeOff[] => {
    const names = variants.filter((variant) => variant.kind === kind && !isTwin(variant)).map(({ name }) => name);
    const shared = axes.filter((axis) => names.every((name) => typeof measureOf(name, axis)?.value === 'number'));
    if (names.length < 2 || shared.length === 0) return [];
    const rows = names.map((variant) => ({
      variant,
      measures: shared.map((axis) => measureOf(variant, axis)).filter((measure) => measure !== undefined),
    }));
    return [
      {
        kind,
        axes: shared,
        variants: rows.map((row) => ({ ...row, isOnFront: !rows.some((other) => dominates(other, row)) })),
      },
    ];
  });
}

type TradeOffRow = Pick<TradeOffVariant, 'measures'>;

function dominates(a: TradeOffRow, b: TradeOffRow): boolean {
  const valueAt = ({ measures }: TradeOffRow, at: number) => measures[at]?.value ?? Infinity;
  const axes = [...a.measures.keys()];
  return axes.every((at) => valueAt(a, at) <= valueAt(b, at)) && axes.some((at) => valueAt(a, at) < valueAt(b, at));
}
