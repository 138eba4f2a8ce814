import { describe, expect, it } from 'vitest';
import { decideLoadProbe } from '../../../src/analysis/probes/seed-probe.ts';
import type { LoadTakes } from '../../../src/record/output-pairs.ts';

const cells = (count: number, alone: readonly [string, string], concurrent: string): readonly LoadTakes[] =>
  Array.from({ length: count }, () => ({ alone, concurrent }));

const different = () => 'near' as const;

describe('decideLoadProbe', () => {
  it('the load probe finds that concurrency changes what stays the same alone', () => {
    expect(decideLoadProbe([...cells(6, ['a', 'a'], 'b'), ...cells(2, ['a', 'a'], 'a')], different)).toEqual({
      code: 'batch_dependent',
      cells: 8,
      changedConcurrent: 6,
      changedAlone: 0,
      p: expect.closeTo(1 / 64, 12),
      bound: expect.closeTo(0.954, 3),
      reason: null,
    });
  });

  it('the load probe blames concurrency for nothing that happens alone too', () => {
    const both = [...cells(3, ['a', 'a'], 'b'), ...cells(3, ['a', 'b'], 'a'), ...cells(9, ['a', 'b'], 'c')];
    expect(decideLoadProbe(both, different)).toMatchObject({ code: 'no_sign', cells: 15 });
  });

  it('the load probe makes no test where fewer than five cells disagree', () => {
    expect(decideLoadProbe(cells(4, ['a', 'a'], 'b'), different)).toMatchObject({
      code: 'too_few_discordant',
      changedConcurrent: 4,
      p: null,
      bound: 1,
    });
  });

  it('the load probe finds no sign in cells that all agree, and bounds what it may have missed', () => {
    const found = decideLoadProbe(cells(36, ['a', 'a'], 'a'), different);
    expect(found).toMatchObject({ code: 'no_sign', cells: 36, changedConcurrent: 0, changedAlone: 0, p: null });
    expect(found.bound).toBeCloseTo(1 - 0.05 ** (1 / 36), 12);
  });

  it('the load probe looks at pixels, and leaves out what was not compared', () => {
    const noisy = cells(7, ['a', 'b'], 'c');
    expect(decideLoadProbe(noisy, () => 'pixel')).toMatchObject({ code: 'no_sign', cells: 7, changedConcurrent: 0 });
    expect(decideLoadProbe(noisy, () => null)).toMatchObject({
      code: 'not_testable',
      cells: 0,
      reason: { code: 'not_compared' },
    });
    const failed = { code: 'requests_failed', failed: 9, sent: 9, outcome: 'error', error: 'E1' } as const;
    expect(decideLoadProbe([], different, failed)).toMatchObject({ code: 'not_testable', reason: failed, bound: null });
  });
});
