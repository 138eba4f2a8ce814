import { z } from 'zod';
import type { Recorded } from '../../shape/recorded.ts';

const p = z.number().min(0).max(1);

/** Whether an effect differs by prompt, in analysis.json and verdict.json. */
export const promptEffectSchema = z
  .discriminatedUnion('code', [
    z.strictObject({ code: z.literal('differs'), p: p.describe('Of the test.') }).describe('It does.'),
    z
      .strictObject({ code: z.literal('no_sign'), p: p.describe('Of the test.') })
      .describe('No sign of it; few cell pairs show only large differences.'),
    z
      .strictObject({
        code: z.literal('not_testable'),
        because: z
          .enum(['one_prompt', 'one_cell_pair', 'too_few_cell_pairs', 'shared_slices'])
          .describe(
            '`one_cell_pair`: a prompt has a single cell pair. `shared_slices`: above concurrency 1 cell ' +
              'pairs are not independent.',
          ),
      })
      .describe('No p of 1 % is within reach.'),
  ])
  .meta({
    id: 'PromptEffect',
    description: "Whether an effect depends on the prompt (Kruskal and Wallis' test over cell pairs, 1 %).",
  });
export type PromptEffect = Recorded<typeof promptEffectSchema>;
