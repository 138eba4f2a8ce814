import type { Analysis, Measure } from '../../analysis/analysis.ts';
import { visibleLine } from '../../text/visible.ts';

/** A measure that has a value. */
export type WholeMeasure = Measure & { readonly value: number };

/**
 * The measures over all prompts that have a value, of a sweep at each step: what services that keep series of numbers take. Without
 * those of a stored baseline, which has a series already.
 */
export function wholeMeasures({
  measures,
  variants,
}: Pick<Analysis, 'measures' | 'variants'>): readonly WholeMeasure[] {
  const own = new Set(variants.filter(({ twinOf }) => twinOf === null).map(({ name }) => name));
  return measures.filter(
    (measure): measure is WholeMeasure => measure.prompt === null && measure.value !== null && own.has(measure.variant),
  );
}

/** What a series is called: the variant, of a sweep with its concurrency. */
export function benchmarkName({ variant, step }: Pick<Measure, 'variant' | 'step'>): string {
  return visibleLine(step === null ? variant : `${variant} at concurrency ${step}`);
}
