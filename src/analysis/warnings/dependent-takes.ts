import { z } from 'zod';
import { step, variantName, count as wholeNumber } from '../../kit/declare.ts';
import { atStep } from '../../kit/names.ts';
import { count, plural } from '../../kit/wording.ts';
import { worth } from '../dependence.ts';
import { warning } from './warning.ts';

/** Significant dependence of takes that also widens an interval; differences of cells may outweigh it. */
export const dependentTakes = warning({
  code: 'dependent_takes',
  meaning: 'Takes depend on those sent before them, and intervals are wider for it.',
  fields: {
    variant: variantName,
    step: step.describe('Of a sweep, how many were in flight; null outside one.'),
    r: z
      .number()
      .describe("Lag-1 rank autocorrelation, in sending order, of how much longer than its cell's median each took."),
    n: wholeNumber.describe('How many takes.'),
    effectiveN: z.number().describe('How many independent takes they are worth.'),
  },
  find: ({ dependences }) =>
    dependences.flatMap(({ variant, step, dependence }) => {
      const { significant, time, r, n } = dependence;
      if (!significant || time <= 1 || r === null) return [];
      return [{ variant, step, r, n, effectiveN: worth(n, dependence) }];
    }),
  words: ({ variant, step, r, n, effectiveN }) => {
    const [takes, independent] = [plural(n, 'take'), Math.max(1, Math.round(effectiveN))];
    return {
      what: `takes of ${variant}${atStep(step)} depend on those before them: ${takes} tell as much as about ${plural(independent, 'independent one')}`,
      brief: `takes of ${variant}${atStep(step)} depend on each other: ${takes} count as about ${count(independent)}`,
      cause: `the service was slower at some times than at others, so takes close in time are alike (r = ${r.toFixed(2)})`,
      remedy: 'spread the run over more time, or add repeats; differences within a pair of takes cancel slow changes',
    };
  },
  example: { variant: 'standard', step: 4, r: 0.5, n: 60, effectiveN: 20 },
});
