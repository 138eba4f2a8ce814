import { z } from 'zod';
import { milliseconds, count as wholeNumber } from '../../kit/declare.ts';
import { count, listedInShort, plural, rateUnit } from '../../kit/wording.ts';
import { sum } from '../../statistics/mean.ts';
import { ownTimeMs } from '../sample-times.ts';
import { loadMode, ratePer, variantList, variantsOf, warning } from './warning.ts';

/** Includes refusals that were waited out. */
export const rateLimited = warning({
  code: 'rate_limited',
  meaning: 'Rate-limited trials.',
  fields: {
    variants: variantList,
    trials: wholeNumber.describe('How many trials.'),
    waitedMs: milliseconds.describe('How long they waited, in all.'),
    mode: loadMode,
    concurrency: z.int().min(1).describe('The most in flight.'),
    servedPerSecond: z
      .number()
      .nullable()
      .describe(
        'Requests that got through, per second, from the first start to the last end; null where that is not known.',
      ),
  },
  find: ({ run: { shards }, trials, plan }) => {
    const refused = trials.filter(({ sample, outcome }) => sample.throttleWaitMs > 0 || outcome === 'throttled');
    if (refused.length === 0) return [];
    const variants = variantsOf(refused);
    // With several machines the service's rate at one time is unknown.
    const isTimed = shards === null || shards.of < 2;
    const takes = trials.filter(({ sample }) => variants.includes(sample.trial.variant));
    const served = takes.filter(({ outcome }) => outcome !== 'throttled').length;
    const timeMs = ownTimeMs(takes.map(({ sample }) => sample));
    return [
      {
        variants,
        trials: refused.length,
        waitedMs: sum(refused.map(({ sample }) => sample.throttleWaitMs)),
        mode: plan.load.mode,
        concurrency: plan.load.concurrency,
        servedPerSecond: !isTimed || served < 2 || timeMs === 0 ? null : served / (timeMs / 1000),
      },
    ];
  },
  words: ({ variants, trials, waitedMs, mode, concurrency, servedPerSecond }) => {
    const open = mode === 'open';
    const per = rateUnit([servedPerSecond]);
    const served = servedPerSecond === null ? '' : ` (${ratePer(servedPerSecond, per)} were accepted)`;
    return {
      what: `${plural(trials, 'take')} of ${listedInShort(variants)} ${trials === 1 ? 'was' : 'were'} rate-limited`,
      cause: `the service refuses requests at ${open ? 'this rate' : `concurrency ${count(concurrency)}`}${served}; ${(waitedMs / 1000).toFixed(1)} s of waiting ${open ? 'count in latency.response, not in latency.total' : 'do not count in latency'}`,
      remedy: open
        ? 'lower load.rate, or ask the service for a higher limit'
        : concurrency === 1
          ? 'send below the limit with load: { mode: open, rate: ... }, or ask the service for a higher limit'
          : 'lower load.concurrency, or ask the service for a higher limit',
    };
  },
  example: { variants: ['standard'], trials: 1, waitedMs: 2500, mode: 'closed', concurrency: 4, servedPerSecond: 2 },
});
