import { z } from 'zod';
import { milliseconds, number, variantName } from '../../shape/fields.ts';
import type { Recorded } from '../../shape/recorded.ts';

const workOfVariant = {
  variant: variantName,
  concurrency: z.int().min(1).describe('In flight together at most.'),
  measured: z
    .boolean()
    .describe('Whether it measures: such work is not sent once the gate is decided. Warm-ups and probes are.'),
  trials: z.int().min(1).describe('Its trials.'),
};

/** What slices ask of one variant at one concurrency. */
export const plannedWorkSchema = z
  .discriminatedUnion('mode', [
    z
      .strictObject({
        mode: z.literal('closed'),
        ...workOfVariant,
        waves: number.describe(
          'How many mean calls they last: a slice of n trials at concurrency c is drained before the ' +
            'next begins, and lasts ceil(n / c).',
        ),
      })
      .describe('So many trials in flight; the next begins when one has ended.'),
    z
      .strictObject({
        mode: z.literal('open'),
        ...workOfVariant,
        lastStartMs: milliseconds.describe('When the last one begins, milliseconds from the begin of their slice.'),
      })
      .describe('Trials that begin at their times.'),
  ])
  .meta({ id: 'PlannedWork', description: 'How much the plan asks of one variant at one concurrency.' });
export type PlannedWork = Recorded<typeof plannedWorkSchema>;
