import { z } from 'zod';
import { type Recorded, shape, variantName } from '../kit/declare.ts';
import { json } from '../kit/json-value.ts';

export const probeFindingSchema = shape('ProbeFinding', 'What a probe found of a variant.', {
  variant: variantName,
  question: z
    .enum(['seed', 'no_seed', 'cache', 'load'])
    .describe(
      '`seed`: what a seed does; `no_seed`: what the service does without one; `cache`: whether repeats come from a ' +
        'cache; `load`: whether concurrency changes the output.',
    ),
  code: z
    .enum([
      ...(['exact', 'similar', 'ignored', 'unstable'] as const),
      ...(['random', 'constant', 'not_supported'] as const),
      ...(['cached', 'batch_dependent', 'no_sign', 'too_few_discordant', 'not_testable'] as const),
    ])
    .describe(
      'Of a seed: `exact`, `similar`: its takes are the same, or similar; `ignored`: those of all seeds are; ' +
        '`unstable`: its takes differ. Without one: `random`, `constant`, or the target always sends one ' +
        '(`not_supported`). `cached`, `batch_dependent`: repeats come from a cache, concurrency changes the output; ' +
        '`no_sign`: nothing says so; `too_few_discordant`: some cells changed, too few for a test. `not_testable`: ' +
        '`evidence` says why.',
    ),
  facts: z
    .record(z.string(), json)
    .describe(
      'Its numbers, unrounded. `seed`: `takes` of the first seed, `within`: the lowest level among them, `bound`: at ' +
        'most this share of further takes would differ (one-sided 95 %), `otherSeeds`, `otherImages`: those that gave ' +
        'another image. `no_seed`: `takes`. `cache`: `by` (`timing`, or `said` by the service), `pairs`, `equal`: ' +
        'byte-identical repeats, `ratio`: how many times as fast they are, `bound`: at most this (one-sided 95 %), ' +
        '`p`, `saidOfRepeats`, `saidOfFresh`. `load`: `cells`, `changedConcurrent`: under concurrency ' +
        'alone, `changedAlone`: without it alone, `p`, `bound`: at most this share changes (one-sided 95 %).',
    ),
  sentence: z.string().describe('What was found.'),
  evidence: z.string().describe('By what. May hold hostile text: the code of an error.'),
  remedy: z
    .string()
    .nullable()
    .describe(
      'What to do where numbers are biased, the target is wrong about seeds, or requests of the probe failed; else null.',
    ),
});
/** What a probe found of a variant, in words that every report prints. */
export type ProbeFinding = Recorded<typeof probeFindingSchema>;

/** A finding but for its variant. */
export type ProbeAnswer = Omit<ProbeFinding, 'variant'>;
