import type { CacheFinding } from '../../../analysis/probes/probe-finding.ts';
import type { ProbeWarning } from '../../../analysis/warning-codes/probe-warning.ts';
import { count, listedInShort, plural, probability, share, significant } from '../../../kit/wording.ts';
import type { ProbeKind } from '../../../suite/format/suite.ts';
import { probeReason } from '../probe-words.ts';
import type { WordsOf } from './warning-text.ts';

export const PROBE_WARNING_WORDS: WordsOf<ProbeWarning['code']> = {
  served_from_cache: (warning) => ({
    what: `${warning.variant} is served from a cache: repeats are left out of latency, and its determinism is not testable`,
    cause: cacheEvidence(warning.cache),
    remedy:
      'turn the cache off, or use many seeds and new ones for each run (seeds: { random: 30, from: 2 }); until then, latency counts only the first take of each prompt and seed, for all variants of its kind',
  }),
  seed_ignored: (warning) => ({
    what: `seed ignored: ${plural(warning.seed.otherSeeds + 1, 'seed')} of ${warning.variant} gave the same image`,
    cause: `the service ignores the seed, or the target does not send it correctly; the target claims "${warning.claim}"`,
    remedy: 'check how the target sends the seed; until then, different seeds only repeat one image',
  }),
  seed_unstable: (warning) => ({
    what: `seed not honoured: takes of ${warning.variant} with one seed differ`,
    cause: `the target claims "${warning.claim}", but the lowest level among ${plural(warning.seed.takes, 'take')} of the first prompt and seed is ${warning.seed.within ?? 'unknown'}`,
    remedy:
      'check how the target sends the seed; if the service promises nothing about seeds, set claim: none in the target',
  }),
  seed_similar: (warning) => ({
    what: `the seed of ${warning.variant} gives similar images, not identical ones`,
    cause: `the target claims "exact", but the lowest level among takes of the first prompt and seed is ${warning.seed.within}`,
    remedy: 'compare at the level "similar", or set claim: similar in the target',
  }),
  omitted_seed_constant: (warning) => ({
    what: `without a seed ${warning.variant} gave the same image twice`,
    cause: 'without a seed, the service uses a constant one; the target declares a random one',
    remedy: 'send seeds to get different images, and set omit_means: constant in the target',
  }),
  omitted_seed_random: (warning) => ({
    what: `without a seed ${warning.variant} gave two different images`,
    cause: 'without a seed, the service uses a random one; the target declares a constant one',
    remedy: 'send a seed where images must be reproducible, and set omit_means: random in the target',
  }),
  batch_dependent: (warning) => {
    const { changedConcurrent, changedAlone, cells, p } = warning.load;
    return {
      what: `concurrency changes the output of ${warning.variant} (batch-dependent): in ${count(changedConcurrent)} of ${plural(cells, 'cell')} (${share(changedConcurrent / cells)})`,
      cause: `two takes sent alone agree, but one at concurrency ${count(warning.concurrency)} differs; the reverse occurs in ${plural(changedAlone, 'cell')}${p === null ? '' : ` (p = ${probability(p)})`}; the service seems to compute requests in batches that change the pixels`,
      remedy:
        'its determinism holds for this load only; set load.concurrency to 1 to test it without concurrency, or compare at the level "near"',
    };
  },
  probe_not_testable: (warning) => ({
    what: `the probe "${warning.probe}" of ${warning.variant} is inconclusive`,
    cause: probeReason(warning.reason),
    remedy:
      warning.reason.code === 'cached'
        ? 'turn the cache off and run again'
        : 'look at its rows in samples.csv (phase probe), then run again',
  }),
  probe_left_out: (warning) => ({
    what: `the probe "${warning.probe}" ${warning.whole ? 'had nothing to test' : 'was incomplete'} for ${listedInShort(warning.variants)}`,
    cause: probeReason(warning.reason),
    remedy: REMEDIES[warning.probe],
  }),
};

const REMEDIES: Readonly<Record<ProbeKind, string>> = {
  seed: 'remove it from probes',
  cache: 'remove it from probes',
  load: 'raise load.concurrency and add prompts or seeds, or remove it from probes',
};

function cacheEvidence({ by, pairs, equal, ratio, p, saidOfRepeats }: CacheFinding): string {
  const timing =
    by.includes('timing') && ratio !== null && p !== null
      ? [
          `${count(equal)} of ${plural(pairs, 'repeat')} were byte-identical and ${significant(ratio)} times as fast as fresh requests (p = ${probability(p)})`,
        ]
      : [];
  const said = by.includes('said')
    ? [`the service reports a cache hit for ${count(saidOfRepeats)} of ${plural(pairs, 'repeat')}`]
    : [];
  return [...timing, ...said].join('; ');
}
