import { z } from 'zod';
import { variantName } from '../../shape/fields.ts';
import type { Recorded } from '../../shape/recorded.ts';
import { PROBES } from '../../suite/format/suite.ts';
import {
  cacheFindingSchema,
  loadFindingSchema,
  probeReasonSchema,
  seedFindingSchema,
} from '../probes/probe-finding.ts';
import { everyWarning, variants } from './warning-fields.ts';

/** What a probe of a variant found that bends numbers, or that its target says otherwise; or why it found nothing. */
export const probeWarnings = [
  z
    .strictObject({
      ...everyWarning,
      code: z.literal('served_from_cache'),
      variant: variantName,
      cache: cacheFindingSchema.describe('What the probe found.'),
    })
    .describe('Repeats come from a cache.'),
  z
    .strictObject({
      ...everyWarning,
      code: z.enum(['seed_ignored', 'seed_unstable', 'seed_similar']),
      variant: variantName,
      claim: z.enum(['exact', 'similar', 'none']).describe('What the target claims of seeds.'),
      seed: seedFindingSchema.describe('What the probe found.'),
    })
    .describe("What the seed probe found against the target's claim."),
  z
    .strictObject({
      ...everyWarning,
      code: z.enum(['omitted_seed_constant', 'omitted_seed_random']),
      variant: variantName,
    })
    .describe('Without a seed, the service does not do what the target declares.'),
  z
    .strictObject({
      ...everyWarning,
      code: z.literal('batch_dependent'),
      variant: variantName,
      concurrency: z.int().min(1).describe('The most in flight.'),
      load: loadFindingSchema.describe('What the probe found.'),
    })
    .describe('Concurrency changes the output.'),
  z
    .strictObject({
      ...everyWarning,
      code: z.literal('probe_not_testable'),
      variant: variantName,
      probe: z.enum(PROBES).describe('The probe.'),
      reason: probeReasonSchema,
    })
    .describe('A probe was sent, but has no finding.'),
  z
    .strictObject({
      ...everyWarning,
      code: z.literal('probe_left_out'),
      probe: z.enum(PROBES).describe('The probe.'),
      whole: z.boolean().describe('Left out; else tested in part.'),
      variants,
      reason: probeReasonSchema,
    })
    .describe('A probe had nothing to test, or was incomplete.'),
] as const;
export type ProbeWarning = Recorded<(typeof probeWarnings)[number]>;
