import { z } from 'zod';
import { choice, part, type Recorded } from '../../shape/declare.ts';

const p = z.number().min(0).max(1);

export const promptEffectSchema = choice(
  'PromptEffect',
  "Whether an effect depends on the prompt (Kruskal and Wallis' test over cell pairs, 1 %).",
  'code',
  [
    part('It does.', { code: z.literal('differs'), p: p.describe('Of the test.') }),
    part('No sign of it; few cell pairs show only large differences.', {
      code: z.literal('no_sign'),
      p: p.describe('Of the test.'),
    }),
    part('No p of 1 % is within reach.', {
      code: z.literal('not_testable'),
      because: z
        .enum(['one_prompt', 'one_cell_pair', 'too_few_cell_pairs', 'shared_slices'])
        .describe(
          '`one_cell_pair`: a prompt has a single cell pair. `shared_slices`: above concurrency 1 cell pairs are ' +
            'not independent.',
        ),
    }),
  ],
);
export type PromptEffect = Recorded<typeof promptEffectSchema>;
