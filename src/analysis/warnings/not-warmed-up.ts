import { type WarningRule, warningShape } from './warning.ts';

const shape = warningShape('not_warmed_up', 'No warm-up was planned.', {});

/** Without a warm-up, the first trials may include a cold start. */
export const notWarmedUp: WarningRule<typeof shape> = {
  shape,
  find: ({ plan }) => (plan.load.warmup === 0 ? [{ code: 'not_warmed_up' }] : []),
  words: () => ({
    what: 'no warm-up was sent',
    cause: 'load.warmup is 0, so the first takes may include a cold start and new connections',
    remedy: 'set load.warmup to 1 or more',
  }),
  examples: [{ code: 'not_warmed_up' }],
};
