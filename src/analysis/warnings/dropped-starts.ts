import { z } from 'zod';
import { variantName, count as wholeNumber } from '../../kit/declare.ts';
import { count, plural, share } from '../../kit/wording.ts';
import { warning } from './warning.ts';

/** Starts dropped at the ceiling: the service did not get the declared load. */
export const droppedStarts = warning({
  code: 'dropped_starts',
  meaning: 'Open load: starts that were due while the ceiling was reached.',
  fields: {
    variant: variantName,
    dropped: wholeNumber.describe('Starts that were dropped.'),
    starts: wholeNumber.describe('Starts that were due.'),
    concurrency: z.int().min(1).describe('The most that may be in flight.'),
  },
  find: ({ trialsOf, variants, plan }) =>
    variants.flatMap(({ name, outcomes: { dropped = 0 } }) => {
      const starts = trialsOf(name).length;
      const { concurrency } = plan.load;
      return dropped === 0 ? [] : [{ variant: name, dropped, starts, concurrency }];
    }),
  words: ({ variant, dropped, starts, concurrency }) => ({
    what: `${count(dropped)} of ${plural(starts, 'start')} of ${variant} were dropped (${share(dropped / starts)}): the offered rate was not reached`,
    cause: `${plural(concurrency, 'take')}, as many as load.concurrency allows, ${concurrency === 1 ? 'was' : 'were'} in flight when they were due; the service got less than the offered rate, and the latencies are of that lower load`,
    remedy: 'the service does not sustain this rate: lower load.rate, or raise load.concurrency to see the queue grow',
  }),
  example: { variant: 'standard', dropped: 2, starts: 100, concurrency: 8 },
});
