import { z } from 'zod';
import { count, part, type Recorded, variantName } from '../../kit/declare.ts';
import { json } from '../../suite/format/json-value.ts';
import { everyWarning, variants } from './warning-fields.ts';

export const seedWarnings = [
  part('Takes of a seed differ, though the target claims `exact`.', {
    ...everyWarning,
    code: z.literal('seed_not_honoured'),
    variant: variantName,
    cells: count.describe('Cells whose takes differ in their pixels, of those with two takes that were compared.'),
    ofCells: count.describe('Cells that were compared.'),
  }),
  part('The service reports another seed.', {
    ...everyWarning,
    code: z.literal('other_seed_echoed'),
    variant: variantName,
    samples: count.describe('How many samples.'),
    ofSamples: count.describe('Samples whose service reports a seed.'),
    sent: z.number().describe('The seed that was sent.'),
    echoed: z.number().describe('The seed that it reports.'),
    kept: z
      .strictObject({
        how: z.enum(['modulo', 'clamp', 'signed']).describe('How it changes a seed.'),
        size: z.number().describe('By this size.'),
      })
      .nullable()
      .describe('What the service makes of a seed, where that explains every echo.'),
  }),
  part('The target takes no seed, and the suite declares several.', {
    ...everyWarning,
    code: z.literal('no_seed_sent'),
    variants,
    seeds: z.array(count).describe('The seeds of the suite.'),
  }),
  part('All seeds of a prompt gave the same bytes.', {
    ...everyWarning,
    code: z.literal('same_for_all_seeds'),
    variants,
    prompts: count.describe('How many prompts.'),
  }),
  part('Variants with different constants gave the same bytes.', {
    ...everyWarning,
    code: z.literal('equal_variants'),
    variants,
    cells: count.describe('Prompts and seeds at which all of them delivered.'),
    constants: z
      .array(
        z.strictObject({
          name: z.string().describe('The name of the constant.'),
          values: z.array(json).describe('Its values.'),
        }),
      )
      .describe('What they differ in, in the order of `variants`; null where one does not set it.'),
  }),
] as const;
export type SeedWarning = Recorded<(typeof seedWarnings)[number]>;
