import { z } from 'zod';
import { trialSchema } from '../../plan/trial.ts';
import { amount, atMs, count, httpStatus, instant, milliseconds, trialId, variantName } from '../../shape/fields.ts';
import type { Recorded } from '../../shape/recorded.ts';
import { jsonObject, segment } from './fields.ts';
import { sampleSchema } from './sample.ts';
import { abandonmentSchema, stopSchema } from './stop.ts';

export const loopDelaySchema = z
  .strictObject({
    p50Ms: milliseconds.describe('The median.'),
    p99Ms: milliseconds.describe('The 99th percentile.'),
    maxMs: milliseconds.describe('The largest.'),
  })
  .meta({
    id: 'LoopDelay',
    description:
      'How late a 2 ms timer ran in the thread that takes timestamps: a timestamp may be late by ' + 'this much.',
  });
export type LoopDelay = Recorded<typeof loopDelaySchema>;

const segmentSchema = z.discriminatedUnion('state', [
  z
    .strictObject({
      event: z.literal('segment'),
      state: z.literal('started'),
      segment,
      originAt: instant.describe("Wall-clock time of its clock's zero: UTC, ISO 8601."),
    })
    .describe('A process began to measure.'),
  z
    .strictObject({
      event: z.literal('segment'),
      state: z.literal('ended'),
      segment,
      atMs,
      stop: stopSchema.describe('Why it ended.'),
      orphans: count.describe(
        'Abandoned requests (past the time limit, or aborted) that may still have run at the service: ' +
          'they were sent, had no result or refusal, and were not cancelled there.',
      ),
      loopDelay: loopDelaySchema.nullable().describe('Null if the thread that takes timestamps failed.'),
    })
    .describe('A process ended its measuring. A segment without this line was killed.'),
]);

const intentSchema = z
  .strictObject({
    event: z.literal('intent'),
    segment,
    slice: count.describe('Its place in the plan, from 0.'),
    trial: trialSchema,
    atMs,
    mostUsd: amount
      .exactOptional()
      .describe(
        'What one submit costs at most by the declared price, in US dollars; absent without a price ' +
          'or an upper bound.',
      ),
  })
  .meta({
    id: 'Intent',
    description:
      'A request that may cost money is about to leave: written before its first byte; under open ' +
      'load up to 0.2 s before it is due.',
  });
export type Intent = Recorded<typeof intentSchema>;

const acceptedSchema = z
  .strictObject({
    event: z.literal('accepted'),
    segment,
    trial: trialId,
    captured: jsonObject.describe('What is needed to poll it.'),
    atMs,
  })
  .meta({ id: 'Accepted', description: 'A job was accepted: written before the first poll.' });
export type Accepted = Recorded<typeof acceptedSchema>;

const cancelSchema = z
  .strictObject({
    event: z.literal('cancel'),
    segment,
    trial: trialId,
    cancelled: z.boolean().describe('Whether the job has ended: then it counts as no orphan.'),
    httpStatus,
    code: z.string().nullable().describe('Why the job was not cancelled; null if it was.'),
    atMs,
  })
  .meta({
    id: 'Cancel',
    description:
      'The service was asked to end the job of an abandoned trial (`wait.cancel` of its target), ' +
      'and answered or did not answer within 5 s: written before the sample.',
  });
export type Cancel = Recorded<typeof cancelSchema>;

const attemptSchema = z
  .strictObject({
    event: z.literal('attempt'),
    segment,
    trial: trialId,
    attempt: z.int().min(1).describe('The number of the one that failed, from 1.'),
    httpStatus,
    waitMs: milliseconds.describe('How long until the next.'),
    atMs,
  })
  .meta({
    id: 'Attempt',
    description: 'A request is sent again: it was throttled, or is idempotent and its failure may be transient.',
  });
export type Attempt = Recorded<typeof attemptSchema>;

const variantAbandonedSchema = z
  .strictObject({
    event: z.literal('abandoned'),
    segment,
    variant: variantName,
    why: abandonmentSchema,
    atMs,
  })
  .meta({ id: 'VariantAbandoned', description: 'A variant was left out: nothing more of it is sent.' });
export type VariantAbandoned = Recorded<typeof variantAbandonedSchema>;

const lookSchema = z
  .strictObject({
    event: z.literal('look'),
    segment,
    look: z.int().min(1).describe('Its number, from 1.'),
    decided: z.boolean().describe('A rule failed, or none is left that further parts could decide: they are not sent.'),
    atMs,
  })
  .meta({ id: 'Look', description: 'The gate was looked at between two parts of the plan, with nothing in flight.' });
export type Look = Recorded<typeof lookSchema>;

/** A line of journal.jsonl. */
export const journalSchema = z
  .discriminatedUnion('event', [
    z.strictObject({ event: z.literal('sample'), sample: sampleSchema }).describe('A trial has its result.'),
    intentSchema,
    acceptedSchema,
    attemptSchema,
    cancelSchema,
    variantAbandonedSchema,
    lookSchema,
    segmentSchema,
  ])
  .meta({ id: 'JournalEvent', description: 'One line of journal.jsonl: something that happened.' });
export type JournalEvent = Recorded<typeof journalSchema>;

type Segment = Recorded<typeof segmentSchema>;
export type SegmentStarted = Extract<Segment, { state: 'started' }>;
export type SegmentEnded = Extract<Segment, { state: 'ended' }>;
