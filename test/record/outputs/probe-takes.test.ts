import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../src/record/journal.ts';
import { loadTakes, probePairs, seedTakes } from '../../../src/record/output-pairs.ts';
import { buildProbe } from '../../fixtures/probe-samples.ts';
import { buildFailure, buildOk, digestOf } from '../../fixtures/stored-run-builder.ts';

const take = (content: string, seed: number, repeat: number, prompt = 'fox') =>
  buildOk(10, content, { trial: { seed, repeat, prompt } });
const other = buildProbe({ kind: 'seed', role: 'other', base: 1 }, 'other', { trial: { seed: 9 } });
const omitted = (content: string, repeat: number) =>
  buildProbe({ kind: 'seed', role: 'omitted', base: 1 }, content, { trial: { seed: null, repeat } });
const digests = (...contents: readonly string[]) => contents.map(digestOf);

function contentPairs(samples: readonly Sample[], contents: readonly string[]): readonly string[] {
  const names = new Map(contents.map((content) => [digestOf(content), content]));
  return probePairs(samples)
    .map(([a, b]) => [names.get(a), names.get(b)].sort().join('-'))
    .sort();
}

describe('seedTakes', () => {
  it('seedTakes holds the measured takes of the first seed against other seeds and none', () => {
    const samples = [
      take('one-2', 1, 2),
      take('one-1', 1, 1),
      take('two', 2, 1),
      take('two again', 2, 2),
      take('elsewhere', 1, 1, 'cat'),
      buildFailure('error', { trial: { seed: 3 } }),
      other,
      omitted('free', 1),
      omitted('free too', 2),
    ];
    expect(seedTakes(samples).get('standard')).toEqual({
      base: digests('one-1', 'one-2'),
      others: digests('other', 'two'),
      omitted: digests('free', 'free too'),
    });
    expect(contentPairs(samples, ['one-1', 'one-2', 'other', 'two', 'free', 'free too'])).toEqual([
      'free-free too',
      'one-1-one-2',
      'one-1-other',
      'one-1-two',
      'one-2-other',
      'one-2-two',
    ]);
  });

  it('seedTakes asks for no pair of equal outputs, and few of many takes', () => {
    const many = Array.from({ length: 100 }, (_, at) => take(`take ${at}`, 1, at + 1));
    expect(probePairs([...many, other]).length).toBeLessThanOrEqual(6 * 5 * 0.5 + 6);
    expect(probePairs([take('same', 1, 1), take('same', 1, 2), other])).toHaveLength(1);
    expect(probePairs(many)).toEqual([]);
  });
});

describe('loadTakes', () => {
  const sample = (role: 'alone' | 'concurrent', content: string, seed: number, repeat: number) =>
    buildProbe({ kind: 'load', role }, content, { trial: { seed, repeat } });

  it('loadTakes holds each cell alone against itself under concurrency, where all of it delivered', () => {
    const samples = [
      sample('alone', 'a', 1, 1),
      sample('alone', 'b', 2, 1),
      sample('concurrent', 'c', 1, 2),
      sample('concurrent', 'b', 2, 2),
      sample('alone', 'd', 1, 3),
    ];
    expect(loadTakes(samples).get('standard')).toEqual([{ alone: digests('a', 'd'), concurrent: digestOf('c') }]);
    expect(contentPairs(samples, ['a', 'c', 'd'])).toEqual(['a-c', 'a-d']);
  });
});
