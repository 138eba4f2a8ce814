import { z } from 'zod';
import { variantName, count as wholeNumber } from '../../kit/declare.ts';
import { count, plural } from '../../kit/wording.ts';
import { abandonmentSchema, stopSchema } from '../../record/journal.ts';
import { sum } from '../../statistics/mean.ts';
import { incompleteCause, incompleteRemedy, whyIncomplete } from '../incomplete.ts';
import { warning } from './warning.ts';

const shardNumber = z.int().min(1);

export const incomplete = warning({
  code: 'incomplete',
  meaning: 'Trials were not measured.',
  fields: {
    stop: stopSchema.nullable().describe('Why measuring ended; null: its process was killed.'),
    abandoned: z
      .array(z.strictObject({ variant: variantName, why: abandonmentSchema }))
      .describe('Variants that were abandoned.'),
    shards: z
      .strictObject({
        of: shardNumber.describe('How many shards the run has.'),
        missing: z.array(shardNumber).describe('The numbers of those that were not merged.'),
        stopped: z
          .array(
            z.strictObject({
              index: shardNumber.describe('From 1.'),
              stop: stopSchema.nullable().describe('Why measuring ended; null: its process was killed.'),
            }),
          )
          .describe('Those that were stopped.'),
      })
      .nullable()
      .describe('Of a merged run; else null.'),
    missing: wholeNumber.describe('Trials that were not measured.'),
    planned: wholeNumber.describe('Planned trials.'),
    missingProbes: wholeNumber.describe('Trials of probes that were not sent.'),
  },
  find: ({ run, variants }) => {
    if (run.complete) return [];
    const missing = sum(variants.map((variant) => variant.missing + (variant.outcomes.cancelled ?? 0)));
    const planned = sum(variants.map((variant) => variant.plannedTrials));
    const why = whyIncomplete({ run, variants });
    return [{ missing, planned, missingProbes: run.missingProbes, ...why }];
  },
  words: (cause) => {
    const { missing, planned, missingProbes } = cause;
    const probes = missingProbes === 0 ? '' : `, ${plural(missingProbes, 'probe')} not sent`;
    return {
      what: `the run is incomplete: ${count(missing)} of ${plural(planned, 'take')} were not measured${probes}`,
      cause: incompleteCause(cause),
      remedy: `${incompleteRemedy(cause)}; the numbers cover only what was measured`,
    };
  },
  example: { missing: 40, planned: 100, missingProbes: 3, stop: null, abandoned: [], shards: null },
});
