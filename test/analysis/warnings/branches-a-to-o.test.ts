import { buildFailure, digestOf } from '../../fixtures/stored-run-builder.ts';
import {
  A,
  against,
  asks,
  asksSize,
  BASED,
  blind,
  blocks,
  CACHE,
  type Cases,
  cell,
  DIED,
  dependence,
  edited,
  ending,
  failed,
  flagged,
  holds,
  LOAD,
  lagged,
  load,
  many,
  means,
  model,
  OFTEN,
  OPEN,
  of,
  omitting,
  output,
  PLAN,
  probed,
  RUN,
  repeat,
  SOON,
  sends,
  shards,
  sized,
  THREE,
  TOGETHER,
  TWO,
  take,
  uncompared,
  VOID,
  variant,
} from '../../fixtures/warning-evidence.ts';

const orphaned = (change: object) => ({
  ...{ requests: 0, samples: 1, variants: ['a'], interrupted: false, withoutCancel: [] },
  ...change,
});
const pairs = (pairs: number, variantMissing: number, baselineMissing: number) => ({
  ...{ variant: 'b', baseline: 'a', pairs, variantMissing, baselineMissing },
});
const otherSize = (width: number, height: number, asked: string) => ({ ...A, outputs: 1, asked, width, height });

const CASES: Cases = {
  abandoned_requests: [
    ['calm', {}],
    ['counted beside no take', { run: { ...RUN, orphans: 2 } }, orphaned({ requests: 2, samples: 0, variants: [] })],
    ['beside a take', { run: { ...RUN, orphans: 0 }, trials: [take({ flags: ['orphans'] }), take()] }, orphaned({})],
    [
      'of variants that cannot be cancelled, of which one was aborted by the user',
      {
        run: { ...RUN, orphans: null },
        noCancel: ['a', 'b', 'c'],
        trials: [take({ flags: ['orphans'] }), take({ ...of('c') }), take({ ...of('a'), outcome: 'timed_out' })],
        warmups: [{ ...take(), outcome: 'cancelled', sample: buildFailure('cancelled', of('b')) }],
      },
      orphaned({ requests: null, interrupted: true, withoutCancel: ['a', 'b'] }),
    ],
  ],
  batch_dependent: [
    ['not found', { probes: [probed('a', { load: LOAD }), probed('b', {})] }],
    [
      'found',
      { probes: [probed('a', { load: { ...LOAD, code: 'batch_dependent' } })] },
      { ...A, concurrency: 1, load: { ...LOAD, code: 'batch_dependent' } },
    ],
  ],
  blank_outputs: [
    ['none', { trials: [take()] }],
    [
      'of two variants and media',
      {
        trials: [
          ...['fox', 'fox', 'cat'].map((prompt) => take({ outcome: 'blank', trial: { prompt } })),
          take({ ...of('b'), outcome: 'blank', output: output({ mime: 'video/mp4' }) }),
        ],
      },
      { ...A, outputs: 3, prompts: 2, media: 'image' },
      { variant: 'b', outputs: 1, prompts: 1, media: 'video' },
    ],
  ],
  changed_environment: [
    ['without a stored baseline', {}],
    ['with equal values', against()],
    ['with another value', against('URL'), { baselineRun: 'r', names: ['URL'] }],
  ],
  concurrency_not_reached: [
    ['as large slices', { plan: { ...load({ concurrency: 4 }), largestSlice: 4 } }],
    ['open load', { plan: { ...OPEN, largestSlice: 0 } }],
    [
      'smaller slices',
      { plan: { ...load({ concurrency: 9 }), largestSlice: 8 } },
      { largestSlice: 8, concurrency: 9, sweep: false },
    ],
    [
      'a sweep',
      { plan: { ...load({ concurrency: 4, steps: [1, 4] }), largestSlice: 3 } },
      { largestSlice: 3, concurrency: 4, sweep: true },
    ],
  ],
  contended: [
    ['paired order', { variants: TWO, plan: load({}) }],
    ['one variant in mixed order', { plan: load({ order: 'mixed' }) }],
    ['two in mixed order', { variants: TWO, plan: load({ order: 'mixed' }) }, {}],
  ],
  drift_confounded: [
    ['paired order', { variants: TWO, plan: load({}) }],
    ['one variant in sequence', { plan: load({ order: 'sequential' }) }],
    ['two in sequence', { variants: TWO, plan: load({ order: 'sequential' }) }, { mode: 'closed' }],
    ['two under open load', { variants: TWO, plan: OPEN }, { mode: 'open' }],
  ],
  dependent_takes: [
    ['significant and wider', dependence({}), { ...A, step: 4, r: 0.5, n: 60, effectiveN: 30 }],
    ['not significant', dependence({ significant: false })],
    ['not wider', dependence({ time: 1 })],
    ['unknown', dependence({ r: null })],
  ],
  end_announced: [
    ['nothing said', { trials: [take()] }],
    [
      'the last reply that says so counts',
      { trials: [ending('2027-01-01'), ending('2027-02-01'), take()] },
      { ...A, end: ending('2027-02-01').sample.reported.end, day: '2026-11-20' },
    ],
  ],
  equal_variants: [
    [
      'three of which each two share another cell',
      {
        variants: THREE.map((one, at) => ({ ...one, constants: { steps: at } })),
        cells: [
          ...[cell('a', 'x', 1, '1'), cell('a', 'x', 3, '3'), cell('b', 'x', 1, '1'), cell('b', 'x', 2, '2')],
          ...[cell('c', 'x', 2, '2'), cell('c', 'x', 3, '3')],
        ],
      },
    ],
    [
      'a third that differs from one of two',
      {
        variants: THREE.map((one, at) => ({ ...one, constants: { steps: at } })),
        cells: [
          ...[cell('a', 'x', 1, '1'), cell('b', 'x', 1, '1'), cell('b', 'x', 2, '2')],
          ...[cell('c', 'x', 1, '1'), cell('c', 'x', 2, '3'), cell('c', 'x', 4)],
        ],
      },
      { ...VOID, variants: ['a', 'b'], cells: 1, constants: [{ name: 'steps', values: [0, 1] }] },
    ],
  ],
  flagged_samples: [
    [
      'without those of a variant whose cache was found',
      {
        trials: [take({ flags: ['cached'] }), take({ ...of('b'), flags: ['cached'] }), take({ flags: ['resumed'] })],
        probes: [probed('a', { cache: { ...CACHE, code: 'cached' } }), probed('b', { cache: CACHE })],
      },
      { flag: 'resumed', variants: ['a'], samples: 1, blocks: 1 },
      { flag: 'cached', variants: ['b'], samples: 1, blocks: 1 },
    ],
    [
      'without late ones that are too many',
      {
        trials: repeat(100, (at) => take({ flags: at < 30 ? ['harness_lag'] : [] })),
        flagged: [flagged('a', 30, true)],
      },
    ],
  ],
  flags_disagree: [
    ['agreeing or unknown', { flagged: [flagged('a', 1, true), flagged('a', 1, null)] }],
    ['apart', { flagged: [flagged('a', 1, false)] }, { ...A, step: null, withFlaggedMs: 100, withoutFlaggedMs: 100 }],
  ],
  late_starts: [
    ['5 ms', { trials: repeat(200, () => lagged(5)) }],
    ['unknown', { trials: [lagged(null)] }],
    ['the largest of few', { trials: [lagged(1), lagged(5.1)] }, { ...A, lagMs: 5.1, statistic: 'max', limitMs: 5 }],
    ['the p99 of many', { trials: repeat(200, () => lagged(6)) }, { ...A, lagMs: 6, statistic: 'p99', limitMs: 5 }],
  ],
  many_failures: [
    ['no take', { variants: many(0, 0) }],
    ['5 %', { variants: many(5, 95) }],
    [
      '6 %, most often as the first failure of the variant',
      {
        variants: many(6, 94),
        failures: [failed('b', { code: 'E1' }), failed('a', { outcome: 'moderated' }), failed('a')],
      },
      { ...A, failed: 6, takes: 100, mostOften: OFTEN },
    ],
    ['no known failure', { variants: many(6, 94) }, { ...A, failed: 6, takes: 100, mostOften: null }],
    [
      'what is gone has ended',
      { variants: many(6, 94, { retires: [SOON] }), failures: [failed('a', { httpStatus: 404 })] },
      {
        ...A,
        failed: 6,
        takes: 100,
        ended: { retirement: SOON, day: '2026-11-20' },
        mostOften: { ...OFTEN, httpStatus: 404 },
      },
    ],
    [
      'what is gone has no known end',
      { variants: many(6, 94), failures: [failed('a', { httpStatus: 410 })] },
      { ...A, failed: 6, takes: 100, mostOften: { ...OFTEN, httpStatus: 410 } },
    ],
    [
      'another failure of what ends',
      { variants: many(6, 94, { retires: [SOON] }), failures: [failed('a')] },
      { ...A, failed: 6, takes: 100, mostOften: OFTEN },
    ],
  ],
  measured_in_shards: [
    ['one machine', {}],
    ['one shard', shards(1)],
    ['two shards', shards(2), { shards: 0, concurrency: 1, mode: 'closed' }],
    ['a fleet', shards(2, { together: TOGETHER }), { shards: 0, concurrency: 1, mode: 'closed', together: TOGETHER }],
  ],
  missing_pairs: [
    ['nothing measured', { variants: BASED }],
    ['5 % missing', { variants: BASED, trials: [...blocks('a', 0, 100), ...blocks('b', 0, 95)] }],
    ['6 % missing', { variants: BASED, trials: [...blocks('a', 0, 100), ...blocks('b', 0, 94)] }, pairs(100, 6, 0)],
    ['both sides', { variants: BASED, trials: [...blocks('a', 0, 50), ...blocks('b', 2, 50)] }, pairs(52, 2, 2)],
    ['no baseline marked', { variants: TWO, trials: [...blocks('a', 0, 100), ...blocks('b', 0, 50)] }],
    [
      'the twin of a stored baseline, and no other pair of it',
      {
        variants: [...BASED, variant('b@baseline', { twinOf: 'b' })],
        trials: ['a', 'b', 'b@baseline'].flatMap((name) => blocks(name, 0, name === 'b@baseline' ? 10 : 20)),
      },
      { variant: 'b', baseline: 'b@baseline', pairs: 20, variantMissing: 0, baselineMissing: 10 },
    ],
    ['open load', { variants: BASED, plan: OPEN, trials: blocks('a', 0, 9) }],
    [
      'a time-out is a latency, another failure is none',
      {
        variants: BASED,
        trials: [
          ...[...blocks('a', 0, 20), ...blocks('b', 0, 12, { outcome: 'timed_out' })],
          ...blocks('b', 12, 8, { outcome: 'error' }),
        ],
      },
      pairs(20, 8, 0),
    ],
  ],
  no_seed_sent: [
    ['a seed is sent', { plan: { ...PLAN, seeds: [1, 2] } }],
    ['one seed', { variants: [sends(false)] }],
    [
      'two seeds',
      { variants: [sends(false), variant('b')], plan: { ...PLAN, seeds: [1, 2] } },
      { variants: ['a'], seeds: [1, 2] },
    ],
  ],
  not_compared: [
    ['outputs of no take', { uncompared: [uncompared('x', 'y')], trials: [take({ output: null }), take()] }],
    [
      'a group for each reason',
      {
        uncompared: [uncompared('fox', 'y'), uncompared('x', 'fox', { code: 'media_missing' })],
        trials: [take({ output: null }), take(), take({ ...of('b'), output: output({ sha256: digestOf('y') }) })],
      },
      { variants: ['a', 'b'], pairs: 1, reason: DIED },
      { variants: ['a'], pairs: 1, reason: { code: 'media_missing' } },
    ],
  ],
  not_decoded: [
    [
      'decoded, failed, or without an output',
      { trials: [take(), blind({ outcome: 'error' }), take({ output: null })] },
    ],
    [
      'a group for each medium and reason',
      { trials: [blind(), blind(of('b')), blind({}, { mime: 'video/mp4' }), blind({}, { undecoded: DIED })] },
      { variants: ['a', 'b'], outputs: 2, media: 'image', reason: null },
      { variants: ['a'], outputs: 1, media: 'video', reason: null },
      { variants: ['a'], outputs: 1, media: 'image', reason: DIED },
    ],
  ],
  omitted_seed_constant: [
    ['declared random', { variants: means('random'), probes: [omitting('constant')] }, { variant: 'b' }],
    ['as declared', { variants: means('constant'), probes: [omitting('constant')] }],
    ['random, as declared', { variants: means('random'), probes: [omitting('random')] }],
    ['without a probe', { variants: means('random'), probes: [probed('b', {})] }],
  ],
  omitted_seed_random: [
    ['declared constant', { variants: means('constant'), probes: [omitting('random')] }, { variant: 'b' }],
    ['as declared', { variants: means('random'), probes: [omitting('random')] }],
    ['constant, as declared', { variants: means('constant'), probes: [omitting('constant')] }],
  ],
  other_model_answered: [
    ['none is said', { variants: asks('m'), trials: [take()] }],
    ['one, where none was asked for', { trials: model('m') }],
    ['versions of the one asked for', { variants: asks('org/M-1'), trials: model('m-1-2026-04-21') }],
    [
      'several versions',
      { variants: asks('m'), trials: model('m-001', 'm@latest', 'm-001') },
      {
        ...VOID,
        ...A,
        asked: 'm',
        models: [
          { model: 'm-001', takes: 2 },
          { model: 'm@latest', takes: 1 },
        ],
        ofTakes: 3,
      },
    ],
    [
      'another beside the one asked for',
      { variants: asks('m'), trials: model('m', 'm-mini', 'm') },
      { ...VOID, ...A, asked: 'm', models: [{ model: 'm-mini', takes: 1 }], ofTakes: 3 },
    ],
    [
      'another than the one asked for',
      { variants: asks('m'), trials: model('other') },
      { ...VOID, ...A, asked: 'm', models: [{ model: 'other', takes: 1 }], ofTakes: 1 },
    ],
    [
      'another name of the same length',
      { variants: asks('m-1'), trials: model('n-1') },
      { ...VOID, ...A, asked: 'm-1', models: [{ model: 'n-1', takes: 1 }], ofTakes: 1 },
    ],
    [
      'two, where none was asked for',
      { trials: model('x', 'y') },
      {
        ...VOID,
        ...A,
        asked: null,
        models: [
          { model: 'x', takes: 1 },
          { model: 'y', takes: 1 },
        ],
        ofTakes: 2,
      },
    ],
  ],
  other_shape: [
    ['of the shape of its input', { trials: [edited(false)] }],
    ['no edit, or without a mask', { trials: [take(), edited(false, true, 'no mask')] }],
    ['of an unknown size', { trials: [{ ...edited(false, true, null), output: null }] }],
    [
      'one of two with a mask',
      { trials: [edited(false), edited(false, true, null), edited(false, true, 'no mask')] },
      { ...A, edits: 1, ofEdits: 2, width: 640, height: 480 },
    ],
  ],
  other_size: [
    ['no size asked for', { trials: [sized(512, 512)] }],
    ['a size of no such form', { ...asksSize('large'), trials: [sized(512, 512)] }],
    ['a number', { ...asksSize(512), trials: [sized(64, 64)] }],
    ['a width of 0', { ...asksSize('0x512'), trials: [sized(64, 64)] }],
    ['a height of 0', { ...asksSize('512x0'), trials: [sized(64, 64)] }],
    ['the size asked for', { ...asksSize('640x480'), trials: [sized(640, 480)] }],
    [
      'an unknown size',
      { ...asksSize('640x480'), trials: [sized(null, 480), sized(640, null), take({ output: null })] },
    ],
    ['a failed take', { ...asksSize('640x480'), trials: [{ ...sized(512, 512), outcome: 'error' }] }],
    [
      'another size of one ratio',
      { ...asksSize('640x480'), trials: [sized(1280, 960)] },
      otherSize(1280, 960, '640x480'),
    ],
    ['another width', { ...asksSize('640x480'), trials: [sized(512, 480)] }, otherSize(512, 480, '640x480')],
    ['another height', { ...asksSize('640x480'), trials: [sized(640, 512)] }, otherSize(640, 512, '640x480')],
    ['within 6 % of a ratio', { ...asksSize('16:9'), trials: [sized(1696, 900), sized(1510, 900)] }],
    ['wider', { ...asksSize('16:9'), trials: [sized(1712, 900)] }, otherSize(1712, 900, '16:9')],
    ['narrower', { ...asksSize('16:9'), trials: [sized(1500, 900)] }, otherSize(1500, 900, '16:9')],
  ],
};

holds(CASES);
