import { z } from 'zod';
import { type Recorded, shape } from '../kit/declare.ts';
import { json } from '../kit/json-value.ts';
import { RULES } from './warnings/rules.ts';

const codeSchema = z
  .union(RULES.map(({ code, meaning }) => z.literal(code).describe(meaning)))
  .meta({ id: 'WarningCode', description: 'What was found.' });

const variantNames = z.array(z.string());

export const warningSchema = shape('Warning', 'Something that may have affected the numbers.', {
  code: codeSchema,
  variants: variantNames.describe('The variants that it is about; empty if it is about the whole run.'),
  unfit: z
    .strictObject({
      of: z
        .enum(['latencies', 'comparison'])
        .describe('What is not fit for use: latencies, or what compares variants and seeds.'),
      variants: variantNames.describe('Those of these variants.'),
      because: z.string().describe('Why, in short.'),
    })
    .exactOptional()
    .describe('Absent if the numbers are fit for use.'),
  facts: z
    .record(z.string(), json)
    .describe(
      'Its numbers and names, unrounded. `step` is the concurrency of a step of a sweep, else null; null of a latency: ' +
        'above the time limit.',
    ),
  what: z.string().describe('What is wrong. Holds hostile text, as all its words do: names, prompts and messages.'),
  brief: z.string().exactOptional().describe('The same in fewer words; absent if there are none.'),
  cause: z.string().describe('Why.'),
  remedy: z.string().describe('What to do.'),
});
/** Something that may have affected the numbers. */
export type Warning = Recorded<typeof warningSchema>;
