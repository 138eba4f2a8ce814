import { z } from 'zod';
import { variantName, count as wholeNumber } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { count, plural } from '../../kit/wording.ts';
import { comparedWith } from '../../record/compared-variants.ts';
import type { VariantSummary } from '../summaries.ts';
import { MOST_MISSING_TAKES } from './many-failures.ts';
import { warning } from './warning.ts';

export const missingPairs = warning({
  code: 'missing_pairs',
  meaning: 'More than 5 % of pairs have a latency on one side only.',
  fields: {
    variant: variantName,
    baseline: z.string().describe('The baseline variant.'),
    pairs: wholeNumber.describe('Blocks in which either has a latency.'),
    variantMissing: wholeNumber.describe('Pairs in which the variant has none.'),
    baselineMissing: wholeNumber.describe('Pairs in which the baseline has none.'),
  },
  find: ({ variants, trials, plan }) => {
    if (plan.load.mode === 'open') return []; // Its variants are not paired, and dropped starts have a warning.

    const usable = groupBy(
      trials.filter(({ outcome }) => outcome === 'ok' || outcome === 'timed_out'),
      ({ sample }) => sample.trial.variant,
    );
    const blocksOf = ({ name }: VariantSummary) =>
      new Set((usable.get(name) ?? []).map(({ sample }) => sample.trial.block));
    return variants.flatMap((variant) =>
      comparedWith(variant, variants).flatMap((baseline) => {
        const [blocks, reference] = [blocksOf(variant), blocksOf(baseline)];
        const baselineMissing = [...blocks].filter((block) => !reference.has(block)).length;
        const variantMissing = [...reference].filter((block) => !blocks.has(block)).length;
        const pairs = blocks.size + variantMissing;
        if (pairs === 0 || (variantMissing + baselineMissing) / pairs <= MOST_MISSING_TAKES) return [];
        const names = { variant: variant.name, baseline: baseline.name };
        return [{ ...names, pairs, variantMissing, baselineMissing }];
      }),
    );
  },
  words: ({ variant, baseline, pairs, variantMissing, baselineMissing }) => {
    const missing = variantMissing + baselineMissing;
    return {
      what: `${count(missing)} of ${plural(pairs, 'pair')} of takes of ${variant} and ${baseline} ${missing === 1 ? 'lacks' : 'lack'} one of the two latencies`,
      cause: `${plural(variantMissing, 'take')} of ${variant} and ${count(baselineMissing)} of ${baseline} have no latency, but the other take of the pair has one`,
      remedy: 'do not compare the latencies until both variants deliver: the missing takes may be the slow ones',
    };
  },
  example: { variant: 'fast', baseline: 'standard', pairs: 80, variantMissing: 19, baselineMissing: 1 },
});
