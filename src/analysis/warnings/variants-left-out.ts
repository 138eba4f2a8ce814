import { groupBy } from '../../kit/grouping.ts';
import { leftOutReason } from '../../kit/outcome-words.ts';
import { listedInShort, plural } from '../../kit/wording.ts';
import { leftOutReasonSchema } from '../../record/run.ts';
import { variantList, warning } from './warning.ts';

export const variantsLeftOut = warning({
  code: 'variants_left_out',
  meaning: 'Variants that this machine cannot measure.',
  fields: { variants: variantList, reason: leftOutReasonSchema },
  find: ({ leftOut }) =>
    [...groupBy(leftOut, ({ reason }) => JSON.stringify(reason)).values()].map((group) => ({
      variants: group.map(({ variant }) => variant),
      reason: group[0].reason,
    })),
  words: ({ variants, reason }) => ({
    what: `${plural(variants.length, 'variant')} of the suite left out: ${listedInShort(variants)}`,
    cause: leftOutReason(reason),
    remedy:
      'run npm install --include=optional, set base_url to a service that makes video, or mark the variants optional: true',
  }),
  example: { variants: ['video', 'video-fast'], reason: { code: 'no_video_encoder', encoder: 'libx264' } },
});
