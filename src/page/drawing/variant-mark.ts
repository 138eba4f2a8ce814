import type { VariantSummary } from '../../analysis/summaries.ts';
import { shownName } from '../../kit/names.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { baselineOf, isTwin, twinOf } from '../../record/compared-variants.ts';
import { byKind } from '../../report/statement.ts';

/** Outlines in a box from -5 to 5; the style sheet has the same shapes, and as many colours, none of them red. */
const OUTLINES = [
  'M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0Z',
  'M-3.6,-3.6h7.2v7.2h-7.2Z',
  'M0,-4.6L4.4,3.6H-4.4Z',
  'M0,-5L4,0L0,5L-4,0Z',
  'M0,-5L1.5,-1.6L4.8,-1.5L2.2,0.8L3,4.2L0,2.2L-3,4.2L-2.2,0.8L-4.8,-1.5L-1.5,-1.6Z',
  'M-1.6,-4.6H1.6V-1.6H4.6V1.6H1.6V4.6H-1.6V1.6H-4.6V-1.6H-1.6Z',
  'M0,4.6L4.4,-3.6H-4.4Z',
  'M-4,-4.4H4L-4,4.4H4Z',
  'M-4.4,-2.2L-2.2,-4.4L0,-2.2L2.2,-4.4L4.4,-2.2L2.2,0L4.4,2.2L2.2,4.4L0,2.2L-2.2,4.4L-4.4,2.2L-2.2,0Z',
  'M4.6,0L-3.6,4.4V-4.4Z',
  'M-4.4,-4V4L4.4,-4V4Z',
  'M-4.6,0L3.6,4.4V-4.4Z',
] as const;

/** A colour and a shape: neither is twice among 12 variants of a kind. The first is of the baseline variant. */
export interface VariantMark {
  /** Classes with which the style sheet draws the mark: shorter than a drawing where there are many. */
  readonly classes: string;
  readonly fill: string;
  readonly outline: string;
}

const OTHERS = OUTLINES.length - 1;

export type VariantMarks = (variant: string) => VariantMark;

/** Marks are unique among 122 variants of a kind. Baseline variants, and variants with the same constants, share one. */
export function variantMarks(
  variants: readonly Pick<VariantSummary, 'name' | 'kind' | 'baseline' | 'constants'>[],
): VariantMarks {
  const marks = new Map<string, VariantMark>();
  const numbers = new Map<string, number>();
  for (const [, ofKind] of byKind(variants)) {
    const taken = new Set<number>();
    for (const { name, baseline, constants } of ofKind) {
      if (baseline) marks.set(name, markOf(0, 0));
      else {
        const key = JSON.stringify(constants);
        let number = numbers.get(key) ?? numbers.size;
        while (taken.has(number)) number += 1;
        if (!numbers.has(key)) numbers.set(key, number);
        taken.add(number);
        const turn = Math.floor(number / OTHERS);
        marks.set(name, markOf(1 + (number % OTHERS), 1 + ((number + turn) % OTHERS)));
      }
    }
  }
  return (variant) => marks.get(variant) ?? markOf(0, 0);
}

function markOf(colour: number, shape: number): VariantMark {
  const outline = OUTLINES[shape] ?? OUTLINES[0];
  return { classes: `marked v${colour} s${shape}`, fill: `var(--variant-${colour})`, outline };
}

export function markSign({ fill, outline }: VariantMark): Markup {
  return html`<svg class="mark" viewBox="-5.5 -5.5 11 11" aria-hidden="true"><path d="${outline}" fill="${fill}"/></svg>`;
}

export function markedName(name: string, marks: VariantMarks): Markup {
  return html`${markSign(marks(name))}<span class="name">${shownName(name)}</span>`;
}

/** What a variant is beside the others: one that is compared with nothing has no tag; beside a stored baseline only what is new has one. */
export function variantTags(variant: VariantSummary, variants: readonly VariantSummary[]): readonly (Markup | false)[] {
  const isNew = twinOf(variant, variants) !== null;
  const isCompared = variants.some((other) => baselineOf(other, variants) === variant && !isTwin(other));
  return [
    variant.baseline && isCompared && !isNew && html` <span class="tag">baseline</span>`,
    isNew && html` <span class="tag">new</span>`,
    variant.abandoned !== null && html` <span class="tag">left out</span>`,
  ];
}
