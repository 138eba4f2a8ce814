import { z } from 'zod';
import { count } from '../../kit/declare.ts';
import { listedInShort, plural } from '../../kit/wording.ts';
import { variantList, warning } from './warning.ts';

/** Without a seed, equal outputs of two declared seeds prove nothing. */
export const noSeedSent = warning({
  code: 'no_seed_sent',
  meaning: 'The target takes no seed, and the suite declares several.',
  fields: { variants: variantList, seeds: z.array(count).describe('The seeds of the suite.') },
  find: ({ variants, plan: { seeds } }) => {
    const names = variants.filter(({ sendsSeed }) => !sendsSeed).map(({ name }) => name);
    return names.length === 0 || seeds.length < 2 ? [] : [{ variants: names, seeds }];
  },
  words: ({ variants, seeds }) => ({
    what: `seeds ${seeds[0]} and ${seeds[1]} make the same request for ${listedInShort(variants)}: no seed is sent`,
    cause: `the target takes no seed, so the ${plural(seeds.length, 'seed')} of the suite repeat one request; equal or different outputs say nothing about seeds`,
    remedy: 'declare one seed and more repeats, or put ${case.seed} into the target if the endpoint takes a seed',
  }),
  example: { variants: ['standard'], seeds: [1, 2] },
});
