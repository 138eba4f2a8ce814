import { z } from 'zod';
import {
  amount,
  atMs,
  choice,
  count,
  errorCode,
  httpStatus,
  instant,
  message,
  milliseconds,
  number,
  part,
  type Recorded,
  sha256,
  shape,
  trialId,
  variantName,
} from '../kit/declare.ts';
import { jsonObject } from '../kit/json-value.ts';
import { trialSchema } from '../plan/trial.ts';
import { type Marks, marksSchema, reportedSchema } from '../targets/recorded.ts';
import { OUTCOMES } from './codes.ts';
import { segment } from './run.ts';

const unreachable = {
  origin: z.string().describe('Scheme, host and port; of the proxy that failed.'),
  variable: z.string().nullable().describe('The environment variable that names it; null if it was written out.'),
  failure: z.string().describe('`dns_failed`, `connect_refused`, `proxy_auth`, or another of a connection or proxy.'),
  waitedMs: milliseconds.describe('How long it was waited for; 0 if nothing had ever been reached there.'),
};

export const stopSchema = choice(
  'Stop',
  'Why measuring ended. Everything but `finished` leaves the run incomplete.',
  'reason',
  [
    part('The whole plan was sent, except variants that were left out and parts that a decided gate did not need.', {
      reason: z.literal('finished'),
    }),
    part('The user stopped it.', { reason: z.literal('interrupted') }),
    part('Failures were significantly above `limits.failures`.', {
      reason: z.literal('failures'),
      failed: count.describe('Failed samples.'),
      samples: count.describe('Samples so far.'),
      limit: z.number().min(0).max(1).describe('The limit.'),
    }),
    part('`limits.requests` was reached.', { reason: z.literal('requests'), limit: count.describe('The limit.') }),
    part('`limits.usd` was reached.', {
      reason: z.literal('usd'),
      limitUsd: amount.describe('The limit, in US dollars.'),
    }),
    part('The account is empty.', { reason: z.literal('no_credit'), variant: variantName, message }),
    part('A request was rate-limited, and `on_throttle` is `stop`.', {
      reason: z.literal('throttled'),
      variant: variantName,
    }),
    part('No connection to a server could be opened.', { reason: z.literal('unreachable'), ...unreachable }),
    part('The record could not be written.', {
      reason: z.literal('disk'),
      path: z.string().nullable().describe('The file; null if the system names none.'),
      code: z.string().describe('Of the system, such as `ENOSPC`.'),
    }),
    part('The process had no file descriptor left.', { reason: z.literal('descriptors') }),
    part('The reference service that was started for the run ended.', {
      reason: z.literal('service'),
      exitCode: z.int().nullable().describe('Its exit code; null if a signal ended it.'),
      signal: z.string().nullable().describe('The signal; null without one.'),
    }),
    part('The coordinator of the fleet ended it, or did not answer.', {
      reason: z.literal('fleet'),
      code: z
        .enum(['told', 'unanswered'])
        .describe('`told`: the coordinator said so. `unanswered`: it did not answer in time.'),
    }),
    part('Internal error in Retake.', { reason: z.literal('defect'), message }),
  ],
);
export type Stop = Recorded<typeof stopSchema>;

const keys = z
  .strictObject({
    all: z.array(z.string()).describe('The variables.'),
    unset: z.array(z.string()).describe('Those that were not set: its requests had no key.'),
  })
  .exactOptional()
  .describe('Environment variables with its key; absent without one.');

export const abandonmentSchema = choice(
  'Abandonment',
  'Why a variant was abandoned: its further trials were not sent.',
  'code',
  [
    part('A warm-up was rejected with 401 or 403.', {
      code: z.literal('refused_warmup'),
      httpStatus: z.int().describe('HTTP status of the reply.'),
      errorCode,
      message,
      keys,
    }),
    part('Its first takes, of two prompts or more, were all rejected with one code.', {
      code: z.literal('rejected'),
      takes: count.describe('How many takes were rejected.'),
      httpStatus: z.int().nullable().describe('HTTP status of the reply.'),
      errorCode,
      message,
      keys,
    }),
    part('No connection to a server could be opened.', { code: z.literal('unreachable'), ...unreachable }),
  ],
);
export type Abandonment = Recorded<typeof abandonmentSchema>;

export type FleetStop = Omit<Extract<Stop, { reason: 'fleet' }>, 'reason'>;
export type FailuresExceeded = Omit<Extract<Stop, { reason: 'failures' }>, 'reason'>;
export type Unreachable = Omit<Extract<Stop, { reason: 'unreachable' }>, 'reason'>;
export type DiskFault = Omit<Extract<Stop, { reason: 'disk' }>, 'reason'>;

