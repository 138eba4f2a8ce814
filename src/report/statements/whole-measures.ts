import type { Analysis, Measure } from '../../analysis/analysis.ts';
import { visibleLine } from '../../text/visible.ts';

export type WholeMeasure = Measure & { readonly value: number };

/** For services that keep series of numbers; a stored baseline is left out: it has a series already. */
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
