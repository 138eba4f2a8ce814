import { count } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { decodeReason } from '../../kit/outcome-words.ts';
import { listedInShort, plural } from '../../kit/wording.ts';
import { undecodableSchema } from '../../record/fact.ts';
import { sum } from '../../statistics/mean.ts';
import { variantList, warning } from './warning.ts';

export const undecodableOutputs = warning({
  code: 'undecodable_outputs',
  meaning: 'Outputs that do not decode.',
  fields: {
    variants: variantList,
    outputs: count.describe('How many outputs.'),
    reason: undecodableSchema.describe('Why the first of them does not decode.'),
  },
  find: ({ failures }) => {
    const broken = failures.flatMap(({ undecodable: reason, ...group }) =>
      reason === null ? [] : [{ ...group, reason }],
    );
    return [...groupBy(broken, ({ reason }) => JSON.stringify(reason)).values()].map((groups) => {
      const variants = [...new Set(groups.map(({ variant }) => variant))];
      return { variants, outputs: sum(groups.map((group) => group.count)), reason: groups[0].reason };
    });
  },
  words: ({ variants, outputs, reason }) => ({
    what: `${plural(outputs, 'output')} of ${listedInShort(variants)} could not be decoded`,
    cause: decodeReason(reason) || 'the bytes are damaged or cut short',
    remedy: 'open the files under media/; these outputs count as failures and are left out of latency',
  }),
  example: { variants: ['standard'], outputs: 1, reason: { code: 'not_decodable', detail: 'it ends early' } },
});
