import { z } from 'zod';

const scalars = z.array(z.union([z.string(), z.number(), z.boolean()])).min(1);

const constType = z.union([
  z.strictObject({ values: scalars.describe('The allowed values; any other is an error.') }),
  z.strictObject({ known: scalars.describe('The known values; any other value of the same type is a warning.') }),
  z
    .strictObject({
      type: z.enum(['int', 'number']).describe('int: a whole number.'),
      min: z.number().optional().describe('The smallest allowed value.'),
      max: z.number().optional().describe('The largest allowed value.'),
    })
    .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
      error: 'has a min above its max; write min <= max',
    }),
  z.strictObject({ type: z.enum(['text', 'boolean']).describe('Any text, or true and false.') }),
]);

export const constTypesSchema = z
  .record(z.string(), constType)
  .meta({ examples: [{ model: { values: ['standard', 'fast'] }, steps: { type: 'int', min: 1, max: 150 } }] })
  .describe('What each constant may be: a list of values, values that are known, or a type. null is always allowed.');

export type DeclaredConstTypes = z.output<typeof constTypesSchema>;
