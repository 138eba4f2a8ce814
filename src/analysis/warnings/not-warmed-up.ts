import { warning } from './warning.ts';

/** Without a warm-up, the first trials may include a cold start. */
export const notWarmedUp = warning({
  code: 'not_warmed_up',
  meaning: 'No warm-up was planned.',
  fields: {},
  find: ({ plan }) => (plan.load.warmup === 0 ? [{}] : []),
  words: () => ({
    what: 'no warm-up was sent',
    cause: 'load.warmup is 0, so the first takes may include a cold start and new connections',
    remedy: 'set load.warmup to 1 or more',
  }),
  example: {},
});
