import { z } from 'zod';
import {
  amount,
  atMs,
  choice,
  count,
  httpStatus,
  instant,
  milliseconds,
  part,
  type Recorded,
  shape,
  trialId,
  variantName,
} from '../../kit/declare.ts';
import { trialSchema } from '../../plan/trial.ts';
import { jsonObject } from '../../suite/format/json-value.ts';
import { segment } from './fields.ts';
import { sampleSchema } from './sample.ts';
import { abandonmentSchema, stopSchema } from './stop.ts';

export const loopDelaySchema = shape(
  'LoopDelay',
  'How late a 2 ms timer ran in the thread that takes timestamps: a timestamp may be late by this much.',
  {
    p50Ms: milliseconds.describe('The median.'),
    p99Ms: milliseconds.describe('The 99th percentile.'),
    maxMs: milliseconds.describe('The largest.'),
  },
);
export type LoopDelay = Recorded<typeof loopDelaySchema>;

const segmentSchema = z.discriminatedUnion('state', [
  part('A process began to measure.', {
    event: z.literal('segment'),
    state: z.literal('started'),
    segment,
    originAt: instant.describe("Wall-clock time of its clock's zero: UTC, ISO 8601."),
  }),
  part('A process ended its measuring. A segment without this line was killed.', {
    event: z.literal('segment'),
    state: z.literal('ended'),
    segment,
    atMs,
    stop: stopSchema.describe('Why it ended.'),
    orphans: count.describe(
      'Abandoned requests (past the time limit, or aborted) that may still have run at the service: they were ' +
        'sent, had no result or refusal, and were not cancelled there.',
    ),
    loopDelay: loopDelaySchema.nullable().describe('Null if the thread that takes timestamps failed.'),
  }),
]);

const intentSchema = shape(
  'Intent',
  'A request that may cost money is about to leave: written before its first byte; under open load up to 0.2 s ' +
    'before it is due.',
  {
    event: z.literal('intent'),
    segment,
    slice: count.describe('Its place in the plan, from 0.'),
    trial: trialSchema,
    atMs,
    mostUsd: amount
      .exactOptional()
      .describe(
        'What one submit costs at most by the declared price, in US dollars; absent without a price or an upper bound.',
      ),
  },
);
export type Intent = Recorded<typeof intentSchema>;

const acceptedSchema = shape('Accepted', 'A job was accepted: written before the first poll.', {
  event: z.literal('accepted'),
  segment,
  trial: trialId,
  captured: jsonObject.describe('What is needed to poll it.'),
  atMs,
});
export type Accepted = Recorded<typeof acceptedSchema>;

const cancelSchema = shape(
  'Cancel',
  'The service was asked to end the job of an abandoned trial (`wait.cancel` of its target), and answered or did ' +
    'not answer within 5 s: written before the sample.',
  {
    event: z.literal('cancel'),
    segment,
    trial: trialId,
    cancelled: z.boolean().describe('Whether the job has ended: then it counts as no orphan.'),
    httpStatus,
    code: z.string().nullable().describe('Why the job was not cancelled; null if it was.'),
    atMs,
  },
);
export type Cancel = Recorded<typeof cancelSchema>;

const attemptSchema = shape(
  'Attempt',
  'A request is sent again: it was throttled, or is idempotent and its failure may be transient.',
  {
    event: z.literal('attempt'),
    segment,
    trial: trialId,
    attempt: z.int().min(1).describe('The number of the one that failed, from 1.'),
    httpStatus,
    waitMs: milliseconds.describe('How long until the next.'),
    atMs,
  },
);
export type Attempt = Recorded<typeof attemptSchema>;

const variantAbandonedSchema = shape('VariantAbandoned', 'A variant was left out: nothing more of it is sent.', {
  event: z.literal('abandoned'),
  segment,
  variant: variantName,
  why: abandonmentSchema,
  atMs,
});
export type VariantAbandoned = Recorded<typeof variantAbandonedSchema>;

const lookSchema = shape('Look', 'The gate was looked at between two parts of the plan, with nothing in flight.', {
  event: z.literal('look'),
  segment,
  look: z.int().min(1).describe('Its number, from 1.'),
  decided: z.boolean().describe('A rule failed, or none is left that further parts could decide: they are not sent.'),
  atMs,
});
export type Look = Recorded<typeof lookSchema>;

export const journalSchema = choice('JournalEvent', 'One line of journal.jsonl: something that happened.', 'event', [
  part('A trial has its result.', { event: z.literal('sample'), sample: sampleSchema }),
  intentSchema,
  acceptedSchema,
  attemptSchema,
  cancelSchema,
  variantAbandonedSchema,
  lookSchema,
  segmentSchema,
]);
export type JournalEvent = Recorded<typeof journalSchema>;

type Segment = Recorded<typeof segmentSchema>;
export type SegmentStarted = Extract<Segment, { state: 'started' }>;
export type SegmentEnded = Extract<Segment, { state: 'ended' }>;
