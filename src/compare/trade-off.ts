import type { Analysis, Measure } from '../analysis/analysis.ts';
import { groupBy } from '../analysis/grouping.ts';
import { hasNote } from '../analysis/noted.ts';
import { headlineLatency } from '../analysis/samples/headline.ts';
import { isTwin } from '../record/model/comparable.ts';
import type { Kind } from '../suite/format/kind.ts';

export interface TradeOff {
  readonly kind: Kind;
  /** The metrics that every variant has a value of. */
  readonly axes: readonly TradeOffAxis[];
  readonly variants: readonly TradeOffVariant[];
}

export interface TradeOffAxis {
  readonly metric: string;
  readonly statistic: string;
  readonly better: 'lower' | 'higher';
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
 * image is no worse image. A score is one where the suite says which is better, and where its controls do not speak
 * against it.
 */
export function tradeOffs({
  variants,
  measures,
  run,
  scorers = [],
  metrics,
}: Pick<Analysis, 'variants' | 'measures' | 'run' | 'scorers' | 'metrics'>): readonly TradeOff[] {
  const scores = new Set(scorers.flatMap((scorer) => scorer.metrics));
  const axes: readonly TradeOffAxis[] = [
    { metric: headlineLatency(run.plan.load), statistic: 'p50', better: 'lower' },
    { metric: 'cost.per_output', statistic: 'mean', better: 'lower' },
    { metric: 'error_rate', statistic: 'rate', better: 'lower' },
    { metric: 'block_rate', statistic: 'rate', better: 'lower' },
    { metric: 'determinism.byte', statistic: 'departure', better: 'lower' },
    ...metrics.flatMap(({ name, better }): TradeOffAxis[] =>
      scores.has(name) && better !== null ? [{ metric: name, statistic: 'mean', better }] : [],
    ),
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
    const isUsable = (measure: Measure | undefined) =>
      typeof measure?.value === 'number' && !CONTROL_FAULTS.some((code) => hasNote(measure.notes, code));
    const shared = axes.filter((axis) => names.every((name) => isUsable(measureOf(name, axis))));
    if (names.length < 2 || shared.length === 0) return [];
    const rows = names.map((variant) => {
      const own = shared.flatMap((axis) => measureOf(variant, axis) ?? []);
      // Less is better of each.
      const values = own.map(({ value }, at) =>
        shared[at]?.better === 'higher' ? -(value ?? -Infinity) : (value ?? Infinity),
      );
      return { variant, measures: own, values };
    });
    return [
      {
        kind,
        axes: shared,
        variants: rows.map(({ values, ...row }) => ({
          ...row,
          isOnFront: !rows.some((other) => dominates(other.values, values)),
        })),
      },
    ];
  });
}

const CONTROL_FAULTS = ['control_failed', 'too_few_for_control'] as const;

function dominates(a: readonly number[], b: readonly number[]): boolean {
  const pairs = a.map((value, at) => [value, b[at] ?? Infinity] as const);
  return pairs.every(([own, other]) => own <= other) && pairs.some(([own, other]) => own < other);
}
