import type { VariantSummary } from '../../../../analysis/analysis.ts';
import { count } from '../../../../text/wording.ts';

/** A line each. Holds hostile text: names that others wrote. */
interface VariantFacts {
  readonly called: readonly string[];
  readonly takes: readonly string[];
}

/** Facts that all variants of a table share, said once, and the rest of each. */
export interface PartedFacts {
  /** `Each variant: reference/text-to-image; 18 of 18 takes delivered.`; null where nothing is common. */
  readonly common: string | null;
  /** The variant's own target and constants, then its takes. */
  readonly own: (variant: VariantSummary) => readonly string[];
}

/** A lone variant has nothing in common. */
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
