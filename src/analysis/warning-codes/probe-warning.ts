import { z } from 'zod';
import { part, type Recorded, variantName } from '../../kit/declare.ts';
import { PROBES } from '../../suite/format/suite.ts';
import {
  cacheFindingSchema,
  loadFindingSchema,
  probeReasonSchema,
  seedFindingSchema,
} from '../probes/probe-finding.ts';
import { everyWarning, variants } from './warning-fields.ts';

export const probeWarnings = [
  part('Repeats come from a cache.', {
    ...everyWarning,
    code: z.literal('served_from_cache'),
    variant: variantName,
    cache: cacheFindingSchema.describe('What the probe found.'),
  }),
  part("What the seed probe found against the target's claim.", {
    ...everyWarning,
    code: z.enum(['seed_ignored', 'seed_unstable', 'seed_similar']),
    variant: variantName,
    claim: z.enum(['exact', 'similar', 'none']).describe('What the target claims of seeds.'),
    seed: seedFindingSchema.describe('What the probe found.'),
  }),
  part('Without a seed, the service does not do what the target declares.', {
    ...everyWarning,
    code: z.enum(['omitted_seed_constant', 'omitted_seed_random']),
    variant: variantName,
  }),
  part('Concurrency changes the output.', {
    ...everyWarning,
    code: z.literal('batch_dependent'),
    variant: variantName,
    concurrency: z.int().min(1).describe('The most in flight.'),
    load: loadFindingSchema.describe('What the probe found.'),
  }),
  part('A probe was sent, but has no finding.', {
    ...everyWarning,
    code: z.literal('probe_not_testable'),
    variant: variantName,
    probe: z.enum(PROBES).describe('The probe.'),
    reason: probeReasonSchema,
  }),
  part('A probe had nothing to test, or was incomplete.', {
    ...everyWarning,
    code: z.literal('probe_left_out'),
    probe: z.enum(PROBES).describe('The probe.'),
    whole: z.boolean().describe('Left out; else tested in part.'),
    variants,
    reason: probeReasonSchema,
  }),
] as const;
export type ProbeWarning = Recorded<(typeof probeWarnings)[number]>;
