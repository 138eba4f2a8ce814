import { describe, expect, it } from 'vitest';
import { metricsOf } from '../../../src/analysis/metrics.ts';
import { baselineFrom, stabilityOfVariants } from '../../../src/analysis/stability.ts';
import { assess } from '../../../src/gate/assess.ts';
import { DEFAULT_LIMITS } from '../../../src/media/level.ts';
import type { BaselineCell, BaselineOutput } from '../../../src/record/kept-run.ts';
import { ORDINARY, scriptedRun } from '../../fixtures/scripted-run.ts';

const hex = (digit: string) => digit.repeat(64);

/** An output by a digit for its bytes, one for its pixels, and one for its PDQ hash. */
function output([bytes = '0', pixels = '0', pdq = '0']: string, takes = 2): BaselineOutput {
  return { sha256: hex(bytes), pixelSha256: hex(pixels), pdq: hex(pdq), pdqQuality: 90, takes };
}

/** The cells of a variant, one a seed, each by its outputs. */
function cellsOf(variant: string, ...cells: readonly (readonly BaselineOutput[])[]): readonly BaselineCell[] {
  return cells.map((outputs, at) => {
    const takes = outputs.reduce((sum, each) => sum + each.takes, 0);
    return { variant, kind: 'text-to-image', prompt: 'fox', seed: at + 1, takes, censored: 0, values: {}, outputs };
  });
}

function found(now: readonly BaselineCell[], before: readonly BaselineCell[]) {
  const { run } = scriptedRun(ORDINARY);
  const metrics = metricsOf([]);
  const { analysed } = assess(scriptedRun(ORDINARY), metrics);
  const baseline = { ...baselineFrom(run, analysed, metrics), cells: before };
  const against = { baseline, cells: now, levelOf: analysed.levelOf, missing: [] };
  const names = [...new Set(now.map(({ variant }) => variant))];
  const variants = [...names, 'unmeasured'].map((name) => ({ name, levels: DEFAULT_LIMITS }));
  return stabilityOfVariants(against, variants, []).map((each) => ({ ...each, changed: each.changed.length }));
}

describe('the stability of variants', () => {
  const before = cellsOf('fast', [output('aaa')], [output('bbb')]);

  it('the same bytes are held at the level of bytes, and a variant without a cell is left out', () => {
    expect(found(before, before)).toEqual([
      { variant: 'fast', level: 'byte', cells: 2, common: 2, stable: 2, compared: 2, changed: 0 },
    ]);
  });

  it('other bytes of the same pixels are held at the level of pixels', () => {
    expect(found(cellsOf('fast', [output('caa')], [output('bbb')]), before)).toMatchObject([
      { level: 'pixel', compared: 2, changed: 0 },
    ]);
  });

  it('other pixels are a change, however related they are', () => {
    expect(found(cellsOf('fast', [output('cca')], [output('dbb')]), before)).toMatchObject([
      { level: 'pixel', compared: 2, changed: 1 },
    ]);
  });

  it('a change in a cell that is only stable in pixels is not hidden by cells that are stable in bytes', () => {
    const varying = cellsOf('fast', [output('aaa')], [output('bbb', 1), output('cbb', 1)]);
    expect(found(cellsOf('fast', [output('aaa')], [output('ddb')]), varying)).toMatchObject([
      { level: 'pixel', stable: 2, compared: 2, changed: 1 },
    ]);
    expect(found(cellsOf('fast', [output('aaa')], [output('dbb')]), varying)).toMatchObject([
      { level: 'pixel', stable: 2, compared: 2, changed: 0 },
    ]);
  });

  it('cells that were unstable, that delivered nothing, or that the baseline lacks are counted apart', () => {
    const some = cellsOf('fast', [output('aaa')], [output('bbb'), output('cc0')], [output('ddd')]);
    const now = cellsOf('fast', [output('aaa')], [output('bbb')], [], [output('eee')]);
    expect(found(now, some)).toEqual([
      { variant: 'fast', level: 'byte', cells: 4, common: 3, stable: 2, compared: 1, changed: 0 },
    ]);
  });

  it('related outputs count where nothing else is stable', () => {
    const varying = cellsOf('fast', [output('aaa', 1), output('bba', 1)]);
    expect(found(cellsOf('fast', [output('cca')]), varying)).toMatchObject([
      { level: 'related', compared: 1, changed: 0 },
    ]);
  });

  it('a variant without a common cell has nothing compared', () => {
    expect(found(cellsOf('other', [output('aaa')]), before)).toMatchObject([
      { variant: 'other', cells: 1, common: 0, stable: 0, compared: 0, changed: 0 },
    ]);
  });
});
