import { z } from 'zod';
import { count } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { decodeReason } from '../../kit/outcome-words.ts';
import { listedInShort, plural } from '../../kit/wording.ts';
import { unexaminedSchema } from '../../record/fact.ts';
import { variantList, variantsOf, warning } from './warning.ts';

/** Only the bytes of these outputs are known. */
export const notDecoded = warning({
  code: 'not_decoded',
  meaning: 'Outputs that are compared by their bytes alone.',
  fields: {
    variants: variantList,
    outputs: count.describe('How many outputs.'),
    media: z.enum(['image', 'video']).describe('What they are.'),
    reason: unexaminedSchema.nullable().describe('Null: examination has not reached them.'),
  },
  find: ({ trials }) => {
    const blind = trials.flatMap((effective) => {
      const { outcome, output } = effective;
      if (outcome !== 'ok' || output === null || output.frames !== null) return [];
      const media = output.mime?.startsWith('video/') === true ? 'video' : 'image';
      return [{ effective, reason: output.undecoded, media } as const];
    });
    const groups = groupBy(blind, ({ reason, media }) => JSON.stringify([reason, media]));
    return [...groups.values()].map((group) => {
      const variants = variantsOf(group.map(({ effective }) => effective));
      const [{ media, reason }] = group;
      return { variants, outputs: group.length, media, reason };
    });
  },
  words: ({ variants, outputs, media, reason }) => ({
    what: `${plural(outputs, media === 'video' ? 'video' : 'output')} of ${listedInShort(variants)} ${outputs === 1 ? 'was' : 'were'} not decoded`,
    cause: reason === null ? 'they were not examined yet' : decodeReason(reason),
    remedy: `${reason?.code === 'decoder_died' ? 'free memory, then run retake report again' : decodingRemedy(reason !== null, media)}; until then only their bytes are compared, and damage is not detected`,
  }),
  example: { variants: ['standard'], outputs: 59, media: 'image', reason: null },
});

function decodingRemedy(examined: boolean, media: 'image' | 'video'): string {
  if (!examined) return 'run retake report again';
  return media === 'video'
    ? 'install the current optional dependencies (npm install --include=optional), then run retake report again'
    : 'run retake report with a version of Retake that decodes them';
}
