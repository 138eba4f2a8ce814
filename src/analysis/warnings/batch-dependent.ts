import { z } from 'zod';
import { variantName } from '../../kit/declare.ts';
import { count, plural, probability, share } from '../../kit/wording.ts';
import { loadFindingSchema } from '../probe.ts';
import { warning } from './warning.ts';

/** Images that depend on concurrent requests. */
export const batchDependent = warning({
  code: 'batch_dependent',
  meaning: 'Concurrency changes the output.',
  fields: {
    variant: variantName,
    concurrency: z.int().min(1).describe('The most in flight.'),
    load: loadFindingSchema.describe('What the probe found.'),
  },
  find: ({ probes, plan }) =>
    probes.flatMap(({ variant, load }) =>
      load?.code === 'batch_dependent' ? [{ variant, concurrency: plan.load.concurrency, load }] : [],
    ),
  words: ({ variant, concurrency, load: { changedConcurrent, changedAlone, cells, p } }) => ({
    what: `concurrency changes the output of ${variant} (batch-dependent): in ${count(changedConcurrent)} of ${plural(cells, 'prompt x seed')} (${share(changedConcurrent / cells)})`,
    cause: `two takes sent alone agree, but one at concurrency ${count(concurrency)} differs; the reverse occurs in ${plural(changedAlone, 'prompt x seed')}${p === null ? '' : ` (p = ${probability(p)})`}; the service seems to compute requests in batches that change the pixels`,
    remedy:
      'its determinism holds for this load only; set load.concurrency to 1 to test it without concurrency, or compare at the level "near"',
  }),
  example: {
    variant: 'standard',
    concurrency: 4,
    load: {
      code: 'batch_dependent',
      cells: 10,
      changedConcurrent: 8,
      changedAlone: 0,
      p: 0.004,
      bound: null,
      reason: null,
    },
  },
});
