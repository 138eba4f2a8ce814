import type { UnitKind } from '../../../compare/pairs/units.ts';

const RATIO_OF: Readonly<Record<UnitKind, string>> = {
  blocks: 'a block (the same prompt, seed and repeat)',
  rounds: 'a round (a few prompts and seeds that all variants take in turn), the median over its blocks',
  cells: 'a cell pair (the same prompt and seed), the median over its takes',
  prompts: 'a prompt, the mean over its cell pairs',
};

const PLURALS: Readonly<Record<UnitKind, string>> = {
  blocks: 'blocks',
  rounds: 'rounds',
  cells: 'cell pairs',
  prompts: 'prompts',
};

/** In plain words; the number is not the median of the ratios. */
export function estimatorWords(units: UnitKind): string {
  return `the typical ratio of latencies in ${RATIO_OF[units]}. It is the Hodges-Lehmann estimate: each two ${PLURALS[units]} have a mean ratio, and the estimate is the median of these means`;
}

/** Estimate, interval and test, as a paper states them. */
export function comparisonMethodWords(units: UnitKind): string {
  return `Variants are compared by ln(latency / latency of the baseline variant) of ${RATIO_OF[units]}. Estimate: Hodges-Lehmann, the median of the means of all pairs of ${PLURALS[units]}, each with itself too (Hodges and Lehmann 1963). Interval: 95 %, two-sided, from the Walsh averages (Tukey 1949). Test: Wilcoxon signed rank, two-sided, exact up to 50 ${PLURALS[units]} (Wilcoxon 1945); not adjusted for several comparisons. Both are turned into ratios by exp; speed is one over the ratio`;
}
