import { loadMode, warning } from './warning.ts';

export const driftConfounded = warning({
  code: 'drift_confounded',
  meaning: 'Variants ran one after the other.',
  fields: { mode: loadMode },
  find: ({ plan: { load }, variants }) =>
    variants.length > 1 && load.order === 'sequential' ? [{ mode: load.mode }] : [],
  words: ({ mode }) =>
    mode === 'open'
      ? {
          what: 'open load measured the variants one after the other, so their latencies cannot be compared',
          brief: 'open load sent one variant after the other: latencies are not comparable',
          cause:
            'open load sends one variant at a time, so drift of the service looks like a difference between variants',
          remedy: 'read each variant by itself; to compare latencies, use mode: closed with order: paired',
        }
      : {
          what: 'the variants were measured one after the other, so a difference between them may be drift of the service',
          cause: 'load.order is sequential: the service may change from the first variant to the last',
          remedy: 'use order: paired to compare latencies',
        },
  example: { mode: 'open' },
});
