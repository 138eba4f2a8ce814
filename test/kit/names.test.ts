import { expect, test } from 'vitest';
import { eachVariant, proxyWords, variantNames } from '../../src/kit/names.ts';

const named = (count: number) => Array.from({ length: count }, (_, at) => `v${at + 1}`);

test('up to six variants are named, whether they are all or some', () => {
  expect(variantNames(named(1), 1)).toBe('v1');
  expect(variantNames(named(2), 40)).toBe('v1 and v2');
  expect(variantNames(named(6), 6)).toBe('v1, v2, v3, v4, v5 and v6');
});

test('more than six variants are the first three and how many more, or all', () => {
  expect(variantNames(named(7), 7)).toBe('all 7 variants');
  expect(variantNames(named(7), 12)).toBe('v1, v2, v3 and 4 more');
  expect(variantNames(named(38), 40)).toBe('v1, v2, v3 and 35 more');
});

test('variants that are spoken of one by one never read as if they were equal to each other', () => {
  expect(eachVariant(named(1), 1)).toBe('v1');
  expect(eachVariant(named(2), 2)).toBe('each variant');
  expect(eachVariant(named(2), 3)).toBe('each of v1 and v2');
  expect(eachVariant(named(7), 12)).toBe('each of v1, v2, v3 and 4 more');
});

test('each proxy of a run is named, and whether all variants went through it', () => {
  const [proxy, other] = ['http://proxy.test:3128', 'http://other.test'];
  expect(proxyWords([{}, {}])).toEqual([]);
  expect(proxyWords([{ proxy }, { proxy }])).toEqual(['sent through the proxy http://proxy.test:3128']);
  expect(proxyWords([{ proxy }, {}])).toEqual(['partly sent through the proxy http://proxy.test:3128']);
  expect(proxyWords([{ proxy }, { proxy: other }])).toEqual([
    'partly sent through the proxy http://proxy.test:3128',
    'partly sent through the proxy http://other.test',
  ]);
});
