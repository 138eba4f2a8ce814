import { variantName } from '../../kit/declare.ts';
import { count, plural, probability, significant } from '../../kit/wording.ts';
import { type CacheFinding, cacheFindingSchema } from '../probe.ts';
import { warning } from './warning.ts';

/** Cached repeats: their latency is not that of generation, and their equality proves nothing. */
export const servedFromCache = warning({
  code: 'served_from_cache',
  meaning: 'Repeats come from a cache.',
  fields: { variant: variantName, cache: cacheFindingSchema.describe('What the probe found.') },
  find: ({ probes }) => probes.flatMap(({ variant, cache }) => (cache?.code === 'cached' ? [{ variant, cache }] : [])),
  words: ({ variant, cache }) => ({
    what: `${variant} is served from a cache: repeats are left out of latency, and its determinism is not testable`,
    cause: cacheEvidence(cache),
    remedy:
      'turn the cache off, or use many seeds and new ones for each run (seeds: { random: 30, from: 2 }); until then, latency counts only the first take of each prompt and seed, for all variants of its kind',
  }),
  example: {
    variant: 'standard',
    cache: {
      code: 'cached',
      by: ['timing', 'said'],
      pairs: 10,
      equal: 9,
      ratio: 8.5,
      p: 0.002,
      detectableRatio: 1.5,
      saidOfRepeats: 10,
      saidOfFresh: 0,
      reason: null,
    },
  },
});

function cacheEvidence({ by, pairs, equal, ratio, p, saidOfRepeats }: CacheFinding): string {
  const timing =
    by.includes('timing') && ratio !== null && p !== null
      ? [
          `${count(equal)} of ${plural(pairs, 'repeat')} were byte-identical and ${significant(ratio)} times as fast as fresh requests (p = ${probability(p)})`,
        ]
      : [];
  const evidence = by.includes('said')
    ? [`the service reports a cache hit for ${count(saidOfRepeats)} of ${plural(pairs, 'repeat')}`]
    : [];
  return [...timing, ...evidence].join('; ');
}
