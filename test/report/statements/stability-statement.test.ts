import { expect, test } from 'vitest';
import type { VariantStability } from '../../../src/analysis/stability.ts';
import { stabilitySentences } from '../../../src/report/sameness-statement.ts';

type Counts = Omit<VariantStability, 'changed'> & { readonly changed: number };

function stability(variant: string, found: Partial<Counts> = {}): VariantStability {
  const { changed = 0, ...counts } = found;
  const cells = Array.from({ length: changed }, (_, at) => ({ prompt: at < 6 ? 'fox' : 'cat', seed: at + 1 }));
  return { variant, level: 'byte', cells: 12, common: 12, stable: 12, compared: 12, ...counts, changed: cells };
}

test('no stored baseline has no sentence', () => {
  expect(stabilitySentences([])).toEqual([]);
});

test('variants that still give the outputs of the stored baseline share a sentence for their level', () => {
  expect(stabilitySentences([stability('standard'), stability('fast')])).toEqual([
    'Usual outputs of each variant are byte-identical to those of the stored baseline in 24 of 24 cells',
  ]);
  expect(stabilitySentences([stability('standard'), stability('fast', { level: 'pixel' })])).toEqual([
    'Usual outputs of standard are byte-identical to those of the stored baseline in 12 of 12 cells',
    'Usual outputs of fast are pixel-identical to those of the stored baseline in 12 of 12 cells',
  ]);
});

test('variants whose outputs changed come first, the largest share of cells first', () => {
  expect(
    stabilitySentences([
      stability('standard'),
      stability('fast', { level: 'pixel', changed: 3 }),
      stability('tiny', { level: 'pixel', changed: 12 }),
    ]),
  ).toEqual([
    'Usual outputs of tiny differ from those of the stored baseline in 12 of 12 cells (not pixel-identical: fox and cat)',
    'Usual outputs of fast differ from those of the stored baseline in 3 of 12 cells (not pixel-identical: fox)',
    'Usual outputs of standard are byte-identical to those of the stored baseline in 12 of 12 cells',
  ]);
});

test('many variants whose outputs changed are counted beyond those that changed most', () => {
  const many = Array.from({ length: 8 }, (_, at) => stability(`v${at}`, { level: 'pixel', changed: at + 1 }));
  expect(stabilitySentences(many).map((sentence) => sentence.replace(/ differ.*/, ''))).toEqual([
    'Usual outputs of v7',
    'Usual outputs of v6',
    'Usual outputs of v5',
    'Usual outputs of 5 more variants',
  ]);
});

test('cells that were not compared are named apart, with the reason', () => {
  expect(
    stabilitySentences([stability('fast', { level: 'pixel', changed: 1, cells: 14, stable: 10, compared: 9 })]),
  ).toEqual([
    'Usual outputs of fast differ from those of the stored baseline in 1 of 9 cells (not pixel-identical: fox); not compared: 2 cells not stable in it, 1 cell without an output to compare and 2 cells not in it',
  ]);
  expect(
    stabilitySentences([stability('standard', { common: 10, stable: 10, compared: 10 }), stability('fast')]),
  ).toEqual([
    'Usual outputs of each variant are byte-identical to those of the stored baseline in 22 of 22 cells; not compared: 2 cells not in it',
  ]);
});

test('variants without a compared cell are never called equal', () => {
  expect(
    stabilitySentences([
      stability('standard'),
      stability('fast', { stable: 0, compared: 0 }),
      stability('new', { common: 0, stable: 0, compared: 0 }),
    ]),
  ).toEqual([
    'Usual outputs of standard are byte-identical to those of the stored baseline in 12 of 12 cells',
    'Usual outputs of each of fast and new were not compared with those of the stored baseline: 12 cells not stable in it and 12 cells not in it',
  ]);
});
