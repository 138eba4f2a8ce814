import { count } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { listedInShort, plural } from '../../kit/wording.ts';
import type { Cell } from '../summaries.ts';
import { variantList, warning } from './warning.ts';

/** Prompts with one image for all seeds. Left out without a seed, where a probe says so, and where edits did nothing. */
export const sameForAllSeeds = warning({
  code: 'same_for_all_seeds',
  meaning: 'All seeds of a prompt gave the same bytes.',
  fields: { variants: variantList, prompts: count.describe('How many prompts.') },
  find: ({ cells, probes, variants, trialsOf }) => {
    const silent = new Set([
      ...probes.filter(({ seed }) => seed?.code === 'ignored').map(({ variant }) => variant),
      ...variants
        .filter(({ name, sendsSeed }) => !sendsSeed || trialsOf(name).some(({ edit }) => edit?.unchanged === true))
        .map(({ name }) => name),
    ]);
    const untold = cells.filter(({ variant }) => !silent.has(variant));
    const groups = groupBy(untold, ({ variant, prompt }) => JSON.stringify([variant, prompt]));
    const alike = [...groups.values()].filter(isSameOverSeeds).flat();
    if (alike.length === 0) return [];
    const names = [...new Set(alike.map(({ variant }) => variant))];
    const prompts = new Set(alike.map(({ prompt }) => prompt)).size;
    const isWhole = names.some((name) => untold.every((cell) => cell.variant !== name || alike.includes(cell)));
    return [{ ...(isWhole ? { unfit: 'comparison' as const } : {}), variants: names, prompts }];
  },
  words: ({ variants, prompts }) => ({
    what: `the same bytes for all seeds of ${plural(prompts, 'prompt')} from ${listedInShort(variants)}`,
    cause: 'the seed is not honoured, or replies come from a cache',
    remedy: 'check how the target sends the seed; the latency of a cached reply is not that of a generation',
  }),
  example: { variants: ['standard'], prompts: 1 },
});

function isSameOverSeeds(cells: readonly Cell[]): boolean {
  const delivered = cells.filter(({ outputGroups }) => outputGroups.length > 0);
  const outputs = new Set(delivered.flatMap(({ outputGroups }) => outputGroups.map(({ sha256 }) => sha256)));
  return delivered.length > 1 && outputs.size === 1;
}
