import { z } from 'zod';
import { milliseconds, variantName } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { duration } from '../../kit/wording.ts';
import { quantile, sortSample } from '../../statistics/quantile.ts';
import { type WarningRule, warningShape } from './warning.ts';

/** p99 in milliseconds above which calls were not sent as scheduled. */
const LATEST_START_MS = 5;

const shape = warningShape('late_starts', 'Open load: this machine started calls late.', {
  variant: variantName,
  lagMs: milliseconds.describe('Start lag: its p99, or the largest where there are too few calls for one.'),
  statistic: z.enum(['p99', 'max']).describe('`p99`, or `max` of few calls.'),
  limitMs: milliseconds.describe('The lag up to which the rate counts as kept.'),
});

export const lateStarts: WarningRule<typeof shape> = {
  shape,
  find: ({ trials, variants }) => {
    const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
    return variants.flatMap(({ name }) => {
      const lags = sortSample((byVariant.get(name) ?? []).flatMap(({ timings }) => timings.startLagMs ?? []));
      const p99 = quantile(lags, 99);
      const lagMs = p99 ?? lags.at(-1) ?? 0;
      if (lagMs <= LATEST_START_MS) return [];
      const statistic = p99 === null ? 'max' : 'p99';
      return [{ code: 'late_starts', variant: name, lagMs, statistic, limitMs: LATEST_START_MS }];
    });
  },
  words: ({ variant, lagMs, statistic, limitMs }) => ({
    what: `calls of ${variant} started late: start lag ${statistic === 'p99' ? 'p99' : 'at most'} ${duration(lagMs)}`,
    cause: `this machine started calls more than ${limitMs} ms after they were due; latency.response includes this delay, because it counts from when a call was due`,
    remedy: 'run nothing else on this machine, or lower load.rate',
  }),
  examples: [{ code: 'late_starts', variant: 'standard', lagMs: 8, statistic: 'p99', limitMs: 5 }],
};
