import type { VariantSummary } from '../../../src/analysis/summaries.ts';
import { MISSING } from '../../../src/analysis/warnings/missing.ts';
import type { Evidence } from '../../../src/analysis/warnings/warning-rule.ts';
import { buildShown } from '../../fixtures/stored-run-builder.ts';
import {
  A,
  BASED,
  blocks,
  brought,
  type Case,
  failed,
  holds,
  leftOut,
  many,
  OPEN,
  of,
  output,
  RUN,
  repeat,
  SOON,
  TORN,
  TWO,
  take,
  variant,
} from '../../fixtures/warning-evidence.ts';

const pairs = (pairs: number, variantMissing: number, baselineMissing: number) => ({
  ...{ variants: ['b'], baseline: 'a', pairs, variantMissing, baselineMissing },
});
const stopped = (stop: typeof RUN.stop, change: Partial<typeof RUN> = {}): Partial<Evidence> => ({
  run: { ...RUN, complete: false, stop, ...change },
  variants: half(40),
});
const half = (missing: number, outcomes: VariantSummary['outcomes'] = {}) => [
  variant('a', { missing, plannedTrials: 100, outcomes }),
];
const SOUND = output({});
const BLANK = output({ shown: { ...buildShown('blank'), blank: true } });
const torn = (undecodable: NonNullable<typeof SOUND.undecodable> = TORN) => output({ shown: null, undecodable });
const asking = (asks: number) => [variant('a', { asks })];
const REFUSED = { httpStatus: 401, errorCode: 'no_key', message: 'no such key' };
const sixFailed = (change: object) => ({
  ...{ ...A, failed: 6, takes: 100, outcome: 'error', errorCode: 'E7', httpStatus: 500 },
  ...change,
});

holds('missing', MISSING, {
  incomplete: [
    ['a complete run', { run: { ...RUN, complete: true } }],
    ['whose process was killed', stopped(null), { missing: 40, planned: 100, missingProbes: 0 }],
    [
      'at a limit, with probes that were not sent',
      { ...stopped({ reason: 'requests', limit: 5 }, { missingProbes: 3 }), variants: half(39, { cancelled: 1 }) },
      { missing: 40, planned: 100, missingProbes: 3 },
    ],
    [
      'without a variant that was abandoned',
      {
        ...stopped({ reason: 'finished' }),
        variants: [
          variant('b', { abandoned: { ...REFUSED, code: 'rejected', takes: 3 }, missing: 40, plannedTrials: 100 }),
        ],
      },
      { missing: 40, planned: 100, missingProbes: 0 },
    ],
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
  unanswered_requests: [
    ['none', {}],
    ['one', { unanswered: 1 }, { requests: 1 }],
  ],
  defects: [
    ['none', { variants: many(0, 9) }],
    ['one', { variants: [variant('a', { outcomes: { defect: 1 } })] }, { trials: 1 }],
    [
      'of two variants',
      { variants: [variant('a', { outcomes: { defect: 1 } }), variant('b', { outcomes: { defect: 2 } })] },
      { trials: 3 },
    ],
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
      sixFailed({}),
    ],
    ['no known failure', { variants: many(6, 94) }, sixFailed({ outcome: null, errorCode: null, httpStatus: null })],
    [
      'what is gone has ended',
      { variants: many(6, 94, { retires: [SOON] }), failures: [failed('a', { httpStatus: 404 })] },
      sixFailed({ httpStatus: 404 }),
    ],
    [
      'what is gone has no known end',
      { variants: many(6, 94), failures: [failed('a', { httpStatus: 410 })] },
      sixFailed({ httpStatus: 410 }),
    ],
    [
      'another failure of what ends',
      { variants: many(6, 94, { retires: [SOON] }), failures: [failed('a')] },
      sixFailed({}),
    ],
    [
      'what is gone has a successor',
      { variants: many(6, 94, { retires: [{ ...SOON, to: 'n' }] }), failures: [failed('a', { httpStatus: 410 })] },
      sixFailed({ httpStatus: 410 }),
    ],
    ...(
      [
        { outcome: 'rejected', code: 'no_key', httpStatus: 401 },
        { outcome: 'rejected', code: 'forbidden', httpStatus: 403 },
        { outcome: 'rejected', code: 'rejected', httpStatus: 422, message: 'size must be even' },
        { outcome: 'timed_out', code: '', httpStatus: null, message: 'limits.timeout of 10 s' },
        { outcome: 'error', code: 'E7', httpStatus: 500, count: 1, undecodable: TORN },
      ] as const
    ).map(
      (failure): Case => [
        `most often ${JSON.stringify(failure)}`,
        { variants: many(6, 94), failures: [failed('a', failure)] },
        sixFailed({ outcome: failure.outcome, errorCode: failure.code, httpStatus: failure.httpStatus }),
      ],
    ),
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
      { variants: ['b'], baseline: 'b@baseline', pairs: 20, variantMissing: 0, baselineMissing: 10 },
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
  undecodable_outputs: [
    ['outputs that decode', { trials: [take()] }],
    [
      'a group for each reason, each variant once, with outputs behind a first one that decodes',
      {
        trials: [
          ...[brought(torn(), SOUND, torn()), take({ ...of('b'), output: torn({ code: 'unknown_format' }) })],
          brought(SOUND, torn()),
        ],
      },
      { variants: ['a'], outputs: 3, reason: TORN },
      { variants: ['b'], outputs: 1, reason: { code: 'unknown_format' } },
    ],
    [
      'for a reason that says nothing',
      { trials: [brought(torn({ ...TORN, detail: '' }))] },
      { variants: ['a'], outputs: 1, reason: { ...TORN, detail: '' } },
    ],
  ],
  other_output_count: [
    ['as many as asked for, and a take without any', { variants: asking(1), trials: [take(), brought()] }],
    ['a target that does not say', { trials: [brought(SOUND, SOUND)] }],
    [
      'fewer and more, the most frequent number first',
      {
        variants: asking(2),
        trials: [
          ...repeat(36, () => brought(SOUND, SOUND)),
          ...[brought(SOUND, SOUND, SOUND), ...repeat(3, () => brought(SOUND))],
        ],
      },
      {
        ...{ ...A, asks: 2, takes: 40 },
        got: [
          { outputs: 1, takes: 3 },
          { outputs: 3, takes: 1 },
        ],
      },
    ],
  ],
  blank_outputs: [
    ['none', { trials: [take()] }],
    [
      'of two variants and media, and behind a first one that is not blank',
      {
        trials: [
          ...['fox', 'fox', 'cat'].map((prompt) => take({ outcome: 'blank', trial: { prompt }, output: BLANK })),
          brought(SOUND, BLANK),
          take({ ...of('b'), outcome: 'blank', output: { ...BLANK, mime: 'video/mp4' } }),
        ],
      },
      { ...A, outputs: 4, prompts: 2 },
      { variants: ['b'], outputs: 1, prompts: 1 },
    ],
  ],
});
