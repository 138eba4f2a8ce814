import type { Analysis, Measure } from '../../analysis/analysis.ts';
import { visibleLine } from '../../text/visible.ts';

/** A measure that has a value. */
export type WholeMeasure = Measure & { readonly value: number };

/** The measures over all prompts that have a value, of a sweep at each step: what services that keep series of numbers take. */
export function wholeMeasures({ measures }: Pick<Analysis, 'measures'>): readonly WholeMeasure[] {
  return measures.filter((measure): measure is WholeMeasure => measure.prompt === null && measure.value !== null);
}

/** What a series is called: the variant, of a sweep with its concurrency. */
export function benchmarkName({ variant, step }: Pick<Measure, 'variant' | 'step'>): string {
  return visibleLine(step === null ? variant : `${variant} at concurrency ${step}`);
}
