import { z } from 'zod';
import { duration, percentage } from '../document/scalars.ts';
import { AGAINST, GATE_EVENTS } from './gate.ts';
import { KINDS } from './kind.ts';

/** A rule has exactly one of these keys. */
const BOUNDS = ['max', 'min', 'max_increase', 'max_decrease', 'max_rise', 'none'] as const;

const value = z.union(
  [
    z.number().transform((limit) => ({ limit, writtenAs: 'number' as const })),
    duration.transform((limit) => ({ limit, writtenAs: 'duration' as const })),
    percentage.transform((limit) => ({ limit, writtenAs: 'percentage' as const })),
  ],
  { error: 'must be a number, a duration or a percentage; write 0.1, 20s or 10%' },
);

/** In percent of the baseline, or in the unit of a metric that may be 0 or less. */
const change = z.union(
  [
    percentage.transform((share) => ({ share, writtenAs: 'percentage' as const })),
    duration.transform((amount) => ({ amount, writtenAs: 'duration' as const })),
    z.number().transform((amount) => ({ amount, writtenAs: 'number' as const })),
  ],
  { error: 'must be a percentage, a number or a duration; write 5%' },
);

const names = z.array(z.string().min(1)).min(1);

const ruleSchema = z
  .strictObject({
    metric: z.string().describe('the metric: latency.total, error_rate, determinism.pixel'),
    statistic: z
      .string()
      .meta({ examples: ['p95'] })
      .optional()
      .describe('of that metric; without it p50 of a latency, the rate of a rate, departure of determinism'),
    variants: names
      .meta({ examples: [['fast']] })
      .optional()
      .describe('the variants it is about; without it all'),
    kinds: z.array(z.enum(KINDS)).min(1).optional().describe('the kinds it is about; without it all'),
    prompts: names
      .meta({ examples: [['fox']] })
      .optional()
      .describe('the prompts it is about, by their ids; without it all'),
    tags: names
      .meta({ examples: [['animal']] })
      .optional()
      .describe('the prompts it is about, by their tags; without it all'),
    scope: z
      .enum(['cells', 'prompts'])
      .default('cells')
      .describe('what a comparison speaks of: these prompts and seeds, or prompts like these'),
    against: z
      .enum(AGAINST)
      .default('variant')
      .describe(
        'variant: the baseline variant of this run; baseline: the stored baseline; history: the same variant in earlier runs',
      ),
    over: duration.optional().describe('of slow_rate and goodput: the latency that separates slow from fast'),
    max: value.optional().describe('the most that passes'),
    min: value.optional().describe('the least that passes'),
    max_increase: change
      .meta({ examples: ['5%'] })
      .optional()
      .describe('the largest increase over what it is compared with'),
    max_decrease: change
      .meta({ examples: ['5%'] })
      .optional()
      .describe('the largest decrease from what it is compared with'),
    max_rise: percentage.optional().describe('the largest rise of a rate, in percentage points'),
    none: z.enum(GATE_EVENTS).optional().describe('fails on the first such event'),
    on_inconclusive: z.enum(['pass']).optional().describe('what the rule counts as where the data decide nothing'),
  })
  .superRefine((rule, context) => {
    const given = BOUNDS.filter((key) => rule[key] !== undefined);
    if (given.length === 1) return;
    const cause = given.length === 0 ? 'has no bound' : `has ${given.length} bounds`;
    context.addIssue({ code: 'custom', message: `${cause}; write one of ${BOUNDS.join(', ')}` });
  });

export const gateSchema = z.array(ruleSchema);

export type WrittenRule = z.output<typeof ruleSchema>;
