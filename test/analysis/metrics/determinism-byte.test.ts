import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../src/record/sample.ts';
import { clopperPearson } from '../../../src/statistics/clopper-pearson.ts';
import { measureIn, measuresIn } from '../../fixtures/measure-query.ts';
import { buildFailure, buildOk } from '../../fixtures/sample-builder.ts';
import { buildStoredRun } from '../../fixtures/stored-run-builder.ts';

/** Cells by seed, each a word whose letters are the outputs of its takes; `-` is a take that failed. */
function cells(...words: readonly string[]): Sample[] {
  return words.flatMap((word, seed) =>
    [...word].map((letter, at) => {
      const parts = { trial: { seed: seed + 1, repeat: at + 1 }, startedMs: 1000 * (10 * seed + at) };
      return letter === '-' ? buildFailure('error', parts) : buildOk(100, `${seed} ${letter}`, parts);
    }),
  );
}

const determinism = (statistic: string, ...words: readonly string[]) =>
  measureIn(buildStoredRun({ variants: [{}], seeds: words.map((_, at) => at + 1), samples: cells(...words) }), {
    metric: 'determinism.byte',
    statistic,
  });

describe('determinism.byte', () => {
  it('counts equal pairs within cells', () => {
    // aaa: 3 of 3 pairs; aab: 1 of 3; abc: none of 3.
    expect(determinism('share', 'aaa', 'aab', 'abc')).toMatchObject({
      value: 4 / 9,
      n: 9,
      ciLow: null,
      better: 'higher',
    });
  });

  it('counts takes that are not what is usual in their cell', () => {
    expect(determinism('departure', 'aaa', 'aab', 'abc')).toMatchObject({ value: 3 / 9, n: 9, ciHigh: null });
  });

  it('bounds a further take when none departed', () => {
    // 3 cells of 3 takes: n = 6; 1 - 0.05^(1/6) = 0.393.
    const none = determinism('departure', 'aaa', 'aaa', 'aaa');
    expect(none).toMatchObject({ value: 0, n: 6, ciLow: 0, ciLevel: 0.95 });
    expect(none.ciHigh).toBeCloseTo(1 - Math.exp(Math.log(0.05) / 6), 12);
    expect(none.note).toBe(
      'in these cells, in this run, a further take departs in at most 39.3 % (one-sided 95 %, n = 6)',
    );
  });

  it('needs 59 takes beyond the first of each cell to bound a departure by 5 %', () => {
    expect(determinism('departure', ...Array(59).fill('aa')).note).toContain('at most 5.0 %');
  });

  it('counts unstable cells with their interval', () => {
    const { low, high } = clopperPearson(2, 3, 0.95);
    expect(determinism('unstable', 'aaa', 'aab', 'abc')).toMatchObject({
      value: 2 / 3,
      n: 3,
      ciLow: low,
      ciHigh: high,
    });
  });

  it('counts distinct outputs cell by cell', () => {
    expect(determinism('distinct', 'aaa', 'aab', 'abc')).toMatchObject({ value: 6, n: 3, unit: 'outputs' });
  });

  it('looks only at cells that delivered twice', () => {
    expect(determinism('share', 'a-a', 'a--', '---')).toMatchObject({ value: 1, n: 1 });
    expect(determinism('departure', 'a-a', 'a--', '---')).toMatchObject({ value: 0, n: 1 });
    expect(determinism('unstable', 'a-a', 'a--', '---')).toMatchObject({ value: 0, n: 1 });
  });

  it('says nothing of single takes', () => {
    for (const statistic of ['share', 'departure', 'unstable', 'distinct']) {
      expect(determinism(statistic, 'a', 'b')).toMatchObject({ value: null, n: 0, note: 'no cell has two takes' });
    }
  });

  it('gives the share of each prompt', () => {
    const record = buildStoredRun({ seeds: [1, 2], samples: cells('aa', 'ab') });
    const ofPrompts = measuresIn(record, 'determinism.byte').filter(({ prompt }) => prompt !== null);
    expect(ofPrompts.map(({ statistic, value }) => [statistic, value])).toEqual([['share', 0.5]]);
  });
});
