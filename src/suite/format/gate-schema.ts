import { z } from 'zod';
import { duration, percentage } from '../../kit/scalars.ts';
import { AGAINST, BOUNDS, GATE_EVENTS } from '../gate.ts';
import { KINDS } from '../kind.ts';
import type { Bound } from '../rule.ts';
import type { WrittenAs } from '../suite.ts';

/** A record holds no larger number. */
const number = z
  .number()
  .min(-1e30)
  .max(1e30)
  .transform((value) => ({ value, writtenAs: 'number' as const }));
const time = duration.transform((value) => ({ value, writtenAs: 'duration' as const }));
const percent = percentage.transform((value) => ({ value, writtenAs: 'percentage' as const }));

function valueSchema(is: 'max' | 'min') {
  return z
    .union([number, time, percent], { error: 'must be a number, a duration or a percentage; write 0.1, 20s or 10%' })
    .transform(({ value, writtenAs }): WrittenBound => ({ bound: { is, value }, writtenAs }));
}

/** Percent of the baseline, or the unit of a metric that may be 0 or less. */
function changeSchema(is: 'max_increase' | 'max_decrease') {
  return z
    .union([percent, time, number], { error: 'must be a percentage, a number or a duration; write 5%' })
    .transform(({ value: size, writtenAs }): WrittenBound => {
      return { bound: writtenAs === 'percentage' ? { is, share: size } : { is, amount: size }, writtenAs };
    })
    .meta({ examples: ['5%'] });
}

/** `writtenAs` is null if the bound has one form. */
export interface WrittenBound {
  readonly bound: Bound;
  readonly writtenAs: WrittenAs | null;
}

/** A rule has one of these bounds. */
const BOUND_SCHEMAS = {
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
} satisfies Readonly<Record<Bound['is'], z.ZodType<WrittenBound>>>;

const names = z.array(z.string().min(1)).min(1);

const ruleSchema = z
  .strictObject({
    metric: z.string().describe('the metric: latency.total, error_rate, determinism.pixel'),
    statistic: z
      .string()
      .meta({ examples: ['p95'] })
      .optional()
      .describe('of that metric; default: p50 of a latency, the rate of a rate, departure of determinism'),
    variants: names
      .meta({ examples: [['fast']] })
      .optional()
      .describe('only these variants; default: all'),
    kinds: z.array(z.enum(KINDS)).min(1).optional().describe('only these kinds; default: all'),
    prompts: names
      .meta({ examples: [['fox']] })
      .optional()
      .describe('only these prompts, by id; default: all'),
    tags: names
      .meta({ examples: [['animal']] })
      .optional()
      .describe('only prompts with these tags; default: all'),
    scope: z
      .enum(['cells', 'prompts'])
      .default('cells')
      .describe('what a comparison holds for: cells: these prompts and seeds; prompts: all prompts like these'),
    against: z
      .enum(AGAINST)
      .default('variant')
      .describe(
        'variant: the baseline variant of this run; baseline: the stored baseline; history: the same variant in earlier runs',
      ),
    over: duration.optional().describe('of slow_rate and goodput: the latency that separates slow from fast'),
    ...z.object(BOUND_SCHEMAS).partial().shape,
    on_inconclusive: z.enum(['pass']).optional().describe('how the rule counts if the data decide nothing'),
  })
  .superRefine((rule, context) => {
    const given = boundsIn(rule);
    if (given.length === 1) return;
    const cause = given.length === 0 ? 'has no bound' : `has ${given.length} bounds`;
    context.addIssue({ code: 'custom', message: `${cause}; write one of ${Object.keys(BOUNDS).join(', ')}` });
  });

export const gateSchema = z.array(ruleSchema);

export type WrittenRule = z.output<typeof ruleSchema>;

/** The bounds of a rule: one, once it is checked. */
export function boundsIn(rule: { readonly [Is in Bound['is']]?: WrittenBound | undefined }): readonly WrittenBound[] {
  return Object.keys(BOUNDS)
    .filter(isBound)
    .flatMap((is) => rule[is] ?? []);
}

function isBound(key: string): key is Bound['is'] {
  return key in BOUNDS;
}
