import { z } from 'zod';
import { milliseconds, variantName } from '../../kit/declare.ts';
import { duration } from '../../kit/wording.ts';
import { quantile, sortSample } from '../../statistics/quantile.ts';
import { warning } from './warning.ts';

/** p99 in milliseconds above which calls were not sent as scheduled. */
const LATEST_START_MS = 5;

export const lateStarts = warning({
  code: 'late_starts',
  meaning: 'Open load: this machine started takes late.',
  fields: {
    variant: variantName,
    lagMs: milliseconds.describe('Start lag: its p99, or the largest where there are too few calls for one.'),
    statistic: z.enum(['p99', 'max']).describe('`p99`, or `max` of few calls.'),
    limitMs: milliseconds.describe('The lag up to which the rate counts as kept.'),
  },
  find: ({ trialsOf, variants }) =>
    variants.flatMap(({ name }) => {
      const lags = sortSample(trialsOf(name).flatMap(({ timings }) => timings.startLagMs ?? []));
      const p99 = quantile(lags, 99);
      const lagMs = p99 ?? lags.at(-1) ?? 0;
      if (lagMs <= LATEST_START_MS) return [];
      const statistic = p99 === null ? 'max' : 'p99';
      return [{ variant: name, lagMs, statistic, limitMs: LATEST_START_MS }];
    }),
  words: ({ variant, lagMs, statistic, limitMs }) => ({
    what: `takes of ${variant} started late: start lag ${statistic === 'p99' ? 'p99' : 'at most'} ${duration(lagMs)}`,
    cause: `this machine started takes more than ${limitMs} ms after they were due; latency.response includes this delay, because it counts from when a take was due`,
    remedy: 'run nothing else on this machine, or lower load.rate',
  }),
  example: { variant: 'standard', lagMs: 8, statistic: 'p99', limitMs: 5 },
});
