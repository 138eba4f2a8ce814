import { describe, expect, it } from 'vitest';
import { judgeLoadProbe } from '../../src/analysis/probes/load-probe.ts';
import type { LoadTakes } from '../../src/record/probe-takes.ts';

const cells = (count: number, alone: readonly [string, string], company: string): readonly LoadTakes[] =>
  Array.from({ length: count }, () => ({ alone, company }));

const different = () => 'near' as const;

describe('judgeLoadProbe', () => {
  it('finds that company changes what stays the same alone', () => {
    expect(judgeLoadProbe([...cells(6, ['a', 'a'], 'b'), ...cells(2, ['a', 'a'], 'a')], different)).toEqual({
      word: 'company changes the picture',
      cells: 8,
      changedByCompany: 6,
      changedAlone: 0,
      p: expect.closeTo(1 / 64, 12),
      reason: '',
    });
  });

  it('blames company for nothing that happens alone too', () => {
    const both = [...cells(3, ['a', 'a'], 'b'), ...cells(3, ['a', 'b'], 'a'), ...cells(9, ['a', 'b'], 'c')];
    expect(judgeLoadProbe(both, different)).toMatchObject({ word: 'no sign that company matters', cells: 15 });
  });

  it('counts only where fewer than five cells disagree', () => {
    expect(judgeLoadProbe(cells(4, ['a', 'a'], 'b'), different)).toMatchObject({
      word: 'counts only',
      changedByCompany: 4,
      p: null,
    });
  });

  it('looks at pixels, and leaves out what was not compared', () => {
    const noisy = cells(7, ['a', 'b'], 'c');
    expect(judgeLoadProbe(noisy, () => 'pixel')).toMatchObject({ word: 'counts only', cells: 7, changedByCompany: 0 });
    expect(judgeLoadProbe(noisy, () => null)).toMatchObject({
      word: 'not testable',
      cells: 0,
      reason: 'the takes differ and were not compared',
    });
    expect(judgeLoadProbe([], different).reason).toBe('no cell delivered all its takes');
  });
});
