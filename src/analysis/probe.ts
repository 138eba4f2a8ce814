import { z } from 'zod';
import { choice, count, part, type Recorded, shape, share, variantName } from '../kit/declare.ts';
import { LEVELS } from '../media/level.ts';
import { skippedProbeReasons } from '../plan/recorded-plan.ts';
import { EFFECTIVE_OUTCOMES } from './effective-sample.ts';

const requestsFailedSchema = part('The requests of the probe failed.', {
  code: z.literal('requests_failed'),
  failed: count.describe('How many failed.'),
  sent: count.describe('How many were sent.'),
  outcome: z.enum(EFFECTIVE_OUTCOMES).exclude(['ok']).describe('What most of them failed with.'),
  error: z.string().describe('The code of these; may be empty. Hostile text.'),
});

export const probeReasonSchema = choice('ProbeReason', 'Why something is not testable.', 'code', [
  ...skippedProbeReasons,
  part('Repeats come from a cache: that they are equal says nothing of the model.', { code: z.literal('cached') }),
  requestsFailedSchema,
  part('The run ended before its requests were sent.', { code: z.literal('not_sent') }),
  part(
    'Of the measured takes of the first prompt and seed none was delivered, or one, and nothing to compare it with.',
    { code: z.enum(['no_take', 'one_take']), sent: count.describe('How many were sent.') },
  ),
  part('Takes differ in their bytes, and were not compared.', { code: z.literal('not_compared') }),
  part('Too few pairs were delivered whole.', {
    code: z.literal('too_few_pairs'),
    pairs: count.describe('How many pairs.'),
    needs: count.describe('How many the test needs.'),
  }),
]);
export type ProbeReason = Recorded<typeof probeReasonSchema>;

export const SEED_EFFECTS = ['exact', 'similar', 'ignored', 'unstable'] as const;

export const omittedSeedSchema = shape('OmittedSeed', 'What the service does without a seed.', {
  code: z.enum(['random', 'constant', 'not_supported', 'not_testable']),
  takes: count.describe('Takes without a seed.'),
  reason: probeReasonSchema.nullable().describe('Why it is not testable; else null.'),
});
export type OmittedSeed = Recorded<typeof omittedSeedSchema>;

export const seedFindingSchema = shape('SeedFinding', 'What a seed does.', {
  code: z
    .enum([...SEED_EFFECTS, 'not_claimed', 'not_testable'])
    .describe(
      '`exact`, `similar`: takes of one seed are the same, or similar; `ignored`: those of all seeds are; ' +
        '`unstable`: takes of a seed differ. `not_claimed`: the target claims nothing of seeds, see `seen`. ' +
        '`not_testable`: see `reason`.',
    ),
  seen: z.enum(SEED_EFFECTS).nullable().describe('What is observed; null if it is not testable.'),
  takes: count.describe("Takes of the suite's first seed."),
  within: z
    .enum(LEVELS)
    .nullable()
    .describe('The lowest level among their pairs; null without a pair, or if one was not compared.'),
  bound: share
    .nullable()
    .describe(
      'If these takes agree: at most this share of further takes would differ (one-sided 95 %, n = takes - 1). ' +
        'Else null.',
    ),
  otherSeeds: count.describe('Other seeds that delivered.'),
  otherImages: count.describe('Other seeds that gave another image.'),
  omitted: omittedSeedSchema.describe('What the service does without a seed.'),
  reason: probeReasonSchema.nullable().describe('Why it is not testable; else null.'),
});
export type SeedFinding = Recorded<typeof seedFindingSchema>;

export const cacheFindingSchema = shape('CacheFinding', 'Whether repeats come from a cache.', {
  code: z.enum(['cached', 'no_sign', 'not_testable']).describe('`no_sign`: nothing says that they do.'),
  by: z.array(z.enum(['timing', 'said'])).describe('What says that they do: their time, or the service.'),
  pairs: count.describe('Pairs whose repeat, first, and fresh neighbour all delivered.'),
  equal: count.describe('Repeats that are byte-identical to their first: only these are timed.'),
  ratio: z
    .number()
    .nullable()
    .describe('How many times as long a fresh one took as a repeat (Hodges-Lehmann); null without an equal repeat.'),
  p: share.nullable().describe('That repeats are no more than the least ratio faster: signed rank, one-sided.'),
  detectableRatio: z
    .number()
    .nullable()
    .describe(
      'A cache that makes every repeat so many times as fast is found in 80 of 100 runs with so many equal repeats ' +
        'of such spread; null with too few.',
    ),
  saidOfRepeats: count.describe('Repeats that came from a cache, as the service says.'),
  saidOfFresh: count.describe('Fresh requests that came from a cache, as the service says.'),
  reason: probeReasonSchema.nullable().describe('Why it is not testable; else null.'),
});
export type CacheFinding = Recorded<typeof cacheFindingSchema>;

export const loadFindingSchema = shape('LoadFinding', 'Whether concurrency changes the output.', {
  code: z
    .enum(['batch_dependent', 'no_sign', 'too_few_discordant', 'not_testable'])
    .describe(
      '`too_few_discordant`: some cells changed, too few for a test. `no_sign`: none did, or a test finds nothing.',
    ),
  cells: count.describe('Cells that delivered all takes and could be compared.'),
  changedConcurrent: count.describe('Cells that changed only under concurrency.'),
  changedAlone: count.describe('Cells that changed only without it.'),
  p: share.nullable().describe('Exact McNemar test, one-sided; null if too few cells changed.'),
  bound: share
    .nullable()
    .describe(
      'Concurrency changes the output of at most this share of cells (Clopper-Pearson, one-sided 95 %); null ' +
        'without a cell.',
    ),
  reason: probeReasonSchema.nullable().describe('Why it is not testable; else null.'),
});
export type LoadFinding = Recorded<typeof loadFindingSchema>;

export const probeFindingsSchema = shape(
  'ProbeFindings',
  'What the probes of a variant found; null for a probe that the suite does not ask for.',
  {
    variant: variantName,
    seed: seedFindingSchema.nullable(),
    cache: cacheFindingSchema.nullable(),
    load: loadFindingSchema.nullable(),
  },
);
export type ProbeFindings = Recorded<typeof probeFindingsSchema>;

export type SeedEffect = (typeof SEED_EFFECTS)[number];
