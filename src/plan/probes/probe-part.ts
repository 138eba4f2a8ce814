import { z } from 'zod';
import { count } from '../../shape/fields.ts';
import type { Recorded } from '../../shape/recorded.ts';

export const probePartSchema = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('seed'),
        role: z.enum(['other', 'omitted']),
        base: count.describe('The measured seed that it belongs to.'),
      })
      .describe('Another seed than the measured `base` of the same case, or none at all.'),
    z
      .strictObject({
        kind: z.literal('cache'),
        role: z.enum(['first', 'repeat', 'fresh']),
        pair: count.describe('The number of its pair.'),
      })
      .describe(
        'A pair is a `repeat`, of the request that the pair before it sent as `fresh`, beside a ' +
          '`fresh` one that was never sent. `first` is what the first pair repeats; it is of pair 0.',
      ),
    z
      .strictObject({ kind: z.literal('load'), role: z.enum(['alone', 'concurrent']) })
      .describe('A request of the plan, with nothing beside it or with as much as the load allows.'),
  ])
  .meta({ id: 'ProbePart', description: 'What a trial is in a probe.' });
export type ProbePart = Recorded<typeof probePartSchema>;
