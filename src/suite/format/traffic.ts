import { z } from 'zod';
import { dollars, duration, rate, share } from '../../kit/scalars.ts';

const shuffle = z.int().min(0).max(4_294_967_295);

const MOST_IN_FLIGHT = 1024;
const concurrency = z.int().min(1).max(MOST_IN_FLIGHT);

export const loadSchema = z.strictObject({
  mode: z
    .enum(['closed', 'open'])
    .default('closed')
    .describe('closed: `concurrency` requests in flight; open: requests begin at `rate`, whatever has come back'),
  concurrency: z
    .union([concurrency, z.array(concurrency).min(1)])
    .optional()
    .describe('the most requests in flight; default 1, for open load 64; a list sweeps over its steps'),
  order: z
    .enum(['paired', 'mixed', 'sequential'])
    .optional()
    .describe(
      'default paired: variants take turns, so that drift of the service hits all alike; mixed: all variants in flight together; sequential: variant after variant',
    ),
  warmup: z
    .int()
    .min(0)
    .max(100)
    .default(1)
    .describe('warm-up requests of each variant: recorded, only analysed as latency.cold'),
  on_throttle: z
    .enum(['wait', 'fail', 'stop'])
    .default('wait')
    .describe('what to do when rate-limited: wait as asked and send again, count it as throttled, or stop the run'),
  shuffle: shuffle.default(1).describe('the seed of the order'),
  rate: rate.optional().describe('open load: arrivals, such as 2/s or 30/min'),
  arrivals: z.enum(['poisson', 'constant']).optional().describe('open load: how arrivals are spaced'),
  duration: duration
    .optional()
    .describe(
      'open load: how long arrivals go on; the plan begins again with fresh seeds; default: until the end of the plan',
    ),
  stages: z
    .array(z.strictObject({ rate: rate.describe('arrivals'), for: duration.describe('the length of the stage') }))
    .meta({ examples: [[{ rate: '2/s', for: '1m' }]] })
    .min(1)
    .optional()
    .describe('open load: rates one after another, in place of rate and duration'),
});

export const limitsSchema = z.strictObject({
  timeout: duration.optional().describe('the time limit of one request, from its start; default 2m, for video 15m'),
  requests: z
    .int()
    .min(1)
    .optional()
    .describe('the run stops before it sends more, with warm-ups and repeated attempts'),
  usd: dollars.positive().optional().describe('the run stops before it could cost more, in US dollars'),
  failures: share
    .prefault('50%')
    .describe('the run stops when, from 20 samples on, the failure rate is significantly above this (99.9 %)'),
});
