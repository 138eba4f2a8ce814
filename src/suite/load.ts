import { z } from 'zod';
import { amount, choice, count, milliseconds, number, part, type Recorded, shape, share } from '../kit/declare.ts';

export const priceSchema = shape('Price', 'What one unit of output costs at most.', {
  per: z
    .enum(['request', 'output', 'second', 'megapixel'])
    .describe('The unit that is paid for; `megapixel` only in older records.'),
  usd: amount.describe('In US dollars.'),
});
export type Price = Recorded<typeof priceSchema>;

const everyLoad = {
  concurrency: z.int().min(1).describe('The most in flight.'),
  warmup: count.describe('Warm-ups per variant.'),
  onThrottle: z.enum(['wait', 'fail', 'stop']).describe('What happens when a request is rate-limited.'),
  shuffle: count.describe('The seed of the order, and of arrivals.'),
};

export const loadSchema = choice('Load', 'The load that the plan is sent under.', 'mode', [
  part('So many requests in flight: the next begins when one has ended.', {
    ...everyLoad,
    mode: z.literal('closed'),
    order: z.enum(['paired', 'mixed', 'sequential']).describe('The order of the variants.'),
    steps: z.array(z.int().min(1)).nullable().describe('Of a sweep, each concurrency in declared order; else null.'),
  }),
  part('Requests begin at scheduled times, one variant after the other.', {
    ...everyLoad,
    mode: z.literal('open'),
    order: z.literal('sequential').describe('The order of the variants.'),
    arrivals: z.enum(['poisson', 'constant']).describe('How arrivals are spread.'),
    stages: z
      .array(
        z.strictObject({
          ratePerSecond: number.describe('Arrivals per second.'),
          forMs: milliseconds.nullable().describe('How long; null: until the plan is sent.'),
        }),
      )
      .describe('Rates, one after the other; empty of a sweep.'),
    steps: z
      .array(number.positive())
      .nullable()
      .exactOptional()
      .describe('Of a sweep, each rate in declared order, in arrivals per second; else absent.'),
    stepMs: milliseconds.exactOptional().describe('Of a sweep, how long each rate goes on; absent: the plan once.'),
  }),
]);
export type Load = Recorded<typeof loadSchema>;

const limitMs = milliseconds.exactOptional();

export const holdSchema = shape('Hold', 'What each load of a sweep must hold. At least one limit.', {
  p50Ms: limitMs.describe('Half of all takes come within this time; absent: no such limit.'),
  p90Ms: limitMs.describe('90 % of all takes come within this time.'),
  p95Ms: limitMs.describe('95 % of all takes come within this time.'),
  p99Ms: limitMs.describe('99 % of all takes come within this time.'),
  errors: share.exactOptional().describe('The largest share of takes that may fail or be refused for their rate.'),
});
export type Hold = Recorded<typeof holdSchema>;

export const limitsSchema = shape('Limits', 'Where a run stops by itself. Null: no such limit.', {
  timeoutMs: milliseconds.nullable().describe('The time limit of a call; null: the default of its kind.'),
  requests: count.nullable().describe('Requests.'),
  usd: amount.nullable().describe('US dollars.'),
  failures: share.describe('The share of failed samples, 0 to 1.'),
});
export type Limits = Recorded<typeof limitsSchema>;

export type ClosedLoad = Extract<Load, { mode: 'closed' }>;
export type OpenLoad = Extract<Load, { mode: 'open' }>;
export type Stage = OpenLoad['stages'][number];
export type Order = Load['order'];
