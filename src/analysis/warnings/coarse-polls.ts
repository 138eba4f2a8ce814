import { z } from 'zod';
import { milliseconds, step, variantName } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { atStep } from '../../kit/names.ts';
import { duration, share } from '../../kit/wording.ts';
import { pollGapOf } from '../sample-times.ts';
import { warning } from './warning.ts';

/** The share of a median latency that polls may leave open without a warning. */
const MOST_LEFT_OPEN = 0.1;

/** Polls so far apart that they determine the latency as much as the service does. */
export const coarsePolls = warning({
  code: 'coarse_polls',
  meaning: 'The gap between polls is more than 10 % of p50.',
  fields: {
    variant: variantName,
    target: z.string().describe('The target.'),
    step: step.describe('Of a sweep, how many were in flight; null outside one.'),
    gapMs: milliseconds.describe('From the last poll that said not yet to the one that said done, the median.'),
    medianMs: milliseconds.describe('The median.'),
  },
  find: ({ trialsOf, variants }) =>
    variants.flatMap(({ name, target }) => {
      // Each step of a sweep has latencies of its own.
      const loads = groupBy(trialsOf(name), ({ sample }) => sample.trial.step ?? null);
      const coarse = [...loads].flatMap(([step, takes]) => {
        const gap = pollGapOf(takes);
        return gap === null || gap.gapMs <= MOST_LEFT_OPEN * gap.medianMs ? [] : [{ step, ...gap }];
      });
      const [worst] = coarse.sort((a, b) => b.gapMs / b.medianMs - a.gapMs / a.medianMs);
      return worst === undefined ? [] : [{ variant: name, target, ...worst }];
    }),
  words: ({ variant, target, step, gapMs, medianMs }) => ({
    what: `latencies of ${variant}${atStep(step)} may be too long by up to ${duration(gapMs)} (${share(gapMs / medianMs)} of p50), the gap between polls`,
    brief: `latencies of ${variant}${atStep(step)}: up to ${duration(gapMs)} too long, by polling`,
    cause:
      'a result is seen only at the next poll; the gap is the median time from the last poll that said "not yet" to the poll that said "done"',
    remedy: `lower wait.poll.min_every in the target ${target} as far as the service allows; until then, the true time lies between generation_low_ms and generation_ms`,
  }),
  example: { variant: 'standard', target: 'jobs', step: null, gapMs: 400, medianMs: 1000 },
});
