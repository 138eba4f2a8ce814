import type { Analysis } from '../../analysis/analysis.ts';
import type { EffectiveSample } from '../../analysis/effective-sample.ts';
import type { Cell, VariantSummary } from '../../analysis/summaries.ts';
import { KIND_NAMES } from '../../kit/names.ts';
import { count, listed } from '../../kit/wording.ts';
import { type Fill, html, type Markup } from '../../markup/markup.ts';
import { cellOf, isMeasured } from '../../plan/plan.ts';
import type { ReportSource } from '../../report/reporter.ts';

import type { Kind } from '../../suite/kind.ts';
import type { Load } from '../../suite/load.ts';
import { sweepSteps } from '../../suite/sweep.ts';

interface SectionParts {
  readonly anchor: string;
  readonly title: string;
  readonly note?: Fill;
  /** Folded: how to read it, and where its numbers come from. */
  readonly more?: Fill;
  readonly content: Fill;
}

export function section({ anchor, title, note, more, content }: SectionParts): Markup {
  const heading = `${anchor}-title`;
  return html`<section id="${anchor}" aria-labelledby="${heading}">
<div class="about"><h3 id="${heading}">${title}</h3>
${isSaid(note) && html`<p class="note">${note}</p>`}${
  isSaid(more) && html`<details class="fold"><summary>How to read it</summary><p class="note">${more}</p></details>`
}</div>
<div class="content">
${content}
</div></section>
`;
}

function isSaid(words: Fill): boolean {
  return words !== undefined && words !== null && words !== false && words !== '';
}

/** Headings of results/README.md, which is part of the package: a page names them where a definition is meant. */
export const DEFINED_UNDER = [
  'measures.csv',
  'comparisons.csv',
  'Series',
  'Score outputs',
  'How far to trust a number',
] as const;

export function definedIn(...headings: readonly (typeof DEFINED_UNDER)[number][]): Markup {
  return html`More in <code>results/README.md</code> of Retake, under ${listed(headings)}.`;
}

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

/** True for several kinds, of which the page shows one at a time. */
export function hasTabs(variants: readonly Pick<VariantSummary, 'kind'>[]): boolean {
  return variants.some(({ kind }) => kind !== variants[0]?.kind);
}

/** Content that the style sheet hides under another kind's tab. Where all kinds are shown, its name is above it. */
export function ofKind(kind: Kind, variants: readonly Pick<VariantSummary, 'kind'>[], content: Fill): Markup {
  return hasTabs(variants)
    ? html`<div data-kind="${kind}"><h4 class="kind-name">${KIND_NAMES[kind]}</h4>
${content}</div>
`
    : html`${content}`;
}

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

/** What failed, by trial; null of a take that delivered. */
export interface FailedTakes {
  readonly take: (trial: string) => EffectiveSample | null;
  /** Of the row of its cause. Anchors are numbers, since ids come from the record. */
  readonly anchorOf: (trial: string) => string | null;
}

export function failedTakes({ analysis, samples }: Pick<ReportSource, 'analysis' | 'samples'>): FailedTakes {
  const keyOf = (...cause: readonly unknown[]): string => JSON.stringify(cause);
  const rows = new Map(
    analysis.failures.map(({ variant, outcome, code, httpStatus }, at) => [
      keyOf(variant, outcome, code, httpStatus),
      `failed-${at}`,
    ]),
  );
  const takes = new Map(
    samples.flatMap((take) => {
      const { sample, outcome, error } = take;
      const anchor = rows.get(keyOf(sample.trial.variant, outcome, error?.code ?? '', sample.httpStatus));
      return anchor !== undefined && isMeasured(sample.trial) ? [[sample.trial.id, { take, anchor }] as const] : [];
    }),
  );
  return { take: (trial) => takes.get(trial)?.take ?? null, anchorOf: (trial) => takes.get(trial)?.anchor ?? null };
}

/** Anchor of the first take of a cell that has one. */
export function failedAnchor({ takes }: Pick<Cell, 'takes'>, { anchorOf }: FailedTakes): string | null {
  return takes.map(({ trial }) => anchorOf(trial)).find((anchor) => anchor !== null) ?? null;
}
