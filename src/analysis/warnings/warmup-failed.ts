import { listedInShort } from '../../kit/wording.ts';
import { variantList, variantsOf, type WarningRule, warningShape } from './warning.ts';

const shape = warningShape('warmup_failed', 'No warm-up succeeded.', { variants: variantList });

export const warmupFailed: WarningRule<typeof shape> = {
  shape,
  find: ({ plan, variants, warmups }) => {
    if (plan.load.warmup === 0) return [];
    const warm = variantsOf(warmups.filter(({ outcome }) => outcome === 'ok' || outcome === 'blank'));
    const tried = variantsOf(warmups);
    const cold = variants.map(({ name }) => name).filter((name) => tried.includes(name) && !warm.includes(name));
    return cold.length === 0 ? [] : [{ code: 'warmup_failed', variants: cold }];
  },
  words: ({ variants }) => ({
    what: `every warm-up of ${listedInShort(variants)} failed`,
    cause: 'the first takes may include a cold start and new connections',
    remedy: 'look at the warm-ups in samples.csv',
  }),
  examples: [{ code: 'warmup_failed', variants: ['standard'] }],
};
