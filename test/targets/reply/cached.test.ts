import { describe, expect, it, test } from 'vitest';
import { cachedByHeaders, cachedByValue } from '../../../src/targets/reply/reply.ts';

describe('cachedByHeaders', () => {
  test.each<[string, string, boolean | null]>([
    ['age', '12', true],
    ['age', '0', false],
    ['age', 'soon', null],
    ['x-cache', 'HIT', true],
    ['x-cache', 'Hit from cloudfront', true],
    ['x-cache', 'RefreshHit from cloudfront', true],
    ['x-cache', 'TCP_HIT', true],
    ['x-cache', 'MISS, HIT', true],
    ['x-cache', 'Miss from cloudfront', false],
    ['x-cache', 'Error from cloudfront', null],
    ['x-cache-status', 'BYPASS', false],
    ['cf-cache-status', 'DYNAMIC', false],
    ['cf-cache-status', 'STALE', true],
    ['cache-status', 'edge; hit; ttl=30', true],
    ['cache-status', 'edge; fwd=uri-miss', false],
    ['content-type', 'hit', null],
  ])('cachedByHeaders of %s: %s', (name, value, expected) => {
    expect(cachedByHeaders({ headers: [[name, value]] })).toBe(expected);
  });

  it('cachedByHeaders lets one header that says so hold against others', () => {
    const headers = [
      ['age', '0'],
      ['x-cache', 'HIT'],
    ] as const;
    expect(cachedByHeaders({ headers })).toBe(true);
    expect(cachedByHeaders({ headers: [] })).toBeNull();
  });
});

test('cachedByValue reads booleans, ages and words', () => {
  expect([true, false, 3, 0, 'true', 'false', '7', '0', 'MISS', 'other', [], undefined].map(cachedByValue)).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
    true,
    false,
    false,
    null,
    null,
    null,
  ]);
});
