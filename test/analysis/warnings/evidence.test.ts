import { EVIDENCE } from '../../../src/analysis/warnings/evidence.ts';
import type { UnexaminedReason } from '../../../src/record/fact.ts';
import { digestOf } from '../../fixtures/stored-run-builder.ts';
import {
  A,
  asksSize,
  blind,
  DIED,
  edited,
  ending,
  flagged,
  holds,
  LATER,
  load,
  of,
  output,
  PLAN,
  probed,
  repeat,
  SOON,
  sized,
  TWO,
  take,
  uncompared,
  variant,
} from '../../fixtures/warning-evidence.ts';

const otherSize = (width: number, height: number, asked: string) => ({ ...A, outputs: 1, asked, width, height });
const deprecated = (deprecatedOn: string | null) =>
  take({ sample: { reported: { ...take().sample.reported, end: { deprecatedOn, endsOn: null, successor: '/v3' } } } });
const NO_PACKAGE: UnexaminedReason = { code: 'package_missing', package: 'node-av', needed: 'video' };
const NO_DECODER: UnexaminedReason = { code: 'not_supported', detail: 'no codec' };

holds('evidence', EVIDENCE, {
  not_warmed_up: [
    ['a warm-up', { plan: load({ warmup: 1 }) }],
    ['none', { plan: load({ warmup: 0 }) }, {}],
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
  flagged_samples: [
    [
      'without those of a variant whose cache was found',
      {
        trials: [take({ flags: ['cached'] }), take({ ...of('b'), flags: ['cached'] }), take({ flags: ['resumed'] })],
        probes: [probed('cached'), probed('no_sign', { variant: 'b' })],
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
    [
      'what a package is missing for, and a format that is not known',
      {
        trials: [blind({}, { mime: 'video/mp4', undecoded: NO_PACKAGE }), blind({}, { undecoded: NO_DECODER })],
      },
      { variants: ['a'], outputs: 1, media: 'video', reason: NO_PACKAGE },
      { variants: ['a'], outputs: 1, media: 'image', reason: NO_DECODER },
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
  single_takes: [
    ['one repeat', { plan: { ...PLAN, repeats: 1 } }, {}],
    ['two repeats', { plan: { ...PLAN, repeats: 2 } }],
  ],
  value_ends: [
    ['nothing known', {}],
    ['later', { variants: [variant('a', { retires: [LATER] })] }],
    ['for a successor', { variants: [variant('a', { retires: [{ ...SOON, to: 'n' }] })] }, { ...A, ...SOON, to: 'n' }],
    ['soon', { variants: [variant('a', { retires: [LATER, SOON] })] }, { ...A, ...SOON }],
  ],
  end_announced: [
    ['nothing said', { trials: [take()] }],
    [
      'an end without a day',
      { trials: [deprecated(null)] },
      { ...A, deprecatedOn: null, endsOn: null, successor: '/v3' },
    ],
    [
      'since a day',
      { trials: [deprecated('2026-10-06')] },
      { ...A, deprecatedOn: '2026-10-06', endsOn: null, successor: '/v3' },
    ],
    [
      'the last reply that says so counts',
      { trials: [ending('2027-01-01'), ending('2027-02-01'), take()] },
      { ...A, deprecatedOn: null, endsOn: '2027-02-01', successor: null },
    ],
  ],
});
