import {
  A,
  CACHE,
  type Case,
  type Cases,
  cell,
  claims,
  edited,
  failed,
  flagged,
  holds,
  LATER,
  LOAD,
  lateTakes,
  leftOut,
  levelled,
  load,
  loaded,
  model,
  OPEN,
  of,
  PLAN,
  probed,
  repeat,
  SEED,
  SOON,
  sends,
  shards,
  skipped,
  skipping,
  slow,
  THREE,
  TORN,
  TWO,
  take,
  throttled,
  told,
  unfit,
  unsure,
  VOID,
  variant,
  wakes,
} from '../../fixtures/warning-evidence.ts';

const limited = (change: object) => ({
  ...{ variants: ['a'], trials: 1, waitedMs: 0, mode: 'closed', concurrency: 1, servedPerSecond: null },
  ...change,
});
const stalled = (medianMs: number, longestMs: number, hiddenCalls: number, calls: number) => ({
  ...{ ...A, step: null, takes: 1, longestMs, medianMs, hiddenCalls, calls },
});
const late = (change: object, ...variants: readonly (readonly [string, number, boolean])[]) => ({
  ...{ ofVariants: 1, loopDelay: null, mode: 'closed', concurrency: 1 },
  variants: variants.map(([name, lateOnes, agree]) => ({ variant: name, late: lateOnes, samples: 100, agree })),
  ...change,
});
const CLAIMS = ['exact', 'similar', 'none'] as const;

/** A finding of the seed probe by what the target claims; of another variant it says nothing. */
function seedCases(code: 'ignored' | 'unstable' | 'similar', told: readonly string[], unfit = {}): readonly Case[] {
  const seed = { ...SEED, code };
  const probes = [probed('a', { seed }), probed('b', {})];
  return [
    ...CLAIMS.map((claim): Case => {
      const found = told.includes(claim) ? [{ ...unfit, ...A, claim, seed }] : [];
      return [`where the claim is ${claim}`, { variants: [variant('b'), ...claims(claim)], probes }, ...found];
    }),
    ['where the seed is exact', { variants: claims('exact'), probes: [probed('a', { seed: SEED })] }],
  ];
}

