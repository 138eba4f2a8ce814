import { describe, expect, it, test } from 'vitest';
import type { LevelOfPair } from '../../src/analysis/probe-finding.ts';
import { judgeSeedProbe, type SeedContext } from '../../src/analysis/probes/seed-probe.ts';
import type { Level } from '../../src/media/compare/level.ts';
import type { SeedTakes } from '../../src/record/probe-takes.ts';

const plain: SeedContext = { claim: 'exact', cached: false, keptSeed: null };

/** Takes are named by a picture and a version of it: versions of one picture are at `inside`, pictures at `across`. */
function levels(inside: Level | null, across: Level | null): LevelOfPair {
  return (a, b) => (a[0] === b[0] ? inside : across);
}

const takes = (base: readonly string[], others = ['b0', 'c0'], omitted = ['d0', 'e0']): SeedTakes => ({
  base,
  others,
  omitted,
});

describe('judgeSeedProbe', () => {
  test.each<[string, SeedTakes, LevelOfPair, string]>([
    ['equal bytes', takes(['a0', 'a0', 'a0']), levels(null, 'different'), 'exact'],
    ['equal pixels under other bytes', takes(['a0', 'a1']), levels('pixel', 'different'), 'exact'],
    ['takes that a magnifier tells apart', takes(['a0', 'a1']), levels('near', 'different'), 'similar'],
    ['similar takes', takes(['a0', 'a0', 'a1']), levels('similar', 'related'), 'similar'],
    ['related takes', takes(['a0', 'a1']), levels('related', 'different'), 'varies within a seed'],
    ['equal bytes for all seeds', takes(['a0', 'a0'], ['a0', 'a0']), levels(null, null), 'one picture for all seeds'],
    [
      'near pictures for all seeds',
      takes(['a0', 'a1'], ['a2', 'a3']),
      levels('near', null),
      'one picture for all seeds',
    ],
    [
      'seeds no further apart than takes',
      takes(['a0', 'a1']),
      levels('similar', 'similar'),
      'one picture for all seeds',
    ],
    ['similar seeds with exact takes', takes(['a0', 'a0']), levels(null, 'similar'), 'exact'],
    ['one other seed that is the same', takes(['a0', 'a0'], ['a0', 'b0']), levels(null, 'different'), 'exact'],
    ['one take, and all seeds the same', takes(['a0'], ['a0']), levels(null, null), 'one picture for all seeds'],
    ['one take, and other pictures', takes(['a0']), levels(null, 'different'), 'not testable'],
    ['takes that nobody compared', takes(['a0', 'a1']), levels(null, null), 'not testable'],
    ['nothing delivered', takes([], []), levels(null, null), 'not testable'],
  ])('%s: %s', (_, outputs, levelOf, word) => {
    const found = judgeSeedProbe(outputs, plain, levelOf);
    expect(found.word).toBe(word);
    expect(found.reason === '').toBe(word !== 'not testable');
  });

  it('says what it saw of a seed of which nothing is claimed', () => {
    const found = judgeSeedProbe(takes(['a0', 'a1']), { ...plain, claim: 'none' }, levels('related', 'different'));
    expect(found).toMatchObject({ word: 'not claimed', seen: 'varies within a seed', within: 'related' });
  });

  it('takes equal repeats for nothing where they come from a cache', () => {
    const cached = { ...plain, cached: true };
    expect(judgeSeedProbe(takes(['a0', 'a0']), cached, levels(null, 'different')).word).toBe('not testable');
    expect(judgeSeedProbe(takes(['a0', 'a0'], ['a0']), cached, levels(null, 'different')).word).toBe(
      'one picture for all seeds',
    );
  });

  it('tells apart what leaving the seed out does', () => {
    const omitted = (outputs: readonly string[], context = plain) =>
      judgeSeedProbe(takes(['a0', 'a0'], ['b0'], [...outputs]), context, levels('near', 'different')).omitted;
    expect(omitted(['d0', 'e0']).word).toBe('random');
    expect(omitted(['d0', 'd1']).word).toBe('constant');
    expect(omitted(['d0', 'd1'], { ...plain, cached: true }).word).toBe('not testable');
    expect(omitted(['d0', 'e0'], { ...plain, cached: true }).word).toBe('random');
    expect(omitted(['d0'])).toMatchObject({ word: 'not testable', takes: 1 });
    expect(omitted([], { ...plain, keptSeed: 'its target cannot' })).toMatchObject({
      word: 'not supported',
      reason: 'its target cannot',
    });
  });
});
