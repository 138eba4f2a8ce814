import { z } from 'zod';
import { count, promptId, type Recorded, sha256, shape, variantName } from '../kit/declare.ts';
import { KINDS } from '../suite/kind.ts';
import { probePartSchema } from './probes/probe-part.ts';

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
  step: z.int().min(1).exactOptional().describe('Of a sweep, its concurrency.'),
  probe: probePartSchema.exactOptional().describe('Of a probe, what it is there.'),
  requestDigest: sha256.describe('SHA-256 of the rendered request without host and secrets.'),
});
/** One planned request: variant x prompt x seed x repeat. */
export type Trial = Recorded<typeof trialSchema>;

export type Phase = Trial['phase'];
