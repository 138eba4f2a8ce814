import { z } from 'zod';
import { schemaOf } from '../../record/schemas/exact-schema.ts';
import type { PromptEffect } from './prompt-effect.ts';

const p = z.number().min(0).max(1);

/** Whether an effect differs by prompt, in analysis.json and verdict.json. */
export const promptEffectSchema = schemaOf<PromptEffect>('PromptEffect')(
  z.discriminatedUnion('code', [
    z.strictObject({ code: z.literal('differs'), p }),
    z.strictObject({ code: z.literal('no_sign'), p }),
    z.strictObject({
      code: z.literal('not_testable'),
      because: z.enum(['one_prompt', 'one_cell_pair', 'too_few_cell_pairs', 'shared_slices']),
    }),
  ]),
);
