import { listedInShort } from '../../kit/wording.ts';
import { variantList, variantsOf, warning } from './warning.ts';

export const warmupFailed = warning({
  code: 'warmup_failed',
  meaning: 'No warm-up succeeded.',
  fields: { variants: variantList },
  find: ({ plan, variants, warmups }) => {
    if (plan.load.warmup === 0) return [];
    const warm = variantsOf(warmups.filter(({ outcome }) => outcome === 'ok' || outcome === 'blank'));
    const tried = variantsOf(warmups);
    const cold = variants.map(({ name }) => name).filter((name) => tried.includes(name) && !warm.includes(name));
    return cold.length === 0 ? [] : [{ variants: cold }];
  },
  words: ({ variants }) => ({
    what: `every warm-up of ${listedInShort(variants)} failed`,
    cause: 'the first takes may include a cold start and new connections',
    remedy: 'look at the warm-ups in samples.csv',
  }),
  example: { variants: ['standard'] },
});
