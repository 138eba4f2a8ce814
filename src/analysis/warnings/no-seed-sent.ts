import { z } from 'zod';
import { count } from '../../kit/declare.ts';
import { listedInShort, plural } from '../../kit/wording.ts';
import { variantList, type WarningRule, warningShape } from './warning.ts';

const shape = warningShape('no_seed_sent', 'The target takes no seed, and the suite declares several.', {
  variants: variantList,
  seeds: z.array(count).describe('The seeds of the suite.'),
});

/** Without a seed, equal outputs of two declared seeds prove nothing. */
export const noSeedSent: WarningRule<typeof shape> = {
  shape,
  find: ({ variants, plan: { seeds } }) => {
    const names = variants.filter(({ sendsSeed }) => !sendsSeed).map(({ name }) => name);
    return names.length === 0 || seeds.length < 2 ? [] : [{ code: 'no_seed_sent', variants: names, seeds }];
  },
  words: ({ variants, seeds }) => ({
    what: `seeds ${seeds[0]} and ${seeds[1]} make the same request for ${listedInShort(variants)}: no seed is sent`,
    cause: `the target takes no seed, so the ${plural(seeds.length, 'seed')} of the suite repeat one request; equal or different outputs say nothing about seeds`,
    remedy: 'declare one seed and more repeats, or put ${case.seed} into the target if the endpoint takes a seed',
  }),
  examples: [{ code: 'no_seed_sent', variants: ['standard'], seeds: [1, 2] }],
};
