import { count as wholeNumber } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { count, listedInShort, plural } from '../../kit/wording.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { Cell } from '../summaries.ts';
import { variantList, warning } from './warning.ts';

/** Prompts with one image for all seeds. Left out without a seed, where a probe says so, and where edits did nothing. */
export const sameForAllSeeds = warning({
  code: 'same_for_all_seeds',
  meaning: 'All seeds of a prompt gave the same bytes.',
  fields: {
    variants: variantList,
    prompts: wholeNumber.describe('How many prompts, of each of them.'),
    ofPrompts: wholeNumber.describe('Prompts of which each of them delivered several seeds.'),
  },
  find: ({ cells, probes, variants, trialsOf }) => {
    const silent = new Set(probes.filter(({ seed }) => seed?.code === 'ignored').map(({ variant }) => variant));
    const delivered = groupBy(
      cells.filter(({ outputGroups }) => outputGroups.length > 0),
      ({ variant }) => variant,
    );
    const counts = variants
      .filter(({ name, sendsSeed }) => sendsSeed && !silent.has(name) && !trialsOf(name).some(isUnchanged))
      .map(({ name }) => {
        const prompts = [...groupBy(delivered.get(name) ?? [], ({ prompt }) => prompt).values()];
        const ofSeveral = prompts.filter(({ length }) => length > 1);
        return { name, prompts: ofSeveral.filter(isSameOverSeeds).length, ofPrompts: ofSeveral.length };
      })
      .filter(({ prompts }) => prompts > 0);
    const groups = groupBy(counts, ({ prompts, ofPrompts }) => `${prompts} of ${ofPrompts}`);
    return [...groups.values()].map((group) => {
      const [{ prompts, ofPrompts }] = group;
      const unfit = prompts === ofPrompts ? { unfit: 'comparison' as const } : {};
      return { ...unfit, variants: group.map(({ name }) => name), prompts, ofPrompts };
    });
  },
  words: ({ variants, prompts, ofPrompts }) => ({
    what: `the same bytes for all seeds of ${count(prompts)} of ${plural(ofPrompts, 'prompt')} from ${variants.length > 1 ? 'each of ' : ''}${listedInShort(variants)}`,
    cause: 'the seed is not honoured, or replies come from a cache',
    remedy: 'check how the target sends the seed; the latency of a cached reply is not that of a generation',
  }),
  example: { variants: ['standard'], prompts: 1, ofPrompts: 2 },
});

function isSameOverSeeds(cells: readonly Cell[]): boolean {
  return new Set(cells.flatMap(({ outputGroups }) => outputGroups.map(({ sha256 }) => sha256))).size === 1;
}

function isUnchanged({ edit }: Pick<EffectiveSample, 'edit'>): boolean {
  return edit?.unchanged === true;
}
