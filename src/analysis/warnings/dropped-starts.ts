import { z } from 'zod';
import { variantName, count as wholeNumber } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { count, plural, share } from '../../kit/wording.ts';
import { type WarningRule, warningShape } from './warning.ts';

const shape = warningShape('dropped_starts', 'Open load: starts that were due while the ceiling was reached.', {
  variant: variantName,
  dropped: wholeNumber.describe('Starts that were dropped.'),
  starts: wholeNumber.describe('Starts that were due.'),
  concurrency: z.int().min(1).describe('The most that may be in flight.'),
});

/** Starts dropped at the ceiling: the service did not get the declared load. */
export const droppedStarts: WarningRule<typeof shape> = {
  shape,
  find: ({ trials, variants, plan }) => {
    const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
    return variants.flatMap(({ name, outcomes: { dropped = 0 } }) => {
      const starts = byVariant.get(name)?.length ?? 0;
      const { concurrency } = plan.load;
      return dropped === 0 ? [] : [{ code: 'dropped_starts', variant: name, dropped, starts, concurrency }];
    });
  },
  words: ({ variant, dropped, starts, concurrency }) => ({
    what: `${count(dropped)} of ${plural(starts, 'start')} of ${variant} were dropped (${share(dropped / starts)}): the offered rate was not reached`,
    cause: `${plural(concurrency, 'call')}, as many as load.concurrency allows, ${concurrency === 1 ? 'was' : 'were'} in flight when they were due; the service got less than the offered rate, and the latencies are of that lower load`,
    remedy: 'the service does not sustain this rate: lower load.rate, or raise load.concurrency to see the queue grow',
  }),
  examples: [{ code: 'dropped_starts', variant: 'standard', dropped: 2, starts: 100, concurrency: 8 }],
};
