import { warning } from './warning.ts';

export const contended = warning({
  code: 'contended',
  meaning: 'Variants ran at the same time.',
  fields: {},
  find: ({ plan, variants }) => (variants.length > 1 && plan.load.order === 'mixed' ? [{}] : []),
  words: () => ({
    what: 'contended: the variants ran at the same time',
    cause: 'order is mixed, so variants queue behind each other and their differences shrink',
    remedy: 'use order: paired to compare latencies',
  }),
  example: {},
});
