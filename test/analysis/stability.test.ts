import { describe, expect, it } from 'vitest';
import { metricsOf } from '../../src/analysis/metrics.ts';
import type { LevelOfPair } from '../../src/analysis/pair-levels.ts';
import { baselineFrom, stabilityOfVariants } from '../../src/analysis/stability.ts';
import { stabilityOf } from '../../src/analysis/stability-of.ts';
import { assess } from '../../src/gate/assess.ts';
import { DEFAULT_LIMITS, type HeldLevel } from '../../src/media/level.ts';
import type { BaselineCell, BaselineOutput } from '../../src/record/kept-run.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

const hex = (digit: string) => digit.repeat(64);

/** The cells of a variant, one a seed. Of each output: a digit for its bytes, its pixels, its takes, its PDQ hash. */
function cellsOf(outputs: readonly string[], more: Partial<BaselineOutput> = {}): BaselineCell[] {
  return outputs.map((words, at) => {
    const own = [...words.matchAll(/\w+/g)].map(([[bytes = '', pixels = '', takes = '2', pdq = '0']]) => ({
      ...{ sha256: hex(bytes), pixelSha256: hex(pixels), pdq: hex(pdq), pdqQuality: 90, takes: Number(takes), ...more },
    }));
    const takes = own.reduce((sum, each) => sum + each.takes, 0);
    const cell = { variant: 'fast', kind: 'text-to-image', prompt: 'fox', seed: at + 1, takes, censored: 0 } as const;
    return { ...cell, values: {}, outputs: own };
  });
}

const BEFORE = ['aa'];

function found(
  now: readonly BaselineCell[],
  before: readonly string[],
  level: HeldLevel,
  levelOf: LevelOfPair = () => null,
) {
  const { changed, ...counts } = stabilityOf(now, cellsOf(before), level, { limits: DEFAULT_LIMITS, levelOf });
  return { ...counts, changed: changed.length };
}

describe('the stability of cells', () => {
  it.each<[what: string, now: readonly string[], before: readonly string[], level: HeldLevel, expected: object]>([
    ['the same bytes', BEFORE, BEFORE, 'byte', { common: 1, stable: 1, compared: 1, changed: 0, unknown: 0 }],
    ['the same bytes', BEFORE, BEFORE, 'related', { common: 1, stable: 1, compared: 1, changed: 0, unknown: 0 }],
    ['other bytes of equal pixels', ['ba'], BEFORE, 'byte', { changed: 1 }],
    ['other bytes of equal pixels', ['ba'], BEFORE, 'pixel', { changed: 0 }],
    ['other bytes of equal pixels', ['ba'], BEFORE, 'near', { compared: 1, changed: 0 }],
    ['one take that departs', ['aa cc1'], BEFORE, 'pixel', { compared: 1, changed: 0 }],
    [
      'unstable cells, and single takes',
      ['dd', 'dd'],
      ['aa cc1', 'aa1'],
      'pixel',
      { common: 2, stable: 0, compared: 0 },
    ],
    ['equal pixels in other bytes', BEFORE, ['aa1 ba1'], 'pixel', { stable: 1, changed: 0 }],
    ['equal pixels in other bytes', BEFORE, ['aa1 ba1'], 'byte', { stable: 0 }],
    ['nothing delivered, and a cell that the baseline lacks', ['', 'aa'], BEFORE, 'pixel', { common: 1, compared: 0 }],
  ])('the stability of %s: %j against %j at %s', (_, now, before, level, expected) => {
    expect(found(cellsOf(now), before, level)).toMatchObject(expected);
  });

  it('other pixels: are related up to 31 bits of PDQ, unless an image says too little', () => {
    const at = (bits: number, level: HeldLevel, pdqQuality = 90) => {
      const pdq = (2n ** BigInt(bits) - 1n).toString(16).padStart(64, '0');
      return found(cellsOf(['bb'], { pdq, pdqQuality }), BEFORE, level);
    };
    expect([at(31, 'pixel'), at(31, 'related'), at(32, 'related')].map(({ changed }) => changed)).toEqual([1, 0, 1]);
    expect(at(32, 'related', 49)).toMatchObject({ stable: 1, compared: 0, changed: 0 });
  });

  it('near and similar: are told by what examination found of the two outputs, and by nothing else', () => {
    const at = (level: HeldLevel, seen: ReturnType<LevelOfPair>) => found(cellsOf(['bb']), BEFORE, level, () => seen);
    expect(at('near', 'near')).toMatchObject({ stable: 1, compared: 1, changed: 0, unknown: 0 });
    expect(at('near', 'similar')).toMatchObject({ compared: 1, changed: 1 });
    expect(at('similar', 'near')).toMatchObject({ compared: 1, changed: 0 });
    expect(at('similar', null)).toMatchObject({ stable: 1, compared: 0, unknown: 1 });
  });
});

const TWO = ['aa', 'bb'];
const VARYING = ['aa', 'bb1 cb1'];

describe('the stability of variants', () => {
  it.each<[what: string, now: readonly string[], before: readonly string[], expected: object]>([
    ['the same bytes', TWO, TWO, { level: 'byte', cells: 2, common: 2, stable: 2, compared: 2, changed: 0 }],
    ['other bytes of the same pixels', ['ca', 'bb'], TWO, { level: 'pixel', compared: 2, changed: 0 }],
    ['other pixels, however related', ['cc', 'db'], TWO, { level: 'pixel', compared: 2, changed: 1 }],
    ['a change where only pixels are stable', ['aa', 'dd'], VARYING, { level: 'pixel', stable: 2, changed: 1 }],
    ['no change where only pixels are stable', ['aa', 'db'], VARYING, { level: 'pixel', stable: 2, changed: 0 }],
    [
      'unstable, undelivered and unknown cells',
      ['aa', 'bb', '', 'ee'],
      ['aa', 'bb cc2f', 'dd'],
      { level: 'byte', cells: 4, common: 3, stable: 2, compared: 1, changed: 0 },
    ],
    [
      'related outputs where nothing else is stable',
      ['cc'],
      ['aa1 bb1'],
      { level: 'related', compared: 1, changed: 0 },
    ],
    ['no common cell', ['aa'], [], { cells: 1, common: 0, stable: 0, compared: 0, changed: 0 }],
  ])(
    'the stability of a variant is told at the level that it had, and only where it has cells: %s',
    (_, now, before, expected) => {
      const { run } = scriptedRun(ORDINARY);
      const metrics = metricsOf([]);
      const { analysed } = assess(scriptedRun(ORDINARY), metrics);
      const baseline = { ...baselineFrom(run, analysed, metrics), cells: cellsOf(before) };
      const against = { baseline, cells: cellsOf(now), levelOf: analysed.levelOf, missing: [] };
      const variants = ['fast', 'unmeasured'].map((name) => ({ name, levels: DEFAULT_LIMITS }));
      const stability = stabilityOfVariants(against, variants, []);
      expect(stability.map((each) => ({ ...each, changed: each.changed.length }))).toMatchObject([
        { variant: 'fast', ...expected },
      ]);
    },
  );
});
