import type { Analysis } from '../../analysis/analysis.ts';
import type { Cell, VariantSummary } from '../../analysis/summaries.ts';
import { KIND_NAMES } from '../../kit/names.ts';
import { count } from '../../kit/wording.ts';
import { type Fill, html, type Markup } from '../../markup/markup.ts';
import { cellOf } from '../../plan/plan.ts';
import { sweepSteps } from '../../report/run-statement.ts';
import type { Kind } from '../../suite/kind.ts';
import type { Load } from '../../suite/load.ts';

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

export function scopeKey(variant: string, step: number | null): string {
  return JSON.stringify([variant, step]);
}

/** Whether the page has tabs: of several kinds it shows one at a time. */
export function hasTabs(variants: readonly Pick<VariantSummary, 'kind'>[]): boolean {
  return variants.some(({ kind }) => kind !== variants[0]?.kind);
}

/** Content that the style sheet hides beside the tab of another kind; without tabs its name stands above it. */
export function ofKind(kind: Kind, variants: readonly Pick<VariantSummary, 'kind'>[], content: Fill): Markup {
  return hasTabs(variants)
    ? html`<div data-kind="${kind}"><h4 class="kind-name">${KIND_NAMES[kind]}</h4>
${content}</div>
`
    : html`${content}`;
}

/** Without a delivered take there is no latency, no output and nothing to compare. */
export function anyDelivered(variants: readonly Pick<VariantSummary, 'outcomes'>[]): boolean {
  return variants.some(({ outcomes }) => (outcomes.ok ?? 0) > 0);
}

/** Anchors are numbers, since names are hostile text. */
export interface Places {
  readonly cell: (variant: string, prompt: string, seed: number) => Cell | null;
  readonly number: (cell: Cell) => number;
}

export function cellsByPlace(analysis: Analysis): Places {
  const cells = new Map(analysis.cells.map((cell) => [cellOf(cell), cell]));
  const numbers = new Map(analysis.cells.map((cell, index) => [cell, index]));
  return {
    cell: (variant, prompt, seed) => cells.get(cellOf({ variant, prompt, seed })) ?? null,
    number: (cell) => numbers.get(cell) ?? 0,
  };
}

export function cellAnchor(places: Places, cell: Cell): string {
  return `cell-${places.number(cell)}`;
}
