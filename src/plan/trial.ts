import { z } from 'zod';
import { choice, count, number, part, promptId, type Recorded, sha256, shape, variantName } from '../kit/declare.ts';
import { KINDS } from '../suite/kind.ts';

const probePartSchema = choice('ProbePart', 'What a trial is in a probe.', 'kind', [
  part('Another seed than the measured `base` of the same case, or none at all.', {
    kind: z.literal('seed'),
    role: z.enum(['other', 'omitted']),
    base: count.describe('The measured seed that it belongs to.'),
  }),
  part(
    'A pair is a `repeat`, of the request that the pair before it sent as `fresh`, beside a `fresh` one that was ' +
      'never sent. `first` is what the first pair repeats; it is of pair 0.',
    {
      kind: z.literal('cache'),
      role: z.enum(['first', 'repeat', 'fresh']),
      pair: count.describe('The number of its pair.'),
    },
  ),
  part('A request of the plan, with nothing beside it or with as much as the load allows.', {
    kind: z.literal('load'),
    role: z.enum(['alone', 'concurrent']),
  }),
]);
export type ProbePart = Recorded<typeof probePartSchema>;

export const kind = z.enum(KINDS).describe('What is asked for.');

export const trialSchema = shape('Trial', 'One planned request: variant x prompt x seed x repeat.', {
  id: z.string().describe('Digest of variant, phase, prompt, seed, repeat and request: the same on every machine.'),
  variant: variantName,
  kind,
  prompt: promptId,
  seed: count.nullable().describe('Null: left out, as the seed probe does once.'),
  repeat: z.int().min(1).describe('From 1.'),
  block: z
    .string()
    .describe('Prompt, seed and repeat within a kind: trials of one block are compared with each other.'),
  phase: z
    .enum(['trial', 'warmup', 'probe', 'step', 'confirm', 'against'])
    .describe(
      '`step`: of a sweep; `confirm`: a cell measured again; `against`: of a variant of the stored baseline ' +
        '(`--against`).',
    ),
  step: number
    .positive()
    .exactOptional()
    .describe('Of a sweep, its concurrency; of open load its arrivals per second.'),
  probe: probePartSchema.exactOptional().describe('Of a probe, what it is there.'),
  requestDigest: sha256.describe('SHA-256 of the rendered request without host and secrets.'),
});
/** One planned request: variant x prompt x seed x repeat. */
export type Trial = Recorded<typeof trialSchema>;

export type Phase = Trial['phase'];
