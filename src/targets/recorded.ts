import { z } from 'zod';
import { milliseconds, type Recorded, shape } from '../kit/declare.ts';
import { MOST_USD } from '../kit/most-usd.ts';

/* What a record keeps of targets and their calls. */

const mark = milliseconds.exactOptional();

export const marksSchema = shape(
  'Marks',
  'When the steps of a call happened, in milliseconds on the clock of its segment. A mark that is absent was never ' +
    'reached. From `startedMs` on, those of the last attempt.',
  {
    scheduledMs: mark.describe('Open load only: when the call was due.'),
    startedMs: milliseconds.describe('A slot was free, the intent was written, the call began.'),
    connectedMs: mark.describe('A new socket was ready; absent where an open one was used again.'),
    sentMs: mark.describe('The last byte of the request body was written.'),
    headersMs: mark.describe('The head of the submit reply was parsed.'),
    acceptedMs: mark.describe('The submit reply had ended, and did not refuse.'),
    refusedMs: mark.describe('The submit reply had ended, and refused; in place of `acceptedMs`.'),
    runningMs: mark.describe('The reply of the first poll that said running was received.'),
    lastQueuedMs: mark.describe(
      'The last poll that said not begun, before one said running, was sent; without one, `acceptedMs`. Absent ' +
        'where nothing was polled, and where polls do not tell waiting from work.',
    ),
    lastPendingMs: mark.describe(
      'The last poll that said not yet was sent; without one, `acceptedMs`. Absent where nothing was polled.',
    ),
    readyMs: mark.describe('The reply that said done was received. Its head where it holds the bytes, else its end.'),
    firstByteMs: mark.describe('First byte of the media.'),
    doneMs: mark.describe('Last byte of the media: the caller has one asset.'),
  },
);
export type Marks = Recorded<typeof marksSchema>;

const day = z.iso.date();

export const announcedEndSchema = shape('AnnouncedEnd', 'What headers of a reply say of the end of the endpoint.', {
  deprecatedOn: day.nullable().describe('From when it is deprecated (`Deprecation`, RFC 9745); null if unknown.'),
  endsOn: day.nullable().describe('When it ends (`Sunset`, RFC 8594); null if unknown.'),
  successor: z.string().nullable().describe('What takes its place (`Link`, successor-version); null if unknown.'),
});
export type AnnouncedEnd = Recorded<typeof announcedEndSchema>;

export const reportedSchema = shape('Reported', 'What the server reports; never used instead of a measured value.', {
  requestId: z.string().nullable().describe('Its id of the request; null if unknown.'),
  seedEcho: z.string().nullable().describe('The seed that it says it used; null if unknown.'),
  serverMs: milliseconds.nullable().describe('The time that it says it took; null if unknown.'),
  costUsd: z.number().min(0).max(MOST_USD).nullable().describe('The cost that it reports; null if unknown.'),
  cached: z.boolean().nullable().describe('Whether the output came from a cache; null if unknown.'),
  model: z.string().exactOptional().describe('The model that it says answered; absent if unknown.'),
  prompt: z.string().exactOptional().describe('The prompt that it says it used, shortened; absent if unknown.'),
  stages: z.record(z.string(), milliseconds).exactOptional().describe('The time of each stage; absent if unknown.'),
  memoryMb: z
    .number()
    .min(0)
    .max(1e9)
    .exactOptional()
    .describe('The memory that it says it needed; absent if unknown.'),
  usage: z
    .record(z.string(), z.number().min(0).max(1e15))
    .exactOptional()
    .describe('What it counted; absent if unknown.'),
  end: announcedEndSchema.exactOptional().describe('What it says of its own end; absent if nothing.'),
});
export type Reported = Recorded<typeof reportedSchema>;

export const retirementSchema = shape('Retirement', 'A value of a constant that its provider switches off.', {
  constant: z.string().describe('The name of the constant.'),
  value: z.string().describe('Its value, such as the name of a model.'),
  on: day.nullable().describe('The day, as the provider says; null: deprecated, without a day.'),
  to: z.string().nullable().describe('What takes its place; null if unknown.'),
});
export type Retirement = Recorded<typeof retirementSchema>;
