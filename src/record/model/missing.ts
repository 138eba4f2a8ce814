import { z } from 'zod';
import { type Recorded, shape } from '../../shape/declare.ts';

export const missingSchema = shape('Missing', 'What one side of a comparison does not have.', {
  what: z
    .enum(['variant', 'prompt', 'seed', 'cell', 'suite_version', 'changed_prompt'])
    .describe(
      '`cell`: a single one, whose variant, prompt and seed the side has in others. `suite_version`: the stored ' +
        'baseline is of another version of the suite or of a target, not counting `gate`, `reports` and ' +
        '`description`. `changed_prompt`: it asked for something else by this id, so that is not compared.',
    ),
  id: z
    .string()
    .describe("Its name; of a cell `variant/prompt/seed`; of `suite_version` the digest of the run's suite."),
  side: z.enum(['run', 'baseline']).describe('The side that does not have it.'),
});
export type Missing = Recorded<typeof missingSchema>;
