import { describe, expect, it, test } from 'vitest';
import { effectiveOutcome } from '../../../src/analysis/effective-outcome.ts';
import { decideCacheProbe, testCacheProbe } from '../../../src/analysis/probes/cache-probe.ts';
import { CACHE_PAIRS } from '../../../src/plan/probes.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { createRandom, type Random } from '../../../src/statistics/random.ts';
import { type CacheStory, cacheProbe } from '../../fixtures/probe-samples.ts';
import { drawNormal } from '../../fixtures/simulated-service.ts';
import { buildFailure } from '../../fixtures/stored-run-builder.ts';
import { NIGHTLY } from '../../test-options.ts';

const decided = (samples: readonly Sample[]) =>
  decideCacheProbe(samples.map((sample) => effectiveOutcome(sample, new Map(), null)));
const told = (story: CacheStory) => decided(cacheProbe(story));

/**
 * A service with one of two speeds at a time: warm, or so many times as slow; it keeps its speed with chance `sticks`.
 */
function twoSpeeds(
  random: Random,
  { spread, slow, share, sticks }: { spread: number; slow: number; share: number; sticks: number },
): () => number {
  let queued = random.uniform() < share;
  return () => {
    if (random.uniform() >= sticks) queued = random.uniform() < share;
    return 500 * (queued ? slow : 1) * Math.exp(spread * drawNormal(random));
  };
}

const RUNS = NIGHTLY ? 2000 : 400;

/** The share of simulated runs in which the shipped code says `cached`. */
function accused(seed: number, story: (random: Random) => CacheStory): number {
  const random = createRandom(seed);
  let found = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const samples = cacheProbe(story(random)).map((sample) => effectiveOutcome(sample, new Map(), null));
    if (testCacheProbe(samples).code === 'cached') found += 1;
  }
  return found / RUNS;
}

describe('decideCacheProbe', () => {
  test.each([
    ['half of the calls queued', { spread: 0.15, slow: 4, share: 0.5, sticks: 0 }],
    ['a third queued for very long, in spells', { spread: 0.15, slow: 10, share: 0.3, sticks: 0.7 }],
    ['speeds that hardly differ', { spread: 0.25, slow: 1.3, share: 0.5, sticks: 0 }],
    ['one speed', { spread: 0.15, slow: 1, share: 0, sticks: 0 }],
  ])('the cache probe accuses a deterministic service with %s in at most 5 of 1000 runs', (_, speeds) => {
    expect(accused(11, (random) => ({ totalMs: twoSpeeds(random, speeds) }))).toBeLessThanOrEqual(0.005);
  });

  test.each([0.05, 0.15, 0.25])(
    'the cache probe, spread by %s, finds a cache twice as fast in at least 95 of 100 runs',
    (spread) => {
      const found = accused(12, (random) => ({
        totalMs: (repeat) => (repeat ? 250 : 500) * Math.exp(spread * drawNormal(random)),
      }));
      expect(found).toBeGreaterThanOrEqual(0.95);
    },
  );

  it('the cache probe says by how much repeats are faster, and in how many pairs', () => {
    const cached = told({ totalMs: (repeat) => (repeat ? 10 : 500) });
    expect(cached).toMatchObject({ code: 'cached', facts: { by: ['timing'], pairs: CACHE_PAIRS, equal: CACHE_PAIRS } });
    expect(cached.facts.ratio).toBeCloseTo(50, 9);
  });

  it('the cache probe says how much faster repeats may be where it finds none', () => {
    const random = createRandom(13);
    const noisy = told({ totalMs: () => 500 * Math.exp(0.15 * drawNormal(random)) });
    expect(noisy.facts.bound).toBeGreaterThan(noisy.facts.ratio ?? 1);
    expect(noisy.facts.bound).toBeLessThan(1.5);
    expect(told({ totalMs: () => 500, equal: false }).facts.bound).toBeNull();
  });

  it('the cache probe bounds the speed-up of repeats: at most 5 % of the bounds are below the true one', () => {
    const random = createRandom(14);
    const below = Array.from({ length: 400 }, () => {
      const totalMs = (repeat: boolean) => (500 / (repeat ? 1.05 : 1)) * Math.exp(0.15 * drawNormal(random));
      return (told({ totalMs }).facts.bound ?? Infinity) < 1.05;
    }).filter(Boolean).length;
    // Of 400, 31 or more come by chance in 1 % where it is 5 %.
    expect(below).toBeLessThanOrEqual(31);
  });

  it('the cache probe does not accuse a faster repeat that is another image, nor one that is hardly faster', () => {
    expect(told({ totalMs: (repeat) => (repeat ? 10 : 500), equal: false })).toMatchObject({
      code: 'no_sign',
      facts: { equal: 0, ratio: null },
    });
    expect(told({ totalMs: (repeat) => (repeat ? 470 : 500) }).code).toBe('no_sign');
  });

  it('the cache probe believes a service that says so, and only of repeats', () => {
    const steady = () => 500;
    expect(told({ totalMs: steady, says: (repeat) => repeat })).toMatchObject({
      code: 'cached',
      facts: { by: ['said'] },
    });
    expect(told({ totalMs: steady, says: () => true }).code).toBe('no_sign');
    expect(told({ totalMs: steady, says: () => false }).code).toBe('no_sign');
  });

  it('the cache probe leaves out pairs that lack a part, and says when too few are left', () => {
    const samples = cacheProbe({ totalMs: (repeat) => (repeat ? 10 : 500) });
    const without = (pairs: readonly number[]) =>
      samples.map((sample) => {
        const { probe } = sample.trial;
        const lost = probe?.kind === 'cache' && probe.role === 'repeat' && pairs.includes(probe.pair);
        return lost ? buildFailure('error', { trial: sample.trial }) : sample;
      });
    expect(decided(without([2]))).toMatchObject({ code: 'cached', facts: { pairs: CACHE_PAIRS - 1 } });
    expect(decided(without([2, 3, 4, 5]))).toMatchObject({
      code: 'not_testable',
      facts: { pairs: 6 },
      evidence: expect.stringMatching(/; 6 pairs delivered; the test needs 7$/),
    });
    expect(decided([])).toMatchObject({ code: 'not_testable', facts: { p: null } });
  });
});
