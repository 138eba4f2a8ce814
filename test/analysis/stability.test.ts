import { describe, expect, it } from 'vitest';
import type { LevelOfPair } from '../../src/analysis/pair-levels.ts';
import { stabilityOf } from '../../src/analysis/stability-of.ts';
import { DEFAULT_LIMITS, type HeldLevel } from '../../src/media/level.ts';
import type { BaselineCell, BaselineOutput } from '../../src/record/kept-run.ts';

const hex = (digit: string) => digit.repeat(64);

/** Bytes and pixels by a digit each; PDQ with so many bits set. */
function output(bytes: string, pixels: string, { takes = 2, bits = 0, quality = 90 } = {}): BaselineOutput {
  const pdq = (2n ** BigInt(bits) - 1n).toString(16).padStart(64, '0');
  return { sha256: hex(bytes), pixelSha256: hex(pixels), pdq, pdqQuality: quality, takes };
}

function cell(outputs: readonly BaselineOutput[], seed = 1, prompt = 'fox'): BaselineCell {
  const takes = outputs.reduce((sum, each) => sum + each.takes, 0);
  return { variant: 'fast', kind: 'text-to-image', prompt, seed, takes, censored: 0, values: {}, outputs };
}

const found = (
  now: readonly BaselineCell[],
  before: readonly BaselineCell[],
  level: HeldLevel = 'pixel',
  levelOf: LevelOfPair = () => null,
) => {
  const { changed, ...counts } = stabilityOf(now, before, level, { limits: DEFAULT_LIMITS, levelOf });
  return { ...counts, changed: changed.length };
};

describe('stability', () => {
  const before = [cell([output('a', 'a')])];

  it('the same bytes: match at every level', () => {
    for (const level of ['byte', 'pixel', 'related'] as const) {
      expect(found(before, before, level)).toEqual({ common: 1, stable: 1, compared: 1, changed: 0, unknown: 0 });
    }
  });

  it('other bytes of equal pixels: change at byte only', () => {
    const now = [cell([output('b', 'a')])];
    expect(['byte', 'pixel', 'related'].map((level) => found(now, before, level as HeldLevel).changed)).toEqual([
      1, 0, 0,
    ]);
  });

  it('other pixels: are related up to 31 bits of PDQ, unless an image says too little', () => {
    const now = (bits: number, quality = 90) => [cell([output('b', 'b', { bits, quality })])];
    expect(found(now(31), before, 'pixel').changed).toBe(1);
    expect(found(now(31), before, 'related').changed).toBe(0);
    expect(found(now(32), before, 'related').changed).toBe(1);
    expect(found(now(32, 49), before, 'related')).toMatchObject({ stable: 1, compared: 0, changed: 0 });
  });

  it('the usual output counts: one take that departs is no change', () => {
    const now = [cell([output('a', 'a', { takes: 2 }), output('c', 'c', { takes: 1 })])];
    expect(found(now, before)).toMatchObject({ compared: 1, changed: 0 });
  });

  it('a cell that was not stable in the baseline, or had one take: is not counted', () => {
    const unstable = cell([output('a', 'a', { takes: 2 }), output('c', 'c', { takes: 1 })], 1);
    const single = cell([output('a', 'a', { takes: 1 })], 2);
    const now = [cell([output('d', 'd')], 1), cell([output('d', 'd')], 2)];
    expect(found(now, [unstable, single])).toMatchObject({ common: 2, stable: 0, compared: 0, changed: 0 });
  });

  it('a cell with equal pixels in other bytes: is stable at pixel, not at byte', () => {
    const noisy = [cell([output('a', 'a', { takes: 1 }), output('b', 'a', { takes: 1 })])];
    expect(found(before, noisy, 'pixel')).toMatchObject({ stable: 1, changed: 0 });
    expect(found(before, noisy, 'byte')).toMatchObject({ stable: 0 });
  });

  it('a cell that delivered nothing, or that the baseline lacks: is not compared', () => {
    const now = [cell([], 1), cell([output('a', 'a')], 7)];
    expect(found(now, before)).toMatchObject({ common: 1, stable: 1, compared: 0, changed: 0 });
  });

  it('near and similar: are told by what examination found of the two outputs, and by nothing else', () => {
    const now = [cell([output('b', 'b')])];
    const at = (level: HeldLevel, seen: ReturnType<LevelOfPair>) => found(now, before, level, () => seen);
    expect(at('near', 'near')).toMatchObject({ stable: 1, compared: 1, changed: 0, unknown: 0 });
    expect(at('near', 'similar')).toMatchObject({ compared: 1, changed: 1 });
    expect(at('similar', 'near')).toMatchObject({ compared: 1, changed: 0 });
    expect(at('similar', null)).toMatchObject({ stable: 1, compared: 0, unknown: 1 });
    // Equal pixels need no comparison.
    expect(found([cell([output('b', 'a')])], before, 'near')).toMatchObject({ compared: 1, changed: 0 });
  });
});
