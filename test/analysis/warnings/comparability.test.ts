import { COMPARABILITY } from '../../../src/analysis/warnings/comparability.ts';
import { against, holds, load, OPEN, shards, TOGETHER, TWO } from '../../fixtures/warning-evidence.ts';

holds('comparability', COMPARABILITY, {
  contended: [
    ['paired order', { variants: TWO, plan: load({}) }],
    ['one variant in mixed order', { plan: load({ order: 'mixed' }) }],
    ['two in mixed order', { variants: TWO, plan: load({ order: 'mixed' }) }, {}],
  ],
  drift_confounded: [
    ['paired order', { variants: TWO, plan: load({}) }],
    ['one variant in sequence', { plan: load({ order: 'sequential' }) }],
    ['two in sequence', { variants: TWO, plan: load({ order: 'sequential' }) }, {}],
    ['two under open load', { variants: TWO, plan: OPEN }, {}],
  ],
  changed_environment: [
    ['without a stored baseline', {}],
    ['with equal values', against()],
    ['with other values', against('URL', 'KEY'), { baselineRun: 'r', names: ['URL', 'KEY'] }],
    ['with another value', against('URL'), { baselineRun: 'r', names: ['URL'] }],
  ],
  measured_in_shards: [
    ['one machine', {}],
    ['one shard', shards(1)],
    ['two under open load', { ...shards(2), plan: OPEN }, { shards: 0 }],
    [
      'a fleet whose workers were never timed together',
      shards(2, { together: { slices: 0, spreadMs: { p50: null, most: null } } }),
      { shards: 0 },
    ],
    ['two shards', shards(2), { shards: 0 }],
    ['a fleet', shards(2, { together: TOGETHER }), { shards: 0 }],
  ],
  concurrency_not_reached: [
    ['as large slices', { plan: { ...load({ concurrency: 4 }), largestSlice: 4 } }],
    ['open load', { plan: { ...OPEN, largestSlice: 0 } }],
    ['smaller slices', { plan: { ...load({ concurrency: 9 }), largestSlice: 8 } }, { largestSlice: 8 }],
    ['a sweep', { plan: { ...load({ concurrency: 4, steps: [1, 4] }), largestSlice: 3 } }, { largestSlice: 3 }],
  ],
});
