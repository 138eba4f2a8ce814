import { describe, expect, it, test } from 'vitest';
import { decideSeedProbe, type SeedContext } from '../../../src/analysis/probes/seed-probe.ts';
import type { Level } from '../../../src/media/level.ts';
import type { LevelOfPair, SeedTakes } from '../../../src/record/output-pairs.ts';

const plain: SeedContext = {
  claim: 'exact',
  cached: false,
  keptSeed: null,
  takesSent: 3,
  lostOther: null,
  lostOmitted: null,
};

/** Takes are named by an image and a version of it: versions of one image are at `inside`, images at `across`. */
function levels(inside: Level | null, across: Level | null): LevelOfPair {
  return (a, b) => (a[0] === b[0] ? inside : across);
}

const takes = (base: readonly string[], others = ['b0', 'c0'], omitted = ['d0', 'e0']): SeedTakes => ({
  base,
  others,
  omitted,
});

describe('decideSeedProbe', () => {
  test.each<[string, SeedTakes, LevelOfPair, string]>([
    ['equal bytes', takes(['a0', 'a0', 'a0']), levels(null, 'different'), 'exact'],
    ['equal pixels under other bytes', takes(['a0', 'a1']), levels('pixel', 'different'), 'exact'],
    ['takes that a magnifier tells apart', takes(['a0', 'a1']), levels('near', 'different'), 'similar'],
    ['similar takes', takes(['a0', 'a0', 'a1']), levels('similar', 'related'), 'similar'],
    ['related takes', takes(['a0', 'a1']), levels('related', 'different'), 'unstable'],
    ['equal bytes for all seeds', takes(['a0', 'a0'], ['a0', 'a0']), levels(null, null), 'ignored'],
    ['near images for all seeds', takes(['a0', 'a1'], ['a2', 'a3']), levels('near', null), 'ignored'],
    ['seeds no further apart than takes', takes(['a0', 'a1']), levels('similar', 'similar'), 'ignored'],
    ['similar seeds with exact takes', takes(['a0', 'a0']), levels(null, 'similar'), 'exact'],
    ['one other seed that is the same', takes(['a0', 'a0'], ['a0', 'b0']), levels(null, 'different'), 'exact'],
    ['one take, and all seeds the same', takes(['a0'], ['a0']), levels(null, null), 'ignored'],
    ['one take, and other images', takes(['a0']), levels(null, 'different'), 'not_testable'],
    ['takes that nobody compared', takes(['a0', 'a1']), levels(null, null), 'not_testable'],
    ['nothing delivered', takes([], []), levels(null, null), 'not_testable'],
  ])('the seed probe of %s: %s', (_, outputs, levelOf, word) => {
    const found = decideSeedProbe(outputs, plain, levelOf);
    expect(found.code).toBe(word);
    expect(found.reason === null).toBe(word !== 'not_testable');
  });

  it('the seed probe asks first whether takes of a seed agree: a service that draws one of a few images ignores nothing', () => {
    const drawn = decideSeedProbe(takes(['a0', 'b0', 'a0'], ['a0', 'b0']), plain, levels('byte', 'different'));
    expect(drawn).toMatchObject({ code: 'unstable', within: 'different', otherImages: 0, bound: null });
    const partlyCompared: LevelOfPair = (a, b) => ([a, b].includes('c0') ? null : 'different');
    expect(decideSeedProbe(takes(['a0', 'b0', 'c0']), plain, partlyCompared).code).toBe('unstable');
  });

  it.each([
    [2, 0.95],
    [3, 1 - Math.sqrt(0.05)],
    [6, 1 - 0.05 ** (1 / 5)],
  ])('the seed probe bounds how often a further take would differ by its %i takes', (count, bound) => {
    const base = Array.from({ length: count }, () => 'a0');
    expect(decideSeedProbe(takes(base), plain, levels(null, 'different')).bound).toBeCloseTo(bound, 12);
  });

  it('the seed probe says that its own requests failed, not that takes could not be compared', () => {
    const failed = { code: 'requests_failed', failed: 3, sent: 3, outcome: 'error', error: 'E1' } as const;
    const context = { ...plain, lostOther: failed, lostOmitted: failed };
    expect(decideSeedProbe(takes(['a0', 'a0'], [], []), context, levels(null, 'different'))).toMatchObject({
      code: 'not_testable',
      reason: failed,
      omitted: { code: 'not_testable', reason: failed },
    });
    expect(decideSeedProbe(takes([], ['b0']), context, levels(null, null)).reason).toEqual({
      code: 'no_take',
      sent: 3,
    });
  });

  it('the seed probe says what it saw of a seed when the target claims nothing', () => {
    const found = decideSeedProbe(takes(['a0', 'a1']), { ...plain, claim: 'none' }, levels('related', 'different'));
    expect(found).toMatchObject({ code: 'not_claimed', seen: 'unstable', within: 'related' });
  });

  it('the seed probe takes equal repeats for nothing where they come from a cache', () => {
    const cached = { ...plain, cached: true };
    expect(decideSeedProbe(takes(['a0', 'a0']), cached, levels(null, 'different')).code).toBe('not_testable');
    expect(decideSeedProbe(takes(['a0', 'a0'], ['a0']), cached, levels(null, 'different')).code).toBe('ignored');
  });

  it('the seed probe tells apart what leaving the seed out does', () => {
    const omitted = (outputs: readonly string[], context = plain) =>
      decideSeedProbe(takes(['a0', 'a0'], ['b0'], [...outputs]), context, levels('near', 'different')).omitted;
    expect(omitted(['d0', 'e0']).code).toBe('random');
    expect(omitted(['d0', 'd1']).code).toBe('constant');
    expect(omitted(['d0', 'd1'], { ...plain, cached: true }).code).toBe('not_testable');
    expect(omitted(['d0', 'e0'], { ...plain, cached: true }).code).toBe('random');
    expect(omitted(['d0'])).toMatchObject({ code: 'not_testable', takes: 1 });
    expect(omitted([], { ...plain, keptSeed: { code: 'seed_required' } })).toMatchObject({
      code: 'not_supported',
      reason: { code: 'seed_required' },
    });
  });
});
