import { z } from 'zod';
import { count, metricName, type Recorded, shape, statisticName, step } from '../kit/declare.ts';
import { kind } from '../plan/trial.ts';
import { betterSchema, noteSchema, unitSchema } from './unit.ts';

const number = z.number().nullable();

const probability = z.number().min(0).max(1).nullable();

const units = z.enum(['blocks', 'rounds', 'cells']);

const scopeSchema = z
  .union([
    z.strictObject({ of: units.describe('All takes, by what one independent unit is.') }),
    z.strictObject({
      of: z.literal('prompt').describe('All takes, by what one independent unit is.'),
      id: z.string().describe('The prompt.'),
    }),
    z.strictObject({
      of: z.literal('tag').describe('All takes, by what one independent unit is.'),
      tag: z.string().describe('The tag.'),
    }),
  ])
  .meta({ id: 'Scope', description: 'The takes that are compared.' });
export type Scope = Recorded<typeof scopeSchema>;

export const comparisonSchema = shape(
  'Comparison',
  'A variant compared with the baseline of its kind, by one metric.',
  {
    variant: z.string().describe('The candidate.'),
    baseline: z.string().describe('What it is compared with.'),
    baselineRun: z
      .string()
      .nullable()
      .describe(
        'The run that the stored baseline was kept from, if `baseline` is one of its variants, sent again in this ' +
          'run; else null.',
      ),
    kind,
    scope: scopeSchema.describe('Which takes.'),
    step,
    metric: metricName,
    statistic: statisticName,
    unit: unitSchema.describe('Of the value: `1` where it is a ratio.'),
    better: betterSchema.describe('Which is better; null if neither is.'),
    effect: z
      .enum(['ratio', 'difference'])
      .describe('`ratio`: candidate / baseline. `difference`: candidate - baseline.'),
    value: number.describe('Null without a pair.'),
    ciLow: number.describe(
      'Two-sided interval, not adjusted for several comparisons; null if there are too few units, or if time-outs ' +
        'leave the end open.',
    ),
    ciHigh: number.describe('Its upper end.'),
    ciLevel: probability.describe('Null without an interval.'),
    ratioOfMeans: number.describe(
      'The mean of the candidate / that of the baseline, over blocks with a value on both sides; null of a ' +
        'difference, and where a call timed out.',
    ),
    method: z
      .enum(['walsh', 'student', 'tango_exact', 'tango', 'tango_clustered'])
      .describe('How value and interval were made.'),
    units: units.describe('What value, interval and p count.'),
    nUnits: count.describe('How many units.'),
    cellPairs: count.describe('Cell pairs with a value on both sides.'),
    cellPairsBetter: count.describe('Those in which the candidate is better.'),
    cellPairsWorse: count.describe('Those in which it is worse.'),
    unitValues: z.array(z.number()).describe('Of each unit, the candidate less the baseline or their ratio.'),
    blocks: count.describe('Blocks with a value on both sides.'),
    missingBlocks: count.describe('Blocks in which one side has no value, because it failed or was not sent.'),
    censoredBlocks: count.describe('Blocks in which one side timed out.'),
    p: probability.describe('Two-sided: signed rank test over units; for rates the test of their interval.'),
    pAdjusted: probability.describe(
      'By Benjamini and Hochberg over the family; null without a p, and in a family of one.',
    ),
    family: count.describe(
      'How many comparisons the family has: those of the same metric, statistic, kind, step, kind of scope and ' +
        '`baselineRun`.',
    ),
    valueUnflagged: number.describe(
      'The value without blocks that contain a flagged take; null if that leaves none, or nothing was flagged.',
    ),
    finding: z
      .enum(['lower', 'higher', 'undecided', 'too_few'])
      .describe(
        '`lower` or `higher`: the interval does not contain equality, and `pAdjusted` is null or at most 0.05; ' +
          '`undecided`: else; `too_few`: too few units for an interval and p.',
      ),
    notes: z.array(noteSchema).describe('What must be known to read it; empty if nothing.'),
  },
);
/** A variant compared with the baseline of its kind, by one metric. */
export type Comparison = Recorded<typeof comparisonSchema>;

export type ComparisonFinding = Comparison['finding'];
