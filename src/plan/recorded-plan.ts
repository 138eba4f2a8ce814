import { z } from 'zod';
import { choice, count, part, type Recorded, shape, variantName } from '../kit/declare.ts';
import { PROBES } from '../suite/suite.ts';

const partSchema = shape('PlannedPart', 'What is measured between two looks.', {
  lastSlice: count.describe('The number of its last slice in the plan: the look comes after it.'),
  caseSeeds: count.describe('Prompts with a seed.'),
  trials: z.record(z.string(), count).describe('Measured trials, by variant.'),
});
export type PlannedPart = Recorded<typeof partSchema>;

export const looksSchema = shape('PlannedLooks', 'The parts of a plan that may end before its last one.', {
  kind: z
    .enum(['confirm', 'until_decided', 'claim'])
    .describe(
      '`confirm`: the plan, then the same cells again. `until_decided`: prompts with seeds, in parts. `claim`: pair after pair.',
    ),
  of: z.int().min(1).describe('Looks at most.'),
  unit: z.enum(['blocks', 'rounds']).describe('`blocks` at concurrency 1, `rounds` above it.'),
  units: z.array(count).describe('Until each look, how many of these the variant with the most has.'),
  parts: z
    .array(partSchema)
    .describe('In the order they are sent, one for each look; fewer if the gate was decided early.'),
});
export type PlannedLooks = Recorded<typeof looksSchema>;

export type LookKind = PlannedLooks['kind'];

/** Those that an option asks for. */
export type AskedLooks = Exclude<LookKind, 'claim'>;

const skippedProbeReasons = [
  part('The target takes no seed.', { code: z.literal('no_seed') }),
  part("It takes no seeds besides the suite's.", { code: z.literal('no_spare_seed') }),
  part('It takes too few seeds.', { code: z.literal('too_few_seeds'), seeds: count.describe('How many it takes.') }),
  part('It always sends a seed.', { code: z.literal('seed_required') }),
  part('The load never has two requests in flight.', { code: z.literal('concurrency_1') }),
  part('There is nothing to send beside it.', { code: z.literal('one_cell') }),
] as const;

const skippedProbeReasonSchema = choice(
  'SkippedProbeReason',
  'Why a probe, or a part of it, has nothing to test.',
  'code',
  skippedProbeReasons,
);
export type SkippedProbeReason = Recorded<typeof skippedProbeReasonSchema>;

export const skippedProbeSchema = shape(
  'SkippedProbe',
  'A probe that the suite asks for and that has nothing to test, or only a part of it.',
  {
    probe: z.enum(PROBES).describe('The probe.'),
    variant: variantName,
    whole: z.boolean().describe('Whether the whole probe was left out, or a part of it.'),
    reason: skippedProbeReasonSchema,
  },
);
export type SkippedProbe = Recorded<typeof skippedProbeSchema>;
