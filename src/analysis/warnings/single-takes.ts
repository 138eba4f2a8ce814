import { type WarningRule, warningShape } from './warning.ts';

const shape = warningShape('single_takes', 'One repeat: determinism cannot be measured.', {});

/** Determinism needs two takes. */
export const singleTakes: WarningRule<typeof shape> = {
  shape,
  find: ({ plan }) => (plan.repeats > 1 ? [] : [{ code: 'single_takes' }]),
  words: () => ({
    what: 'determinism cannot be measured: each prompt and seed has one take',
    cause: 'repeats is 1',
    remedy: 'set repeats to 2 or more',
  }),
  examples: [{ code: 'single_takes' }],
};
