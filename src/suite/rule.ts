import { z } from 'zod';
import { count, metricName, milliseconds, number, part, type Recorded, shape, variantName } from '../kit/declare.ts';
import { duration, percentage, rate } from '../kit/scalars.ts';
import { AGAINST, GATE_EVENTS } from './gate.ts';
import { KINDS } from './kind.ts';

const names = z.array(z.string()).nullable();

const change = z.enum(['max_increase', 'max_decrease']);

const boundSchema = z
  .union([
    part('The largest relative change for the worse.', {
      is: change,
      share: number.describe('0.05 is 5 %, of `max_rise` 5 percentage points.'),
    }),
    part('The largest change for the worse of a metric that may be 0 or less.', {
      is: change,
      amount: number.describe('In the unit of the metric.'),
    }),
    part('The largest rise of a rate.', {
      is: z.literal('max_rise'),
      share: number.describe('0.05 is 5 percentage points.'),
    }),
    part('The most or the least that passes.', {
      is: z.enum(['max', 'min']),
      value: number.describe('In the unit of the metric: milliseconds, a share, dollars.'),
    }),
    part('No such event at all.', { is: z.literal('none'), event: z.enum(GATE_EVENTS).describe('The event.') }),
    part('A claim, which is decided pair after pair.', {
      is: z.literal('claim'),
      about: z.enum(['takes', 'fails']).describe('How long a take lasts, or how often one fails.'),
      against: variantName.describe('The variant that it compares with.'),
      most: number.describe('The largest ratio, 0.5 is half; of failures the largest rise, as a share.'),
      pairs: count.describe('After so many pairs it stays undecided.'),
    }),
  ])
  .meta({ id: 'Bound', description: 'What a rule of the gate allows.' });
export type Bound = Recorded<typeof boundSchema>;

export const gateRuleSchema = shape('GateRule', 'A rule of the gate, defaults filled in.', {
  metric: metricName,
  statistic: z.string().nullable().describe("Null: the metric's own, such as `p50` of a latency and `rate` of a rate."),
  overMs: milliseconds
    .nullable()
    .describe('The latency that separates slow from fast, of `slow_rate` and `goodput`; else null.'),
  variants: names.describe('Null: all.'),
  kinds: z.array(z.enum(KINDS)).nullable().describe('Null: all.'),
  prompts: names.describe('Null: all.'),
  tags: names.describe('Null: all.'),
  scope: z.enum(['cells', 'prompts']).exactOptional().describe('Only in older records, and not read.'),
  against: z
    .enum(AGAINST)
    .describe(
      'What a variant is compared with: the baseline variant of its run, a stored baseline, or its own earlier runs.',
    ),
  bound: boundSchema.describe('What it allows.'),
  atFirst: number
    .exactOptional()
    .describe('What it allows while there are too few earlier runs: 0.5 is 50 %. Absent: it decides nothing then.'),
  onInconclusive: z.enum(['inconclusive', 'pass']).describe('What the rule counts as if the data decide nothing.'),
});
export type GateRule = Recorded<typeof gateRuleSchema>;

/** A record holds no larger number. */
const plain = z
  .number()
  .min(-1e30)
  .max(1e30)
  .transform((value) => ({ value, writtenAs: 'number' as const }));
const time = duration.transform((value) => ({ value, writtenAs: 'duration' as const }));
const perSecond = rate.transform((value) => ({ value, writtenAs: 'rate' as const }));
const percent = percentage.transform((value) => ({ value, writtenAs: 'percentage' as const }));

function valueSchema(is: 'max' | 'min') {
  return z
    .union([plain, time, percent, perSecond], {
      error: 'must be a number, a duration, a percentage or a rate; write 0.1, 20s, 10% or 2/s',
    })
    .transform(({ value, writtenAs }): WrittenBound => ({ bound: { is, value }, writtenAs }));
}

/** Percent of the baseline, or the unit of a metric that may be 0 or less. */
function changeSchema(is: 'max_increase' | 'max_decrease') {
  return z
    .union([percent, time, plain], { error: 'must be a percentage, a number or a duration; write 5%' })
    .transform(({ value: size, writtenAs }): WrittenBound => {
      return writtenAs === 'percentage'
        ? { bound: { is, share: size }, writtenAs: null }
        : { bound: { is, amount: size }, writtenAs };
    })
    .meta({ examples: ['5%'] });
}

export type WrittenAs = 'number' | 'duration' | 'percentage' | 'rate';

/** `writtenAs` is null if the bound is written alike for every metric. */
export interface WrittenBound {
  readonly bound: Bound;
  readonly writtenAs: WrittenAs | null;
}

/** A claim stands in a list of its own. */
export type WrittenIs = Exclude<Bound['is'], 'claim'>;

/** How bounds are written; a rule has one. */
export const BOUND_SCHEMAS = {
  max: valueSchema('max').describe('the highest value that passes'),
  min: valueSchema('min').describe('the lowest value that passes'),
  max_increase: changeSchema('max_increase').describe('the largest increase over what it is compared with'),
  max_decrease: changeSchema('max_decrease').describe('the largest decrease from what it is compared with'),
  max_rise: percentage
    .transform((share): WrittenBound => ({ bound: { is: 'max_rise', share }, writtenAs: null }))
    .describe('the largest rise of a rate, in percentage points'),
  none: z
    .enum(GATE_EVENTS)
    .transform((event): WrittenBound => ({ bound: { is: 'none', event }, writtenAs: null }))
    .describe('fails on the first such event'),
} satisfies Readonly<Record<WrittenIs, z.ZodType<WrittenBound>>>;
