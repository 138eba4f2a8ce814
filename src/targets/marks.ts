import { milliseconds, type Recorded, shape } from '../kit/declare.ts';

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
