import { z } from 'zod';
import { count as wholeNumber } from '../../kit/declare.ts';
import { count, plural } from '../../kit/wording.ts';
import { warning } from './warning.ts';

/** With less in flight than requested, latencies are not of that load. */
export const concurrencyNotReached = warning({
  code: 'concurrency_not_reached',
  meaning: 'Slices are smaller than load.concurrency.',
  fields: {
    largestSlice: wholeNumber.describe('Trials in the largest slice: more were never in flight.'),
    concurrency: z.int().min(1).describe('The most in flight.'),
    sweep: z.boolean().describe('Whether the load is a sweep.'),
  },
  find: ({ plan: { load, largestSlice } }) => {
    // Under open load it is a limit, not a target.
    if (load.mode === 'open' || largestSlice >= load.concurrency) return [];
    const { concurrency, steps } = load;
    return [{ largestSlice, concurrency, sweep: steps !== null }];
  },
  words: ({ largestSlice, concurrency, sweep }) => ({
    what: `at most ${plural(largestSlice, 'request')} ${largestSlice === 1 ? 'was' : 'were'} in flight; load.concurrency allows ${count(concurrency)}`,
    cause: `a variant is sent in groups of at most ${plural(largestSlice, 'take')}, each ends before the next begins`,
    remedy: sweep
      ? 'add prompts, seeds or repeats, or remove the larger steps'
      : 'add prompts or seeds, or use order: mixed to test load instead of comparing variants',
  }),
  example: { largestSlice: 3, concurrency: 8, sweep: false },
});
