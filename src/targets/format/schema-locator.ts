import { z } from 'zod';

/** One or several: the first that finds something counts. */
export const locators = z
  .union([z.string(), z.array(z.string()).min(1)])
  .transform((given) => (typeof given === 'string' ? [given] : given));

const timeLocator = z.union([
  z.string(),
  z.strictObject({
    at: locators.describe('Its location.'),
    unit: z.enum(['us', 'ms', 's']).describe('The unit it is given in.'),
  }),
]);

/** One or several: the first that finds something counts. */
export const timeLocators = z
  .union([timeLocator, z.array(timeLocator).min(1)])
  .transform((given) => (Array.isArray(given) ? given : [given]));

export const costLocator = z.union([
  locators,
  z.strictObject({
    at: locators.describe('Its location.'),
    each: z.number().positive().describe('US dollars for one of them: 0.01 if it counts credits of a cent.'),
  }),
]);

export type DeclaredTimeLocator = z.output<typeof timeLocator>;
