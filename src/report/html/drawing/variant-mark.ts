import type { VariantSummary } from '../../../analysis/analysis.ts';
import { byKind } from '../../statements/statement.ts';
import { html, type Markup } from '../markup/markup.ts';

/** The shapes of marks, as the charts name them, with their outline in a box from -5 to 5. The style sheet has them too. */
const SHAPES = [
  { symbol: 'circle', outline: 'M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0Z' },
  { symbol: 'square', outline: 'M-3.6,-3.6h7.2v7.2h-7.2Z' },
  { symbol: 'triangle', outline: 'M0,-4.6L4.4,3.6H-4.4Z' },
  { symbol: 'diamond', outline: 'M0,-5L4,0L0,5L-4,0Z' },
  { symbol: 'star', outline: 'M0,-5L1.5,-1.6L4.8,-1.5L2.2,0.8L3,4.2L0,2.2L-3,4.2L-2.2,0.8L-4.8,-1.5L-1.5,-1.6Z' },
] as const;

/** How many colours the style sheet has for variants, the first for the baseline variant of each kind. */
const COLOURS = 8;

/** What a variant looks like in every chart, table and strip: a colour and a shape, so that neither tells it apart alone. */
export interface VariantMark {
  /** Of an element that shows the mark before its content, by the style sheet alone: where there are very many. */
  readonly classes: string;
  /** A colour of the style sheet, for attributes of SVG. */
  readonly fill: string;
  readonly symbol: (typeof SHAPES)[number]['symbol'];
  readonly outline: string;
}

export type VariantMarks = (variant: string) => VariantMark;

/**
 * The mark of each variant: within a kind no two are alike up to 36 variants, the baseline variant of each kind has the same one, and
 * so have variants of different kinds with the same constants. The pairs of colour and shape repeat only after 35 candidates, since 7
 * and 5 have no common divisor.
 */
export function variantMarks(
  variants: readonly Pick<VariantSummary, 'name' | 'kind' | 'baseline' | 'constants'>[],
): VariantMarks {
  const marks = new Map<string, VariantMark>();
  const numbers = new Map<string, number>();
  for (const [, own] of byKind(variants)) {
    const taken = new Set<number>();
    for (const { name, baseline, constants } of own) {
      if (baseline) marks.set(name, markOf(0, 0));
      else {
        const key = JSON.stringify(constants);
        let number = numbers.get(key) ?? numbers.size;
        while (taken.has(number)) number += 1;
        if (!numbers.has(key)) numbers.set(key, number);
        taken.add(number);
        marks.set(name, markOf(1 + (number % (COLOURS - 1)), (number + 1) % SHAPES.length));
      }
    }
  }
  return (variant) => marks.get(variant) ?? markOf(0, 0);
}

function markOf(colour: number, shape: number): VariantMark {
  const { symbol, outline } = SHAPES[shape] ?? SHAPES[0];
  return { classes: `marked v${colour} ${symbol}`, fill: `var(--variant-${colour})`, symbol, outline };
}

/** A variant's mark beside its name. */
function markSign({ fill, outline }: VariantMark): Markup {
  return html`<svg class="mark" viewBox="-5.5 -5.5 11 11" aria-hidden="true"><path d="${outline}" fill="${fill}"/></svg>`;
}

/** A variant's name after its mark. */
export function markedName(name: string, marks: VariantMarks): Markup {
  return html`${markSign(marks(name))}<span class="name">${name}</span>`;
}
