import { INPUTS } from '../../../src/analysis/warnings/inputs.ts';
import {
  A,
  asks,
  cell,
  edited,
  holds,
  model,
  THREE,
  TWO,
  take,
  VOID,
  variant,
} from '../../fixtures/warning-evidence.ts';

const SAMPLERS = [
  variant('a', { constants: { sampler: 'x' } }),
  variant('b', { constants: { sampler: 'y' } }),
] as const;
const both = (seed: number, ofA: string, ofB: string) => [cell('a', 'x', seed, ofA), cell('b', 'x', seed, ofB)];
const SAME = both(1, '1', '1');
const SEVEN = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

holds('inputs', INPUTS, {
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
  unchanged_edits: [
    ['not compared', { trials: [take(), edited(null)] }],
    ['changed', { trials: [edited(false)] }],
    ['one of two', { trials: [edited(true), edited(false), edited(null)] }, { ...A, edits: 1, ofEdits: 2 }],
    ['all', { trials: [edited(true)] }, { ...VOID, ...A, edits: 1, ofEdits: 1 }],
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
    ['the same by declaration', { variants: TWO, cells: SAME }],
    ['of two endpoints', { variants: [SAMPLERS[0], { ...SAMPLERS[1], baseUrl: 'http://other.test' }], cells: SAME }],
    ['of which one common cell differs', { variants: SAMPLERS, cells: [...SAME, ...both(2, 'p', 'q')] }],
    ['without a common cell', { variants: SAMPLERS, cells: [cell('a', 'x', 1, '1'), cell('b', 'x', 2, '1')] }],
    [
      'so many that they are counted',
      {
        variants: SEVEN.map((name, at) => variant(name, { constants: { steps: at } })),
        cells: SEVEN.map((name) => cell(name, 'x', 1, '1')),
      },
      { ...VOID, variants: SEVEN, cells: 1, constants: [{ name: 'steps', values: [0, 1, 2, 3, 4, 5, 6] }] },
    ],
  ],
});
