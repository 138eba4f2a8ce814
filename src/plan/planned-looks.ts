import { z } from 'zod';
import { count, type Recorded, shape } from '../kit/declare.ts';

const partSchema = shape('PlannedPart', 'What is measured between two looks.', {
  lastSlice: count.describe('The number of its last slice in the plan: the look comes after it.'),
  caseSeeds: count.describe('Prompts with a seed.'),
  trials: z.record(z.string(), count).describe('Measured trials, by variant.'),
});
export type PlannedPart = Recorded<typeof partSchema>;

export const looksSchema = shape('PlannedLooks', 'The parts of a plan whose gate is looked at more than once.', {
  kind: z
    .enum(['confirm', 'until_decided'])
    .describe('`confirm`: the plan, then the same cells again. `until_decided`: prompts with seeds, in parts.'),
  of: z.int().min(2).describe('Looks at most.'),
  unit: z.enum(['blocks', 'rounds']).describe('`blocks` at concurrency 1, `rounds` above it.'),
  units: z.array(count).describe('Until each look, how many of these the variant with the most has.'),
  parts: z
    .array(partSchema)
    .describe('In the order they are sent, one for each look; fewer if the gate was decided early.'),
});
export type PlannedLooks = Recorded<typeof looksSchema>;

export type LookKind = PlannedLooks['kind'];
