import type { VariantSummary } from '../../../analysis/analysis.ts';
import type { Load } from '../../../suite/format/load.ts';
import { count } from '../../../text/wording.ts';
import { sweepSteps } from '../../words/load-words.ts';

/** Latencies that may be pooled: of a variant; of a sweep, of a variant at one step. */
export interface MarkupScope {
  readonly variant: VariantSummary;
  readonly step: number | null;
}

export function scopesOf(variants: readonly VariantSummary[], load: Load): readonly MarkupScope[] {
  const steps = sweepSteps(load) ?? [null];
  return variants.flatMap((variant) => steps.map((step) => ({ variant, step })));
}

export function stepsOf(load: Load): number {
  return sweepSteps(load)?.length ?? 1;
}

/** `fast`, `fast, concurrency 4`. */
export function scopeName({ variant, step }: MarkupScope): string {
  return step === null ? variant.name : `${variant.name}, concurrency ${count(step)}`;
}

/** `fast at 4`. */
export function shortScopeName({ variant, step }: MarkupScope): string {
  return step === null ? variant.name : `${variant.name} at ${count(step)}`;
}

export function scopeKey(variant: string, step: number | null): string {
  return JSON.stringify([variant, step]);
}
