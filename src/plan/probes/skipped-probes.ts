import { z } from 'zod';
import { count, variantName } from '../../shape/fields.ts';
import type { Recorded } from '../../shape/recorded.ts';
import { PROBES } from '../../suite/format/suite.ts';

export const skippedProbeReasons = [
  z.strictObject({ code: z.literal('no_seed') }).describe('The target takes no seed.'),
  z.strictObject({ code: z.literal('no_spare_seed') }).describe("It takes no seeds besides the suite's."),
  z
    .strictObject({ code: z.literal('too_few_seeds'), seeds: count.describe('How many it takes.') })
    .describe('It takes too few seeds.'),
  z.strictObject({ code: z.literal('seed_required') }).describe('It always sends a seed.'),
  z.strictObject({ code: z.literal('concurrency_1') }).describe('The load never has two requests in flight.'),
  z.strictObject({ code: z.literal('one_cell') }).describe('There is nothing to send beside it.'),
] as const;

const skippedProbeReasonSchema = z
  .discriminatedUnion('code', skippedProbeReasons)
  .meta({ id: 'SkippedProbeReason', description: 'Why a probe, or a part of it, has nothing to test.' });
export type SkippedProbeReason = Recorded<typeof skippedProbeReasonSchema>;

export const skippedProbeSchema = z
  .strictObject({
    probe: z.enum(PROBES).describe('The probe.'),
    variant: variantName,
    whole: z.boolean().describe('Whether the whole probe was left out, or a part of it.'),
    reason: skippedProbeReasonSchema,
  })
  .meta({
    id: 'SkippedProbe',
    description: 'A probe that the suite asks for and that has nothing to test, or only a part of it.',
  });
export type SkippedProbe = Recorded<typeof skippedProbeSchema>;
