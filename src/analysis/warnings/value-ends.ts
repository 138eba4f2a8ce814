import { z } from 'zod';
import { variantName } from '../../kit/declare.ts';
import { endsSoon, endWords, successorWords } from '../../targets/inputs.ts';
import { retirementSchema } from '../../targets/recorded.ts';
import { warning } from './warning.ts';

/** A model that its provider switches off, as the target says. Dates move, so this never refuses. */
export const valueEnds = warning({
  code: 'value_ends',
  meaning: 'A constant, such as a model, ends within 30 days of the run, or had ended.',
  fields: {
    variant: variantName,
    retirement: retirementSchema,
    day: z.iso.date().describe('The day of the run.'),
  },
  find: ({ run, variants }) => {
    const day = run.startedAt.slice(0, 10);
    return variants.flatMap(({ name, retires = [] }) =>
      retires
        .filter((retirement) => endsSoon(retirement, day))
        .map((retirement) => ({ variant: name, retirement, day })),
    );
  },
  words: ({ variant, retirement, day }) => ({
    what: `the ${retirement.constant} ${retirement.value} of ${variant} ${endWords(retirement.on, day)}`,
    cause: 'calls then fail, or another model answers them',
    remedy: successorWords(retirement.to),
  }),
  example: {
    variant: 'standard',
    retirement: { constant: 'model', value: 'model-1', on: '2026-12-01', to: 'model-2' },
    day: '2026-11-28',
  },
});
