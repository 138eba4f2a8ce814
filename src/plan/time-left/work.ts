import { z } from 'zod';
import { choice, part, type Recorded } from '../../shape/declare.ts';
import { milliseconds, number, variantName } from '../../shape/fields.ts';

const workOfVariant = {
  variant: variantName,
  concurrency: z.int().min(1).describe('In flight together at most.'),
  measured: z
    .boolean()
    .describe('Whether it measures: such work is not sent once the gate is decided. Warm-ups and probes are.'),
  trials: z.int().min(1).describe('Its trials.'),
};

export const plannedWorkSchema = choice(
  'PlannedWork',
  'How much the plan asks of one variant at one concurrency.',
  'mode',
  [
    part('So many trials in flight; the next begins when one has ended.', {
      mode: z.literal('closed'),
      ...workOfVariant,
      waves: number.describe(
        'How many mean calls they last: a slice of n trials at concurrency c is drained before the next begins, ' +
          'and lasts ceil(n / c).',
      ),
    }),
    part('Trials that begin at their times.', {
      mode: z.literal('open'),
      ...workOfVariant,
      lastStartMs: milliseconds.describe('When the last one begins, milliseconds from the begin of their slice.'),
    }),
  ],
);
export type PlannedWork = Recorded<typeof plannedWorkSchema>;
