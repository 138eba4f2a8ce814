import { z } from 'zod';

/** One locator of the read language, or several of which the first that finds something counts. */
export const locators = z
  .union([z.string(), z.array(z.string()).min(1)])
  .transform((given) => (typeof given === 'string' ? [given] : given));

/** Where a length of time stands, and in which unit. */
export const timeLocator = z.union([
  z.string(),
  z.strictObject({
    at: locators.describe('Where it stands.'),
    unit: z.enum(['us', 'ms', 's']).describe('The unit it is given in.'),
  }),
]);

export type DeclaredTimeLocator = z.output<typeof timeLocator>;
