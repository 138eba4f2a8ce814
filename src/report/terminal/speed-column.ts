import type { VariantSummary } from '../../analysis/analysis.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { tellsApart } from '../statements/comparison-statement.ts';
import { inverse, ratioInterval, times } from '../words/measures/ratio-words.ts';
import { DIRECTION_WORDS, type Direction, speedOf, speedWords } from '../words/measures/speed-words.ts';

/**
 * Where all speeds go one way the head says which: `as fast`, and below it `1.95x`; else each cell does. Cells that are
 * not told apart have no number. @param isWide whether there is room for intervals
 */
export function speedColumn(headlines: readonly Comparison[], isWide: boolean) {
  const shared = sharedDirection(headlines);
  return {
    head: shared === null ? 'speed' : DIRECTION_WORDS[shared],
    cell: ({ name, baseline }: VariantSummary): string => {
      const comparison = comparisonOf(name, headlines);
      if (comparison === null) return baseline ? 'baseline' : '–';
      const { value, ciLow, ciHigh, ciLevel, finding } = comparison;
      if (value === null || finding === 'too_few') return '–';
      if (!tellsApart(comparison)) return 'undecided';
      const { ratio, direction } = speedOf(value);
      const [low, high] = direction === 'faster' ? [inverse(ciHigh), inverse(ciLow)] : [ciLow, ciHigh];
      const words = shared === null ? speedWords(value) : times(ratio);
      return isWide && ciLevel !== null ? `${words} ${ratioInterval(low, high)}` : words;
    },
  };
}

/** Against the stored baseline only where there is no comparison with the baseline variant. */
function comparisonOf(name: string, headlines: readonly Comparison[]): Comparison | null {
  const own = headlines.filter(({ variant }) => variant === name);
  return own.find(({ baselineRun }) => baselineRun === null) ?? own[0] ?? null;
}

/** Null where speeds go both ways, or none is told apart. */
function sharedDirection(headlines: readonly Comparison[]): Direction | null {
  const told = headlines.flatMap((comparison) =>
    comparison.value !== null && tellsApart(comparison) ? [speedOf(comparison.value).direction] : [],
  );
  const [first = null] = told;
  return told.every((direction) => direction === first) ? first : null;
}
