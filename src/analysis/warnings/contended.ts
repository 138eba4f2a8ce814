import { type WarningRule, warningShape } from './warning.ts';

const shape = warningShape('contended', 'Variants ran at the same time.', {});

export const contended: WarningRule<typeof shape> = {
  shape,
  find: ({ plan, variants }) => (variants.length > 1 && plan.load.order === 'mixed' ? [{ code: 'contended' }] : []),
  words: () => ({
    what: 'contended: the variants ran at the same time',
    cause: 'order is mixed, so variants queue behind each other and their differences shrink',
    remedy: 'use order: paired to compare latencies',
  }),
  examples: [{ code: 'contended' }],
};
