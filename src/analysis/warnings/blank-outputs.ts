import { z } from 'zod';
import { count, variantName } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { plural } from '../../kit/wording.ts';
import { warning } from './warning.ts';

export const blankOutputs = warning({
  code: 'blank_outputs',
  meaning: 'Outputs of only one colour.',
  fields: {
    variant: variantName,
    outputs: count.describe('How many outputs.'),
    prompts: count.describe('How many prompts.'),
    media: z.enum(['image', 'video']).describe('What they are.'),
  },
  find: ({ trials }) => {
    const blank = trials.filter(({ outcome }) => outcome === 'blank');
    return [...groupBy(blank, ({ sample }) => sample.trial.variant)].map(([variant, takes]) => ({
      variant,
      outputs: takes.length,
      prompts: new Set(takes.map(({ sample }) => sample.trial.prompt)).size,
      media: takes[0]?.output?.mime?.startsWith('video/') ? 'video' : 'image',
    }));
  },
  words: ({ variant, outputs, prompts, media }) => ({
    what: `${plural(outputs, media)} of ${variant} ${outputs === 1 ? 'is' : 'are'} blank (${plural(prompts, 'prompt')})`,
    cause: `only one colour is visible: suspected moderation (some services return a plain ${media} as a success)`,
    remedy:
      'look at these outputs, and try their prompts one by one; they count in block_rate, not in latency or determinism; if a reply says so, declare it as moderated in the target',
  }),
  example: { variant: 'standard', outputs: 1, prompts: 1, media: 'image' },
});
