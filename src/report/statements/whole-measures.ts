import type { Analysis, Measure } from '../../analysis/analysis.ts';
import { visibleLine } from '../../text/visible.ts';

export type WholeMeasure = Measure & { readonly value: number };

/**
 * The measures over all prompts that have a value, of a sweep at each step, for services that keep series of numbers.
 * Measures of a stored baseline are left out: it has a series already.
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

/** The name of a series: the variant, of a sweep with its concurrency. */
export function benchmarkName({ variant, step }: Pick<Measure, 'variant' | 'step'>): string {
  return visibleLine(step === null ? variant : `${variant} at concurrency ${step}`);
}
