import { z } from 'zod';
import { uncomparedSchema, unexaminedSchema } from '../../record/model/fact.ts';
import { count, variantName } from '../../shape/fields.ts';
import type { Recorded } from '../../shape/recorded.ts';
import { everyWarning, media, variants } from './warning-fields.ts';

/** What is to be known of outputs: not decoded, blank, of another size, flagged. */
export const outputWarnings = [
  z
    .strictObject({
      ...everyWarning,
      code: z.literal('not_decoded'),
      variants,
      outputs: count.describe('How many outputs.'),
      media: z.enum(['image', 'video']).describe('What they are.'),
      reason: unexaminedSchema.nullable().describe('Null: examination has not reached them.'),
    })
    .describe('Outputs that are compared by their bytes alone.'),
  z
    .strictObject({
      ...everyWarning,
      code: z.literal('not_compared'),
      variants,
      pairs: count.describe('How many pairs.'),
      reason: uncomparedSchema,
    })
    .describe('Pairs of outputs whose difference is not known; determinism leaves them out.'),
  z
    .strictObject({
      ...everyWarning,
      code: z.literal('blank_outputs'),
      variant: variantName,
      outputs: count.describe('How many outputs.'),
      prompts: count.describe('How many prompts.'),
      media: media.describe('What they are.'),
    })
    .describe('Outputs of only one colour.'),
  z
    .strictObject({
      ...everyWarning,
      code: z.literal('other_size'),
      variant: variantName,
      outputs: count.describe('How many outputs.'),
      asked: z.string().describe('As the prompt has it: `1024x768` or `16:9`.'),
      width: count.describe('In pixels.'),
      height: count.describe('The height of the first, in pixels.'),
    })
    .describe('Outputs of another size than the prompt requests.'),
  z
    .strictObject({
      ...everyWarning,
      code: z.literal('flagged_samples'),
      flag: z.enum(['harness_lag', 'resumed', 'cached', 'slowed']).describe('The flag.'),
      variants,
      samples: count.describe('How many samples.'),
      blocks: count.describe('How many blocks.'),
    })
    .describe('Samples with a flag.'),
] as const;
export type OutputWarning = Recorded<(typeof outputWarnings)[number]>;
