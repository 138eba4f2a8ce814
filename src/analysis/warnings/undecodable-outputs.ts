import { count } from '../../kit/declare.ts';
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
    reason: undecodableSchema.describe('Why the first of the most frequent kind does not decode.'),
  },
  find: ({ failures }) => {
    const broken = failures.filter(({ undecodable }) => undecodable !== null);
    const reason = broken[0]?.undecodable ?? null;
    if (reason === null) return [];
    const variants = broken.map(({ variant }) => variant);
    return [{ variants, outputs: sum(broken.map((group) => group.count)), reason }];
  },
  words: ({ variants, outputs, reason }) => ({
    what: `${plural(outputs, 'output')} of ${listedInShort(variants)} could not be decoded`,
    cause: decodeReason(reason) || 'the bytes are damaged or cut short',
    remedy: 'open the files under media/; these outputs count as failures and are left out of latency',
  }),
  example: { variants: ['standard'], outputs: 1, reason: { code: 'not_decodable', detail: 'it ends early' } },
});
