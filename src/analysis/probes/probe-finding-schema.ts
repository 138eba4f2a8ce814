import { z } from 'zod';
import { LEVELS } from '../../media/compare/level.ts';
import { schemaOf } from '../../record/schemas/exact-schema.ts';
import { count } from '../../record/schemas/field-schemas.ts';
import { skippedProbeReasons } from '../../record/schemas/run-schema.ts';
import { EFFECTIVE_OUTCOMES } from '../effective-outcomes.ts';
import type {
  CacheFinding,
  LoadFinding,
  OmittedSeed,
  ProbeFindings,
  ProbeReason,
  SeedEffect,
  SeedFinding,
} from './probe-finding.ts';

const share = z.number().min(0).max(1);

const requestsFailedSchema = z.strictObject({
  code: z.literal('requests_failed'),
  failed: count,
  sent: count,
  outcome: z.enum(EFFECTIVE_OUTCOMES).exclude(['ok']),
  error: z.string(),
});

export const probeReasonSchema = schemaOf<ProbeReason>('ProbeReason')(
  z.discriminatedUnion('code', [
    ...skippedProbeReasons,
    z.strictObject({ code: z.literal('cached') }),
    requestsFailedSchema,
    z.strictObject({ code: z.literal('not_sent') }),
    z.strictObject({ code: z.enum(['no_take', 'one_take']), sent: count }),
    z.strictObject({ code: z.literal('not_compared') }),
    z.strictObject({ code: z.literal('too_few_pairs'), pairs: count, needs: count }),
  ]),
);

export const SEED_EFFECTS = ['exact', 'similar', 'ignored', 'unstable'] as const satisfies readonly SeedEffect[];

export const omittedSeedSchema = schemaOf<OmittedSeed>('OmittedSeed')(
  z.strictObject({
    code: z.enum(['random', 'constant', 'not_supported', 'not_testable']),
    takes: count,
    reason: probeReasonSchema.nullable(),
  }),
);

export const seedFindingSchema = schemaOf<SeedFinding>('SeedFinding')(
  z.strictObject({
    code: z.enum([...SEED_EFFECTS, 'not_claimed', 'not_testable']),
    seen: z.enum(SEED_EFFECTS).nullable(),
    takes: count,
    within: z.enum(LEVELS).nullable(),
    bound: share.nullable(),
    otherSeeds: count,
    otherImages: count,
    omitted: omittedSeedSchema,
    reason: probeReasonSchema.nullable(),
  }),
);

export const cacheFindingSchema = schemaOf<CacheFinding>('CacheFinding')(
  z.strictObject({
    code: z.enum(['cached', 'no_sign', 'not_testable']),
    by: z.array(z.enum(['timing', 'said'])),
    pairs: count,
    equal: count,
    ratio: z.number().nullable(),
    p: share.nullable(),
    detectableRatio: z.number().nullable(),
    saidOfRepeats: count,
    saidOfFresh: count,
    reason: probeReasonSchema.nullable(),
  }),
);

export const loadFindingSchema = schemaOf<LoadFinding>('LoadFinding')(
  z.strictObject({
    code: z.enum(['batch_dependent', 'no_sign', 'too_few_discordant', 'not_testable']),
    cells: count,
    changedConcurrent: count,
    changedAlone: count,
    p: share.nullable(),
    bound: share.nullable(),
    reason: probeReasonSchema.nullable(),
  }),
);

export const probeFindingsSchema = schemaOf<ProbeFindings>('ProbeFindings')(
  z.strictObject({
    variant: z.string(),
    seed: seedFindingSchema.nullable(),
    cache: cacheFindingSchema.nullable(),
    load: loadFindingSchema.nullable(),
  }),
);
