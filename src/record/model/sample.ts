import { z } from 'zod';
import {
  amount,
  choice,
  count,
  httpStatus,
  instant,
  milliseconds,
  part,
  type Recorded,
  sha256,
  shape,
} from '../../kit/declare.ts';
import { MOST_USD } from '../../kit/most-usd.ts';
import { trialSchema } from '../../plan/trial.ts';
import type { Marks } from '../../targets/model/marks.ts';
import { marksSchema } from '../../targets/model/marks.ts';
import { segment } from './fields.ts';

const reportedSchema = shape('Reported', 'What the server reports; never used instead of a measured value.', {
  requestId: z.string().nullable().describe('Its id of the request; null if unknown.'),
  seedEcho: z.string().nullable().describe('The seed that it says it used; null if unknown.'),
  serverMs: milliseconds.nullable().describe('The time that it says it took; null if unknown.'),
  costUsd: z.number().min(0).max(MOST_USD).nullable().describe('The cost that it reports; null if unknown.'),
  cached: z.boolean().nullable().describe('Whether the output came from a cache; null if unknown.'),
});

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
    .describe('With a price per second or megapixel, how many its header says; absent if it does not say.'),
});
export type Output = Recorded<typeof outputSchema>;

const errorSchema = shape(
  'SampleError',
  'Why there is no output, or a wrong one. Both texts are shortened and redacted: hostile.',
  {
    code: z.string().describe('A stable code, to group by.'),
    message: z.string().describe('What was said.'),
  },
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

/** The one mark of a call that was due and never started: the others are never there. */
type DueMarks = Readonly<Record<'scheduledMs', number> & Partial<Record<Exclude<keyof Marks, 'scheduledMs'>, never>>>;

const dueMarksSchema: z.ZodType<DueMarks> = z.strictObject({
  scheduledMs: milliseconds.describe('When the call was due.'),
});

export const sampleSchema = choice('Sample', 'The result of a trial.', 'outcome', [
  part('Media of the expected kind came back.', {
    ...everySample,
    ...whatReturned,
    outcome: z.literal('ok'),
    error: z.null().describe('Why.'),
  }),
  part('The reply is not the requested kind of media, or does not decode.', {
    ...everySample,
    ...whatReturned,
    outcome: z.literal('invalid_media'),
    error: errorSchema.describe('Why.'),
  }),
  part('No media came back.', {
    ...everySample,
    outcome: z.enum([
      'moderated',
      'throttled',
      'no_credit',
      'rejected',
      'error',
      'timed_out',
      'unknown_charged',
      'cancelled',
      'defect',
    ]),
    marks: marksSchema.describe('Milliseconds on the clock of its segment.'),
    error: errorSchema.describe('Why.'),
  }),
  part('Open load: the ceiling was reached when it was due. It was never sent.', {
    ...everySample,
    outcome: z.literal('dropped'),
    marks: dueMarksSchema.describe('Milliseconds on the clock of its segment.'),
    error: errorSchema.describe('Why.'),
  }),
]);
/** The result of a trial. */
export type Sample = Recorded<typeof sampleSchema>;
