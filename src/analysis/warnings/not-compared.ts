import { count } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { decodeReason } from '../../kit/outcome-words.ts';
import { listedInShort, plural } from '../../kit/wording.ts';
import { uncomparedSchema } from '../../record/fact.ts';
import { variantList, variantsOf, warning } from './warning.ts';

export const notCompared = warning({
  code: 'not_compared',
  meaning: 'Pairs of outputs whose difference is not known; determinism leaves them out.',
  fields: { variants: variantList, pairs: count.describe('How many pairs.'), reason: uncomparedSchema },
  find: ({ trials, uncompared }) =>
    [...groupBy(uncompared, ({ reason }) => JSON.stringify(reason)).values()].flatMap((group) => {
      const outputs = new Set(group.flatMap(({ a, b }) => [a, b]));
      const variants = variantsOf(trials.filter(({ output }) => output !== null && outputs.has(output.sha256)));
      if (variants.length === 0) return [];
      return [{ variants, pairs: group.length, reason: group[0].reason }];
    }),
  words: ({ variants, pairs, reason }) => ({
    what: `${plural(pairs, 'pair')} of outputs of ${listedInShort(variants)} ${pairs === 1 ? 'was' : 'were'} not compared`,
    cause: decodeReason(reason),
    remedy: 'look at these outputs yourself; determinism leaves them out',
  }),
  example: { variants: ['standard'], pairs: 2, reason: { code: 'decoder_died' } },
});
