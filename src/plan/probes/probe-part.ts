import { z } from 'zod';
import { choice, count, part, type Recorded } from '../../kit/declare.ts';

export const probePartSchema = choice('ProbePart', 'What a trial is in a probe.', 'kind', [
  part('Another seed than the measured `base` of the same case, or none at all.', {
    kind: z.literal('seed'),
    role: z.enum(['other', 'omitted']),
    base: count.describe('The measured seed that it belongs to.'),
  }),
  part(
    'A pair is a `repeat`, of the request that the pair before it sent as `fresh`, beside a `fresh` one that was ' +
      'never sent. `first` is what the first pair repeats; it is of pair 0.',
    {
      kind: z.literal('cache'),
      role: z.enum(['first', 'repeat', 'fresh']),
      pair: count.describe('The number of its pair.'),
    },
  ),
  part('A request of the plan, with nothing beside it or with as much as the load allows.', {
    kind: z.literal('load'),
    role: z.enum(['alone', 'concurrent']),
  }),
]);
export type ProbePart = Recorded<typeof probePartSchema>;
