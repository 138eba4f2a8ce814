import { z } from 'zod';
import { reportFault } from '../../kit/issue.ts';
import { dollars, duration, rate, share } from '../../kit/scalars.ts';
import type { ClosedLoad, Hold, Load, OpenLoad } from '../load.ts';

const shuffle = z.int().min(0).max(4_294_967_295);

const MOST_IN_FLIGHT = 1024;
const concurrency = z.int().min(1).max(MOST_IN_FLIGHT);

const written = z.strictObject({
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
  rate: z
    .union([rate, z.array(rate).min(1)], { error: 'must be a rate or a list of rates; write 2/s, or [1/s, 2/s]' })
    .optional()
    .describe('open load: arrivals, such as 2/s or 30/min; a list sweeps over its rates'),
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
  hold: z
    .strictObject({
      p50: duration.optional().describe('half of all takes within this time'),
      p90: duration.optional().describe('90 % of all takes within this time'),
      p95: duration.optional().describe('95 % of all takes within this time'),
      p99: duration.optional().describe('99 % of all takes within this time'),
      errors: share.optional().describe('the largest share that may fail or be refused'),
    })
    .check(({ value, issues }) => {
      // An unknown key is said alone.
      const isEmpty = Object.values(value).every((limit) => limit === undefined);
      if (!isEmpty || issues.length > 0) return;
      issues.push({ code: 'custom', input: value, message: 'must have a limit; write p95: 2s, or errors: 5%' });
    })
    .meta({ examples: [{ p95: '2s', errors: '5%' }] })
    .optional()
    .describe('of a sweep: what a load must keep to be held; each load holds, fails, or is not decided'),
});

type Written = z.output<typeof written>;

type LoadRule = readonly [key: keyof Written, when: boolean, cause: string, remedy: string];

const OPEN_KEYS = ['rate', 'arrivals', 'duration', 'stages'] as const;

function rulesOfClosed(load: Written): readonly LoadRule[] {
  const isSweep = typeof load.concurrency === 'object';
  const alone = 'a sweep over concurrencies measures each variant and step alone';
  const noList = 'hold needs loads that each variant has alone';
  return [
    ...OPEN_KEYS.map((key): LoadRule => {
      return [key, load[key] !== undefined, `"${key}" belongs to open load`, 'write mode: open, or remove it'];
    }),
    ['order', isSweep && load.order !== undefined, alone, 'remove order'],
    ['concurrency', isTwice(load.concurrency), 'the sweep has a step twice', 'remove one of them'],
    ['hold', load.hold !== undefined && !isSweep, noList, 'write a list: concurrency: [8]'],
  ];
}

function rulesOfOpen(load: Written): readonly LoadRule[] {
  const { concurrency, order, rate, stages, hold } = load;
  const twice = (key: 'rate' | 'duration'): LoadRule => {
    const isTwice = stages !== undefined && load[key] !== undefined;
    return [key, isTwice, `"${key}" and stages exclude each other`, 'keep one of them'];
  };
  const ceiling = 'the ceiling of open load is one number';
  const hasNone = rate === undefined && stages === undefined;
  const noList = 'hold needs rates that each begin at an empty service';
  return [
    ['order', order !== undefined, 'open load measures one variant after the other', 'remove order'],
    ['concurrency', typeof concurrency === 'object', ceiling, 'write one number, or mode: closed'],
    ['mode', hasNone, 'open load needs a rate of arrivals', 'add rate: 2/s, or stages'],
    ['rate', isTwice(rate), 'the sweep has a rate twice', 'remove one of them'],
    twice('rate'),
    twice('duration'),
    ['hold', hold !== undefined && typeof rate !== 'object', noList, 'write a list: rate: [2/s]'],
  ];
}

function isTwice(steps: number | readonly number[] | undefined): boolean {
  return typeof steps === 'object' && new Set(steps).size < steps.length;
}

/** More calls in flight are not intended unless the suite says so. */
const OPEN_CEILING = 64;

function closedOf({
  concurrency = 1,
  order = 'paired',
  warmup,
  on_throttle: onThrottle,
  shuffle,
}: Written): ClosedLoad {
  const steps = typeof concurrency === 'object' ? concurrency : null;
  const most = Math.max(...[concurrency].flat());
  return { mode: 'closed', concurrency: most, order, steps, warmup, onThrottle, shuffle };
}

function openOf({
  concurrency = OPEN_CEILING,
  arrivals = 'poisson',
  rate,
  duration,
  stages,
  ...load
}: Written): OpenLoad {
  const paced =
    typeof rate === 'object'
      ? { stages: [], steps: rate, ...(duration === undefined ? {} : { stepMs: duration }) }
      : {
          stages: stages?.map((stage) => ({ ratePerSecond: stage.rate, forMs: stage.for })) ?? [
            { ratePerSecond: rate ?? 1, forMs: duration ?? null },
          ],
        };
  return {
    mode: 'open',
    order: 'sequential',
    concurrency: Math.max(...[concurrency].flat()),
    arrivals,
    ...paced,
    warmup: load.warmup,
    onThrottle: load.on_throttle,
    shuffle: load.shuffle,
  };
}

function holdOf({ p50, p90, p95, p99, errors }: NonNullable<Written['hold']>): Hold {
  const given = { p50Ms: p50, p90Ms: p90, p95Ms: p95, p99Ms: p99, errors };
  return Object.fromEntries(Object.entries(given).filter(([, limit]) => limit !== undefined));
}

/** The load, and what each load of a sweep must hold; null where the suite asks for nothing. */
export const loadSchema = written
  .superRefine((load, context) => {
    for (const [key, when, cause, remedy] of load.mode === 'open' ? rulesOfOpen(load) : rulesOfClosed(load)) {
      if (when) reportFault(context, { cause, remedy, at: 'key' }, [key]);
    }
  })
  .transform((load): { readonly load: Load; readonly hold: Hold | null } => ({
    load: load.mode === 'open' ? openOf(load) : closedOf(load),
    hold: load.hold === undefined ? null : holdOf(load.hold),
  }));

export const limitsSchema = z
  .strictObject({
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
  })
  .transform(({ timeout: timeoutMs = null, requests = null, usd = null, failures }) => {
    return { timeoutMs, requests, usd, failures };
  });
