import { z } from 'zod';
import type { ProbePart } from '../../plan/probes/probe-part.ts';
import type { Trial } from '../../plan/trial.ts';
import { KINDS } from '../../suite/format/suite.ts';
import { schemaOf } from './exact-schema.ts';
import { count, sha256 } from './field-schemas.ts';

const probePartSchema = schemaOf<ProbePart>('ProbePart')(
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('seed'), role: z.enum(['other', 'omitted']), base: count }),
    z.strictObject({ kind: z.literal('cache'), role: z.enum(['first', 'repeat', 'fresh']), pair: count }),
    z.strictObject({ kind: z.literal('load'), role: z.enum(['alone', 'concurrent']) }),
  ]),
);

export const trialSchema = schemaOf<Trial>('Trial')(
  z.strictObject({
    id: z.string(),
    variant: z.string(),
    kind: z.enum(KINDS),
    prompt: z.string(),
    seed: count.nullable(),
    repeat: z.int().min(1),
    block: z.string(),
    phase: z.enum(['trial', 'warmup', 'probe', 'step', 'confirm', 'against']),
    step: z.int().min(1).exactOptional(),
    probe: probePartSchema.exactOptional(),
    requestDigest: sha256,
  }),
);
