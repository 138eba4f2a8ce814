import { groupBy } from '../../kit/grouping.ts';
import { leftOutReason } from '../../kit/outcome-words.ts';
import { listedInShort, plural } from '../../kit/wording.ts';
import { leftOutReasonSchema } from '../../record/run.ts';
import { variantList, type WarningRule, warningShape } from './warning.ts';

const shape = warningShape('variants_left_out', 'Variants that this machine cannot measure.', {
  variants: variantList,
  reason: leftOutReasonSchema,
});

export const variantsLeftOut: WarningRule<typeof shape> = {
  shape,
  find: ({ leftOut }) =>
    [...groupBy(leftOut, ({ reason }) => JSON.stringify(reason)).values()].flatMap((group) =>
      group.slice(0, 1).map(({ reason }) => ({
        code: 'variants_left_out',
        variants: group.map(({ variant }) => variant),
        reason,
      })),
    ),
  words: ({ variants, reason }) => ({
    what: `${plural(variants.length, 'variant')} of the suite left out: ${listedInShort(variants)}`,
    cause: leftOutReason(reason),
    remedy:
      'run npm install --include=optional, set base_url to a service that makes video, or mark the variants optional: true',
  }),
  examples: [
    {
      code: 'variants_left_out',
      variants: ['video', 'video-fast'],
      reason: { code: 'no_video_encoder', encoder: 'libx264' },
    },
  ],
};
