import type { WarningOf } from '../../../analysis/warning-codes/coded-warning.ts';
import type { SeedWarning } from '../../../analysis/warning-codes/seed-warning.ts';
import { count, listedInShort, plural } from '../../../kit/wording.ts';
import type { WarningText, WordsOf } from './warning-text.ts';

export const SEED_WARNING_WORDS: WordsOf<SeedWarning['code']> = {
  seed_not_honoured: (warning) => ({
    what: `the seed of ${warning.variant} is not honoured: takes differ in ${count(warning.cells)} of ${plural(warning.ofCells, 'cell')}`,
    cause: 'the target claims "exact", but takes of one prompt and seed are different images',
    remedy:
      'check how the target sends the seed, and add probes: [seed]; if the service promises nothing, set claim: none in the target',
  }),
  other_seed_echoed: echoWords,
  no_seed_sent: noSeedWords,
  same_for_all_seeds: (warning) => ({
    what: `${listedInShort(warning.variants)} gave the same bytes for different seeds (${plural(warning.prompts, 'prompt')})`,
    cause: 'the seed is not honoured, or replies come from a cache',
    remedy: 'check how the target sends the seed; the latency of a cached reply is not that of a generation',
  }),
  equal_variants: equalWords,
};

function echoWords({ variant, samples, ofSamples, sent, echoed, kept }: WarningOf<'other_seed_echoed'>): WarningText {
  const what = `the service reports another seed than ${variant} sent in ${count(samples)} of ${plural(ofSamples, 'take')}: ${echoed} instead of ${sent}`;
  if (kept === null) {
    return {
      what,
      cause: 'the seed does not reach the model, or meta.seed reads the wrong number',
      remedy:
        'check how the target sends the seed (submit) and where it reads it (meta.seed); these takes carry the flag seed_echo',
    };
  }
  const how = {
    modulo: `uses the seed modulo ${kept.size}`,
    clamp: `limits seeds to ${kept.size - 1}`,
    signed: 'reads the seed as a signed 32-bit number',
  }[kept.how];
  const max = (kept.how === 'signed' ? kept.size / 2 : kept.size) - 1;
  return {
    what,
    cause: `the service ${how}; this explains every seed it reports`,
    remedy: `set inputs.seed.max: ${max} in the target; a larger seed gives the same as a smaller one`,
  };
}

function noSeedWords({ variants, seeds }: WarningOf<'no_seed_sent'>): WarningText {
  const [first, second] = seeds;
  return {
    what: `seeds ${first} and ${second} make the same request for ${listedInShort(variants)}: no seed is sent`,
    cause: `the target takes no seed, so the ${plural(seeds.length, 'seed')} of the suite repeat one request; equal or different outputs say nothing about seeds`,
    remedy: 'declare one seed and more repeats, or put ${case.seed} into the target if the endpoint takes a seed',
  };
}

function equalWords({ variants, cells, constants }: WarningOf<'equal_variants'>): WarningText {
  const values = constants.map(
    ({ name, values: each }) => `${name} (${listedInShort(each.map((value) => JSON.stringify(value)))})`,
  );
  return {
    what: `${listedInShort(variants)} gave the same bytes in ${count(cells)} of ${plural(cells, 'cell')}: their different constants have no effect`,
    cause: `they differ in ${listedInShort(values)}: the target does not send it, or the service ignores the value`,
    remedy: 'check the spelling of the value, and where the target sends it',
  };
}
