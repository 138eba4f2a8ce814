import { describe, expect, it } from 'vitest';
import { unbroken } from '../../src/kit/wording.ts';

describe('unbroken words', () => {
  it('unbroken words keep a number and its unit on one line', () => {
    expect(unbroken('at most 11.8 % differ (95 % bound, n = 24), after 120 s or 1 h 03 min')).toBe(
      'at most 11.8\u00a0% differ (95\u00a0% bound, n\u00a0=\u00a024), after 120\u00a0s or 1\u00a0h 03\u00a0min',
    );
  });

  it('unbroken words leave every other space as it was', () => {
    const words = '12 of 12 cells, 3 samples, 2 shards, a % sign, take 1 s-curve';
    expect(unbroken(words)).toBe(words);
  });
});
