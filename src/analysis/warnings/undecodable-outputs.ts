import { count } from '../../kit/declare.ts';
import { decodeReason } from '../../kit/outcome-words.ts';
import { listedInShort, plural } from '../../kit/wording.ts';
import { undecodableSchema } from '../../record/fact.ts';
import { sum } from '../../statistics/mean.ts';
import { variantList, type WarningRule, warningShape } from './warning.ts';

const shape = warningShape('undecodable_outputs', 'Outputs that do not decode.', {
  variants: variantList,
  outputs: count.describe('How many outputs.'),
  reason: undecodableSchema.describe('Why the first of the most frequent kind does not decode.'),
});

export const undecodableOutputs: WarningRule<typeof shape> = {
  shape,
  find: ({ failures }) => {
    const broken = failures.filter(({ undecodable }) => undecodable !== null);
    const reason = broken[0]?.undecodable ?? null;
    if (reason === null) return [];
    const variants = broken.map(({ variant }) => variant);
    return [{ code: 'undecodable_outputs', variants, outputs: sum(broken.map((group) => group.count)), reason }];
  },
  words: ({ variants, outputs, reason }) => ({
    what: `${plural(outputs, 'output')} of ${listedInShort(variants)} could not be decoded`,
    cause: decodeReason(reason) || 'the bytes are damaged or cut short',
    remedy: 'open the files under media/; these outputs count as failures and are left out of latency',
  }),
  examples: [
    {
      code: 'undecodable_outputs',
      variants: ['standard'],
      outputs: 1,
      reason: { code: 'not_decodable', detail: 'it ends early' },
    },
  ],
};
