import { warning } from './warning.ts';

/** Determinism needs two takes. */
export const singleTakes = warning({
  code: 'single_takes',
  meaning: 'One repeat: determinism cannot be measured.',
  fields: {},
  find: ({ plan }) => (plan.repeats > 1 ? [] : [{}]),
  words: () => ({
    what: 'determinism cannot be measured: each prompt and seed has one take',
    cause: 'repeats is 1',
    remedy: 'set repeats to 2 or more',
  }),
  example: {},
});
