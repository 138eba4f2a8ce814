import { SEEDS } from '../../../src/analysis/warnings/seeds.ts';
import {
  A,
  type Case,
  cell,
  claims,
  edited,
  holds,
  levelled,
  model,
  PLAN,
  probed,
  probedCases,
  sends,
  skipped,
  skipping,
  THREE,
  take,
  told,
  VOID,
  variant,
} from '../../fixtures/warning-evidence.ts';

/** A take of a seed with the number that the service says was the seed. */
const echoing = (seed: number, seedEcho: string, isOther = false) =>
  take({
    trial: { seed },
    flags: isOther ? ['seed_echo'] : [],
    sample: { reported: { ...take().sample.reported, seedEcho } },
  });

holds('seeds', SEEDS, {
  seed_ignored: probedCases('ignored', VOID),
  seed_unstable: probedCases('unstable'),
  seed_similar: probedCases('similar'),
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
    ...(['unstable', 'similar', 'batch_dependent'] as const).map(
      (code): Case => [
        `as a probe says: ${code}`,
        { variants: claims('exact'), cells: levelled('near'), probes: [probed('exact'), probed(code)] },
      ],
    ),
    [
      'as a probe says of another variant',
      { variants: claims('exact'), cells: levelled('near'), probes: [probed('similar', { variant: 'b' })] },
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
        ['as a probe says', { probes: [probed('ignored')] }],
        ['edits that did nothing', { trials: [edited(true), edited(false)] }],
      ] as const
    ).map(([is, change]): Case => [is, { cells: [cell('a', 'x', 1, '1'), cell('a', 'x', 2, '1')], ...change }]),
    [
      'of each variant as many prompts as there are, void where it is all of them',
      {
        variants: THREE,
        probes: [probed('exact'), probed('ignored', { remedy: null })],
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
  omitted_seed_constant: probedCases('constant'),
  omitted_seed_random: probedCases('random'),
  batch_dependent: probedCases('batch_dependent'),
  probe_not_testable: probedCases('not_testable'),
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
