import { z } from 'zod';
import type {
  Accepted,
  Attempt,
  Cancel,
  Intent,
  JournalEvent,
  Look,
  LoopDelay,
  VariantAbandoned,
} from '../model/journal.ts';
import { schemaOf } from './exact-schema.ts';
import { amount, count, instant, jsonObject, milliseconds, segment } from './field-schemas.ts';
import { sampleSchema } from './sample-schema.ts';
import { abandonmentSchema, stopSchema } from './stop-schema.ts';
import { trialSchema } from './trial-schema.ts';

export const loopDelaySchema = schemaOf<LoopDelay>('LoopDelay')(
  z.strictObject({ p50Ms: milliseconds, p99Ms: milliseconds, maxMs: milliseconds }),
);

const segmentSchema = z.discriminatedUnion('state', [
  z.strictObject({ event: z.literal('segment'), state: z.literal('started'), segment, originAt: instant }),
  z.strictObject({
    event: z.literal('segment'),
    state: z.literal('ended'),
    segment,
    atMs: milliseconds,
    stop: stopSchema,
    orphans: count,
    loopDelay: loopDelaySchema.nullable(),
  }),
]);

const intentSchema = schemaOf<Intent>('Intent')(
  z.strictObject({
    event: z.literal('intent'),
    segment,
    slice: count,
    trial: trialSchema,
    atMs: milliseconds,
    mostUsd: amount.exactOptional(),
  }),
);

const acceptedSchema = schemaOf<Accepted>('Accepted')(
  z.strictObject({
    event: z.literal('accepted'),
    segment,
    trial: z.string(),
    captured: jsonObject,
    atMs: milliseconds,
  }),
);

const cancelSchema = schemaOf<Cancel>('Cancel')(
  z.strictObject({
    event: z.literal('cancel'),
    segment,
    trial: z.string(),
    cancelled: z.boolean(),
    httpStatus: z.int().nullable(),
    code: z.string().nullable(),
    atMs: milliseconds,
  }),
);

const attemptSchema = schemaOf<Attempt>('Attempt')(
  z.strictObject({
    event: z.literal('attempt'),
    segment,
    trial: z.string(),
    attempt: z.int().min(1),
    httpStatus: z.int().nullable(),
    waitMs: milliseconds,
    atMs: milliseconds,
  }),
);

const variantAbandonedSchema = schemaOf<VariantAbandoned>('VariantAbandoned')(
  z.strictObject({
    event: z.literal('abandoned'),
    segment,
    variant: z.string(),
    why: abandonmentSchema,
    atMs: milliseconds,
  }),
);

const lookSchema = schemaOf<Look>('Look')(
  z.strictObject({
    event: z.literal('look'),
    segment,
    look: z.int().min(1),
    decided: z.boolean(),
    atMs: milliseconds,
  }),
);

/** A line of journal.jsonl. */
export const journalSchema = schemaOf<JournalEvent>('JournalEvent')(
  z.discriminatedUnion('event', [
    z.strictObject({ event: z.literal('sample'), sample: sampleSchema }),
    intentSchema,
    acceptedSchema,
    attemptSchema,
    cancelSchema,
    variantAbandonedSchema,
    lookSchema,
    segmentSchema,
  ]),
);
