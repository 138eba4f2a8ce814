import { z } from 'zod';
import { duration, percentage } from '../../kit/scalars.ts';
import { AGAINST } from '../gate.ts';
import { KINDS } from '../kind.ts';
import { BOUND_SCHEMAS, type WrittenBound, type WrittenIs } from '../rule.ts';

const names = z.array(z.string().min(1)).min(1);

const MOST_PAIRS = 1_000_000;

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
    against: z
      .enum(AGAINST)
      .default('variant')
      .describe(
        'variant: the baseline variant of this run; baseline: the stored baseline; history: the same variant in earlier runs',
      ),
    over: duration.optional().describe('of slow_rate and goodput: the latency that separates slow from fast'),
    ...z.object(BOUND_SCHEMAS).partial().shape,
    at_first: percentage
      .meta({ examples: ['50%'] })
      .optional()
      .describe(
        'of a rule with against: history: the largest allowed change while there are too few earlier runs; default: such runs are not decided',
      ),
    on_inconclusive: z.enum(['pass']).optional().describe('how the rule counts if the data decide nothing'),
  })
  .superRefine((rule, context) => {
    const given = boundsIn(rule);
    if (given.length === 1) return;
    const cause = given.length === 0 ? 'has no bound' : `has ${given.length} bounds`;
    context.addIssue({ code: 'custom', message: `${cause}; write one of ${Object.keys(BOUND_SCHEMAS).join(', ')}` });
  });

export const gateSchema = z.array(ruleSchema);

export type WrittenRule = z.output<typeof ruleSchema>;

/** The bounds of a rule: one, once it is checked. */
export function boundsIn(rule: { readonly [Is in WrittenIs]?: WrittenBound | undefined }): readonly WrittenBound[] {
  return Object.keys(BOUND_SCHEMAS)
    .filter(isBound)
    .flatMap((is) => rule[is] ?? []);
}

function isBound(key: string): key is WrittenIs {
  return key in BOUND_SCHEMAS;
}

/** What a claim says, as a number. */
function claimed(words: RegExp, example: string, most: number) {
  const error = `must say how much at most; write "${example}"`;
  return z
    .string()
    .regex(words, { error })
    .transform((text) => Number(words.exec(text)?.[1]))
    .refine((value) => value > 0 && value < most, { error })
    .meta({ examples: [example] })
    .optional();
}

const claimSchema = z
  .strictObject({
    of: z.string().describe('the variant that the claim is about'),
    against: z.string().describe('the variant of its kind that it is compared with'),
    takes: claimed(/^at most (\d+(?:\.\d+)?)x as long$/, 'at most 0.5x as long', 1000).describe(
      'the claim: how long it takes, in most pairs of takes',
    ),
    fails: claimed(/^at most (\d+(?:\.\d+)?) points more often$/, 'at most 2 points more often', 100).describe(
      'or: how much more often it fails, in percentage points',
    ),
    pairs: z.int().min(1).max(MOST_PAIRS).describe('after so many pairs of takes the claim stays undecided'),
  })
  .superRefine(({ takes, fails }, context) => {
    if ((takes === undefined) !== (fails === undefined)) return;
    const cause = takes === undefined ? 'claims nothing' : 'claims two things';
    context.addIssue({ code: 'custom', message: `${cause}; write one of takes, fails` });
  });

export const claimsSchema = z.array(claimSchema);