const connectionSchema = shape('Connection', 'Times of a new connection.', {
  dnsMs: milliseconds.nullable().describe('DNS; null if there was nothing to resolve.'),
  tcpMs: milliseconds.nullable().describe('TCP; null if unknown.'),
  tlsMs: milliseconds.nullable().describe('TLS; null without it.'),
});

const outputSchema = shape('Output', 'An output: its bytes are in media/ under its digest.', {
  sha256: sha256.describe('SHA-256 of its bytes.'),
  bytes: count.describe('Its size.'),
  mime: z.string().nullable().describe('Its media type by its bytes; null if unknown.'),
  declaredMime: z.string().nullable().describe('The media type that the server declares; null without one.'),
  units: amount
    .exactOptional()
    .describe('With a price per second, how many its header says; absent if it does not say.'),
});
export type Output = Recorded<typeof outputSchema>;

const errorSchema = shape(
  'SampleError',
  'Why there is no output, or a wrong one. Both texts are shortened and redacted: hostile.',
  { code: z.string().describe('A stable code, to group by.'), message: z.string().describe('What was said.') },
);
export type SampleError = Recorded<typeof errorSchema>;

const everySample = {
  trial: trialSchema,
  slice: count.describe('The slice of the plan that it was sent in.'),
  segment,
  scheduledAt: instant.describe('Wall-clock time of its start; under open load, of its due time: UTC, ISO 8601.'),
  endedMs: milliseconds.describe('When the call had ended, on the clock of its segment.'),
  attempts: count.describe('How often the request was sent; 0 if it was dropped.'),
  throttleWaitMs: milliseconds.describe('Time waited because of rate limits.'),
  polls: count.describe('Polls of its job.'),
  downloads: count.describe(
    'GETs sent for the media, repeated ones and redirects included; 0 if the reply contained it.',
  ),
  httpStatus,
  reported: reportedSchema.describe('What the server reports.'),
  connection: connectionSchema.nullable().describe('Times of a new connection; null if an open one was reused.'),
  flags: z.array(z.string()).describe('What may have affected its times, such as `orphans`.'),
};

const completeMarksSchema = marksSchema.safeExtend({
  acceptedMs: milliseconds.describe('Never absent.'),
  readyMs: milliseconds.describe('Never absent.'),
  firstByteMs: milliseconds.describe('Never absent.'),
  doneMs: milliseconds.describe('Never absent.'),
});
export type CompleteMarks = Recorded<typeof completeMarksSchema>;

const whatReturned = {
  marks: completeMarksSchema.describe('Milliseconds on the clock of its segment.'),
  outputs: z.tuple([outputSchema], outputSchema).describe('At least one; the first counts.'),
};

/** A call that was due but never started has no other mark. */
type DueMarks = Readonly<Record<'scheduledMs', number> & Partial<Record<Exclude<keyof Marks, 'scheduledMs'>, never>>>;

const dueMarksSchema: z.ZodType<DueMarks> = z.strictObject({
  scheduledMs: milliseconds.describe('When the call was due.'),
});

const sampleSchema = choice('Sample', 'The result of a trial.', 'outcome', [
  part('Media of the expected kind came back.', {
    ...everySample,
    ...whatReturned,
    outcome: z.literal('ok'),
    error: z.null().describe('Why.'),
  }),
  part('It is not the requested kind of media, or does not decode.', {
    ...everySample,
    ...whatReturned,
    outcome: z.literal('invalid_media'),
    error: errorSchema.describe('Why.'),
  }),
  part('No media came back.', {
    ...everySample,
    outcome: z.enum(OUTCOMES).exclude(['ok', 'invalid_media', 'dropped']),
    marks: marksSchema.describe('Milliseconds on the clock of its segment.'),
    error: errorSchema.describe('Why.'),
  }),
  part('It was never sent: open load at its ceiling.', {
    ...everySample,
    outcome: z.literal('dropped'),
    marks: dueMarksSchema.describe('Milliseconds on the clock of its segment.'),
    error: errorSchema.describe('Why.'),
  }),
]);
/** The result of a trial. */
export type Sample = Recorded<typeof sampleSchema>;

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

const loadEndedSchema = shape('LoadEnded', 'A load of a sweep failed: nothing more of it is sent.', {
  event: z.literal('load_ended'),
  segment,
  variant: variantName,
  step: number.positive().describe('Its concurrency; of open load its arrivals per second.'),
  planned: count.describe('Its trials in the plan.'),
  failed: count.describe('How many of its samples failed.'),
  samples: count.describe('Of how many.'),
  atMs,
});
export type LoadEnded = Recorded<typeof loadEndedSchema>;

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
  loadEndedSchema,
  lookSchema,
  segmentSchema,
]);
export type JournalEvent = Recorded<typeof journalSchema>;

type Segment = Recorded<typeof segmentSchema>;
export type SegmentStarted = Extract<Segment, { state: 'started' }>;
export type SegmentEnded = Extract<Segment, { state: 'ended' }>;
