import { z } from 'zod';
import { count, part, type Recorded, variantName } from '../../kit/declare.ts';
import { uncomparedSchema, unexaminedSchema } from '../../record/fact.ts';
import { everyWarning, media, variants } from './warning-fields.ts';

export const outputWarnings = [
  part('Outputs that are compared by their bytes alone.', {
    ...everyWarning,
    code: z.literal('not_decoded'),
    variants,
    outputs: count.describe('How many outputs.'),
    media: z.enum(['image', 'video']).describe('What they are.'),
    reason: unexaminedSchema.nullable().describe('Null: examination has not reached them.'),
  }),
  part('Pairs of outputs whose difference is not known; determinism leaves them out.', {
    ...everyWarning,
    code: z.literal('not_compared'),
    variants,
    pairs: count.describe('How many pairs.'),
    reason: uncomparedSchema,
  }),
  part('Outputs of only one colour.', {
    ...everyWarning,
    code: z.literal('blank_outputs'),
    variant: variantName,
    outputs: count.describe('How many outputs.'),
    prompts: count.describe('How many prompts.'),
    media: media.describe('What they are.'),
  }),
  part('Outputs of another size than the prompt requests.', {
    ...everyWarning,
    code: z.literal('other_size'),
    variant: variantName,
    outputs: count.describe('How many outputs.'),
    asked: z.string().describe('As the prompt has it: `1024x768` or `16:9`.'),
    width: count.describe('In pixels.'),
    height: count.describe('The height of the first, in pixels.'),
  }),
  part('Samples with a flag.', {
    ...everyWarning,
    code: z.literal('flagged_samples'),
    flag: z.enum(['harness_lag', 'resumed', 'cached', 'slowed']).describe('The flag.'),
    variants,
    samples: count.describe('How many samples.'),
    blocks: count.describe('How many blocks.'),
  }),
] as const;
export type OutputWarning = Recorded<(typeof outputWarnings)[number]>;
