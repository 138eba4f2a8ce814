import type { VariantSummary } from '../../../../analysis/analysis.ts';
import { count } from '../../../../text/quantity.ts';

/** What is said of a variant beside its numbers, each a line of the table. Holds names that others wrote. */
interface VariantFacts {
  /** Its target and constants. */
  readonly called: readonly string[];
  /** How many of its takes were delivered, and what was never sent. */
  readonly takes: readonly string[];
}

/** What the variants of a table have in common, to be said once, and what is left to say of each. */
export interface PartedFacts {
  /** `Each variant: reference/text-to-image; 18 of 18 takes delivered.`; null where they have nothing in common. */
  readonly common: string | null;
  /** The lines of a variant: its own target and constants, then its takes. */
  readonly own: (variant: VariantSummary) => readonly string[];
}

/** Parts what is said of all variants of a table from what is said of one alone. Of a lone variant nothing is common. */
export function partFacts(variants: readonly VariantSummary[]): PartedFacts {
  const all = variants.map(factsOf);
  const isCommon = (part: keyof VariantFacts) => (fact: string) =>
    all.length > 1 && all.every((facts) => facts[part].includes(fact));
  const [first] = all;
  const common =
    first === undefined
      ? []
      : [first.called.filter(isCommon('called')).join(', '), ...first.takes.filter(isCommon('takes'))].filter(isSaid);
  const notCommon = (part: keyof VariantFacts) => (fact: string) => !isCommon(part)(fact);
  return {
    common: common.length === 0 ? null : `Each variant: ${common.join('; ')}.`,
    own: (variant) => {
      const { called, takes } = factsOf(variant);
      return [called.filter(notCommon('called')).join(', '), ...takes.filter(notCommon('takes'))].filter(isSaid);
    },
  };
}

function factsOf({ target, constants, plannedTrials, outcomes }: VariantSummary): VariantFacts {
  const { ok = 0, dropped = 0 } = outcomes;
  return {
    called: [
      target,
      ...Object.entries(constants).map(
        ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
    ],
    takes: [
      `${count(ok)} of ${count(plannedTrials)} takes delivered`,
      ...(dropped > 0 ? [`${count(dropped)} dropped, never sent`] : []),
    ],
  };
}

function isSaid(words: string): boolean {
  return words !== '';
}