const CASES: Cases = {
  probe_left_out: [
    ['no probe', {}],
    [
      'by probe, by whether it is whole, and by reason',
      skipping(
        skipped('load', 'a', true),
        skipped('load', 'b', true),
        skipped('load', 'c', false),
        skipped('seed', 'a', true),
      ),
      { probe: 'load', whole: true, variants: ['a', 'b'], reason: { code: 'concurrency_1' } },
      { probe: 'load', whole: false, variants: ['c'], reason: { code: 'concurrency_1' } },
      { probe: 'seed', whole: true, variants: ['a'], reason: { code: 'concurrency_1' } },
    ],
  ],
  probe_not_testable: [
    ['found', { probes: [probed('a', { seed: SEED })] }],
    ['without a reason', { probes: [probed('a', { seed: { ...unsure, reason: null } })] }],
    ['left out', { ...skipping(skipped('seed', 'a', true)), probes: [probed('a', { seed: unsure })] }],
    ...[skipped('seed', 'a', false), skipped('load', 'a', true), skipped('seed', 'b', true)].map(
      (one): Case => [
        `beside another that was left out: ${JSON.stringify(one)}`,
        { ...skipping(one), probes: [probed('a', { seed: unsure })] },
        { ...A, probe: 'seed', reason: { code: 'not_sent' } },
      ],
    ),
  ],
  prompt_rewritten: [
    ['none is said', { trials: [take()] }],
    ['as it was sent, or its beginning', { trials: [told('A fox'), told('A f…')] }],
    [
      'another text, or the beginning of another',
      { trials: [told('A fox'), told('A fo'), told('A c…'), told('A c…', { seed: 2 })] },
      { ...A, takes: 3, ofTakes: 4, mostTexts: 2, differing: 1 },
    ],
    [
      'of other seeds',
      { trials: [told('x'), told('y', { seed: 2 })] },
      { ...A, takes: 2, ofTakes: 2, mostTexts: 2, differing: 0 },
    ],
  ],
  rate_limited: [
    ['none', { trials: [take()] }],
    ['one alone', { trials: [throttled(1, 100)] }, limited({ trials: 1, waitedMs: 1 })],
    [
      'the rate of what was accepted of its variants',
      {
        trials: [
          ...[throttled(400, 1000), throttled(0, 2000), take({ outcome: 'throttled', sample: { endedMs: 1600 } })],
          take({ ...of('b'), sample: { endedMs: 9000 } }),
        ],
      },
      limited({ trials: 2, waitedMs: 400, servedPerSecond: 2 / 2.4 }),
    ],
    [
      'of one shard',
      { ...shards(1), trials: [throttled(1, 999), throttled(0, 500)] },
      limited({ waitedMs: 1, servedPerSecond: 2 }),
    ],
    ['of two', { ...shards(2), trials: [throttled(1, 999), throttled(0, 500)] }, limited({ waitedMs: 1 })],
    [
      'in no time',
      { trials: [throttled(0.001, -0.001), throttled(0.001, -0.001)] },
      limited({ trials: 2, waitedMs: 0.002 }),
    ],
  ],
  same_for_all_seeds: [
    [
      'several images',
      { cells: [cell('a', 'x', 1, '1'), cell('a', 'x', 2, '2'), cell('a', 'y', 1, '1', '2'), cell('a', 'y', 2, '1')] },
    ],
    ['one seed', { cells: [cell('a', 'x', 1, '1'), cell('a', 'x', 2)] }],
    ...(
      [
        ['without a seed', { variants: [sends(false)] }],
        ['as a probe says', { probes: [probed('a', { seed: { ...SEED, code: 'ignored' } })] }],
        ['edits that did nothing', { trials: [edited(true), edited(false)] }],
      ] as const
    ).map(([is, change]): Case => [is, { cells: [cell('a', 'x', 1, '1'), cell('a', 'x', 2, '1')], ...change }]),
    [
      'of each variant as many prompts as there are, void where it is all of them',
      {
        variants: THREE,
        probes: [probed('a', { seed: SEED }), probed('b', {})],
        trials: [edited(false)],
        cells: [
          ...['a', 'b', 'c'].flatMap((name) => [cell(name, 'x', 1, '1'), cell(name, 'x', 2, '1')]),
          ...['a', 'b', 'c'].flatMap((name) => [cell(name, 'y', 1, '1'), cell(name, 'y', 2, name === 'b' ? '2' : '1')]),
          ...[cell('a', 'z', 1, '1'), cell('a', 'z', 2)],
        ],
      },
      { ...VOID, variants: ['a', 'c'], prompts: 2, ofPrompts: 2 },
      { variants: ['b'], prompts: 1, ofPrompts: 2 },
    ],
  ],
  seed_not_honoured: [
    ['equal takes', { variants: claims('exact'), cells: levelled('byte', 'pixel', null) }],
    [
      'other takes',
      { variants: claims('exact'), cells: levelled('near', 'pixel', null) },
      { ...A, cells: 1, ofCells: 2 },
    ],
    ['nothing claimed', { variants: claims('similar'), cells: levelled('near') }],
    ['no seed sent', { variants: claims('exact', false), cells: levelled('near') }],
    ['of several models', { variants: claims('exact'), cells: levelled('near'), trials: model('x', 'y') }],
    [
      'of one model',
      { variants: claims('exact'), cells: levelled('near'), trials: model('x') },
      { ...A, cells: 1, ofCells: 1 },
    ],
    ...(
      [
        { seed: { ...SEED, code: 'unstable' } },
        { seed: { ...SEED, code: 'similar' } },
        { load: { ...LOAD, code: 'batch_dependent' } },
      ] as const
    ).map(
      (found): Case => [
        `as a probe says: ${JSON.stringify(found)}`,
        { variants: claims('exact'), cells: levelled('near'), probes: [probed('b', {}), probed('a', found)] },
      ],
    ),
    [
      'as a probe says of another variant',
      {
        variants: claims('exact'),
        cells: levelled('near'),
        probes: [probed('b', { seed: { ...SEED, code: 'similar' } })],
      },
      { ...A, cells: 1, ofCells: 1 },
    ],
  ],
  seed_ignored: seedCases('ignored', ['exact', 'similar'], VOID),
  seed_unstable: seedCases('unstable', ['exact', 'similar']),
  seed_similar: seedCases('similar', ['exact']),
  served_from_cache: [
    ['no sign', { probes: [probed('a', { cache: CACHE }), probed('b', {})] }],
    [
      'cached',
      { probes: [probed('a', { cache: { ...CACHE, code: 'cached' } })] },
      { ...A, cache: { ...CACHE, code: 'cached' } },
    ],
  ],
  service_stalled: [
    ['ten times the median', { trials: [...repeat(9, () => slow(100)), slow(1000)] }],
    ['half a second more', { trials: [...repeat(9, () => slow(40)), slow(540)] }],
    ['too few takes', { trials: [...repeat(4, () => slow(100)), slow(1100)] }],
    ['no median', { trials: [...repeat(9, () => slow(0)), slow(1000)] }],
    ['too few hidden calls', { trials: [...repeat(1010, () => slow(100)), slow(1100)] }],
    ['open load', { plan: OPEN, trials: [...repeat(9, () => slow(100)), slow(1100)] }],
    ['a failed take', { trials: [...repeat(9, () => slow(100)), slow(1100, { outcome: 'error' })] }],
    ['too few, and one of two processes', { trials: [...repeat(4, () => slow(100)), slow(1100), slow(null)] }],
    ['a take of two processes', { trials: [...repeat(9, () => slow(100)), slow(null)] }],
    ['above ten times the median', { trials: [...repeat(5, () => slow(100)), slow(1100)] }, stalled(100, 1100, 10, 6)],
    ['above half a second more', { trials: [...repeat(9, () => slow(40)), slow(600)] }, stalled(40, 600, 14, 10)],
    ['enough hidden calls', { trials: [...repeat(990, () => slow(100)), slow(1100)] }, stalled(100, 1100, 10, 991)],
  ],
  single_takes: [
    ['one repeat', { plan: { ...PLAN, repeats: 1 } }, {}],
    ['two repeats', { plan: { ...PLAN, repeats: 2 } }],
  ],
  too_many_late_stamps: [
    ['none late', { variants: TWO, trials: repeat(20, () => take()) }],
    [
      'of two variants one agrees',
      {
        variants: TWO,
        trials: [...lateTakes('a', 100), ...lateTakes('b', 100)],
        flagged: [flagged('a', 30, true), flagged('b', 30, false)],
      },
      late({ unfit: 'latencies', ofVariants: 2 }, ['a', 30, true], ['b', 30, false]),
    ],
    [
      'not of a variant with few, where the whole run has too many',
      {
        variants: TWO,
        trials: [...lateTakes('a', 100), ...lateTakes('b', 100)],
        flagged: [flagged('a', 40, true), flagged('b', 4, true)],
      },
      late({ ofVariants: 2 }, ['a', 40, true]),
    ],
    [
      'of a variant with more than 5 %, where the whole run has too many',
      {
        variants: TWO,
        trials: [...lateTakes('a', 100), ...lateTakes('b', 100)],
        flagged: [flagged('a', 40, true), flagged('b', 6, true)],
      },
      late({ ofVariants: 2 }, ['a', 40, true], ['b', 6, true]),
    ],
    ['of 6 % that are few', { trials: lateTakes('a', 100), flagged: [flagged('a', 6, true)] }],
    [
      'of other flags',
      { trials: lateTakes('a', 100), flagged: [{ ...flagged('a', 0, false), flags: { orphans: 50 } }] },
    ],
    [
      'one, which moves the median',
      { trials: lateTakes('a', 100), flagged: [flagged('a', 1, false)] },
      late({ unfit: 'latencies' }, ['a', 1, false]),
    ],
    [
      'of a variant that is a small part of the run',
      { variants: TWO, trials: [...lateTakes('a', 100), ...lateTakes('b', 2000)], flagged: [flagged('a', 30, true)] },
      late({ ofVariants: 2 }, ['a', 30, true]),
    ],
    [
      'of one step, where another flag moves the median of another',
      {
        trials: lateTakes('a', 100),
        flagged: [flagged('a', 30, true), { ...flagged('a', 0, false), flags: { orphans: 9 } }],
      },
      late({}, ['a', 30, true]),
    ],
  ],
  unanswered_requests: [
    ['none', {}],
    ['one', { unanswered: 1 }, { requests: 1 }],
  ],
  unchanged_edits: [
    ['not compared', { trials: [take(), edited(null)] }],
    ['changed', { trials: [edited(false)] }],
    ['one of two', { trials: [edited(true), edited(false), edited(null)] }, { ...A, edits: 1, ofEdits: 2 }],
    ['all', { trials: [edited(true)] }, { ...VOID, ...A, edits: 1, ofEdits: 1 }],
  ],
  undecodable_outputs: [
    ['other failures', { failures: [failed('a')] }],
    [
      'a group for each reason, each variant once',
      {
        failures: [
          ...[failed('a', { undecodable: TORN, count: 2 }), failed('b', { undecodable: { code: 'unknown_format' } })],
          ...[failed('a', { undecodable: TORN, count: 1, httpStatus: 201 }), failed('c')],
        ],
      },
      { variants: ['a'], outputs: 3, reason: TORN },
      { variants: ['b'], outputs: 6, reason: { code: 'unknown_format' } },
    ],
  ],
  unfit_machine: [
    ['not calibrated', {}],
    ['fit shards', shards(2, { merged: [unfit(1), unfit(2)] })],
    [
      'of shards each kind of reason, the worst first',
      shards(4, {
        merged: [
          ...[unfit(4, loaded(9, 3)), unfit(1, loaded(8, 4), wakes(6)), unfit(3, wakes(7)), unfit(2, loaded(9, 3))],
        ],
      }),
      { shards: [2, 4, 1], reason: loaded(9, 3) },
      { shards: [3, 1], reason: wakes(7) },
    ],
  ],
  value_ends: [
    ['nothing known', {}],
    ['later', { variants: [variant('a', { retires: [LATER] })] }],
    ['soon', { variants: [variant('a', { retires: [LATER, SOON] })] }, { ...A, retirement: SOON, day: '2026-11-20' }],
  ],
  variants_left_out: [
    ['none', {}],
    [
      'a group for each reason',
      { leftOut: [leftOut('a', 'libx264'), leftOut('b', 'libx264'), leftOut('c', 'libx265')] },
      { variants: ['a', 'b'], reason: { code: 'no_video_encoder', encoder: 'libx264' } },
      { variants: ['c'], reason: { code: 'no_video_encoder', encoder: 'libx265' } },
    ],
  ],
  warmup_failed: [
    ['ok or blank', { variants: TWO, warmups: [take(), take({ ...of('b'), outcome: 'blank' })] }],
    ['not sent', { variants: TWO, warmups: [] }],
    ['not planned', { plan: load({ warmup: 0 }), warmups: [take({ outcome: 'error' })] }],
    [
      'of one of two',
      { variants: TWO, warmups: [take(), take({ ...of('b'), outcome: 'error' })] },
      { variants: ['b'] },
    ],
  ],
};

holds(CASES);
