import { SEEDS } from '../../../src/analysis/warnings/seeds.ts';
import {
  A,
  type Case,
  cell,
  claims,
  edited,
  holds,
  LOAD,
  levelled,
  means,
  model,
  omitting,
  PLAN,
  probed,
  SEED,
  sends,
  skipped,
  skipping,
  THREE,
  take,
  told,
  unsure,
  VOID,
  variant,
} from '../../fixtures/warning-evidence.ts';

const CLAIMS = ['exact', 'similar', 'none'] as const;

/** A finding of the seed probe by what the target claims; of another variant it says nothing. */
function seedCases(code: 'ignored' | 'unstable' | 'similar', told: readonly string[], unfit = {}): readonly Case[] {
  const seed = { ...SEED, code, within: 'similar' as const };
  const probes = [probed('a', { seed }), probed('b', {})];
  return [
    ...CLAIMS.map((claim): Case => {
      const found = told.includes(claim) ? [{ ...unfit, ...A }] : [];
      return [`where the claim is ${claim}`, { variants: [variant('b'), ...claims(claim)], probes }, ...found];
    }),
    ['where the seed is exact', { variants: claims('exact'), probes: [probed('a', { seed: SEED })] }],
  ];
}
/** A take of a seed with the number that the service says was the seed. */
const echoing = (seed: number, seedEcho: string, isOther = false) =>
  take({
    trial: { seed },
    flags: isOther ? ['seed_echo'] : [],
    sample: { reported: { ...take().sample.reported, seedEcho } },
  });

holds('seeds', SEEDS, {
  seed_ignored: seedCases('ignored', ['exact', 'similar'], VOID),
  seed_unstable: seedCases('unstable', ['exact', 'similar']),
  seed_similar: seedCases('similar', ['exact']),
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
  other_seed_echoed: [
    ['none is said', { trials: [take()] }],
    ['the seed that was sent', { trials: [echoing(7, '7')] }],
    [
      'another, which nothing explains',
      { trials: [echoing(1, '1'), echoing(2, '0.5', true), echoing(3, '9', true)] },
      { ...A, samples: 2, ofSamples: 3, sent: 2, echoed: '0.5' },
    ],
    [
      'what is kept of 31 bits',
      { trials: [echoing(5, '5'), echoing(2 ** 31 + 7, '7', true)] },
      { ...A, samples: 1, ofSamples: 2, sent: 2 ** 31 + 7, echoed: '7' },
    ],
    [
      'the most that is kept',
      { trials: [echoing(7, '7'), echoing(2 ** 40, String(2 ** 31 - 1), true)] },
      { ...A, samples: 1, ofSamples: 2, sent: 2 ** 40, echoed: '2147483647' },
    ],
    [
      'a signed number',
      { trials: [echoing(7, '7'), echoing(2 ** 32 - 1, '-1', true)] },
      { ...A, samples: 1, ofSamples: 2, sent: 2 ** 32 - 1, echoed: '-1' },
    ],
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
  no_seed_sent: [
    ['a seed is sent', { plan: { ...PLAN, seeds: [1, 2] } }],
    ['one seed', { variants: [sends(false)] }],
    [
      'two seeds',
      { variants: [sends(false), variant('b')], plan: { ...PLAN, seeds: [1, 2] } },
      { variants: ['a'], seeds: [1, 2] },
    ],
  ],
  omitted_seed_constant: [
    ['declared random', { variants: means('random'), probes: [omitting('constant')] }, { variants: ['b'] }],
    ['as declared', { variants: means('constant'), probes: [omitting('constant')] }],
    ['random, as declared', { variants: means('random'), probes: [omitting('random')] }],
    ['without a probe', { variants: means('random'), probes: [probed('b', {})] }],
  ],
  omitted_seed_random: [
    ['declared constant', { variants: means('constant'), probes: [omitting('random')] }, { variants: ['b'] }],
    ['as declared', { variants: means('random'), probes: [omitting('random')] }],
    ['constant, as declared', { variants: means('constant'), probes: [omitting('constant')] }],
  ],
  batch_dependent: [
    ['not found', { probes: [probed('a', { load: LOAD }), probed('b', {})] }],
    [
      'found',
      {
        probes: [
          probed('a', { load: { ...LOAD, code: 'batch_dependent', cells: 10, changedConcurrent: 8, p: 0.004 } }),
        ],
      },
      A,
    ],
  ],
  probe_not_testable: [
    ['found', { probes: [probed('a', { seed: SEED })] }],
    ['without a reason', { probes: [probed('a', { seed: { ...unsure, reason: null } })] }],
    [
      'because of a cache',
      { probes: [probed('a', { load: { ...LOAD, code: 'not_testable', reason: { code: 'cached' } } })] },
      { ...A, probe: 'load' },
    ],
    ['left out', { ...skipping(skipped('seed', 'a', true)), probes: [probed('a', { seed: unsure })] }],
    ...[skipped('seed', 'a', false), skipped('load', 'a', true), skipped('seed', 'b', true)].map(
      (one): Case => [
        `beside another that was left out: ${JSON.stringify(one)}`,
        { ...skipping(one), probes: [probed('a', { seed: unsure })] },
        { ...A, probe: 'seed' },
      ],
    ),
  ],
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
      { probe: 'load', whole: true, variants: ['a', 'b'] },
      { probe: 'load', whole: false, variants: ['c'] },
      { probe: 'seed', whole: true, variants: ['a'] },
    ],
  ],
});
