import { expect, test } from 'vitest';
import { isLoadedByForeignSite } from '../../src/access/site-check.ts';

test.each([
  ['a program', {}, false],
  [
    'an address that was typed',
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    false,
  ],
  [
    'a page from here',
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    false,
  ],
  [
    'a link of another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    false,
  ],
  [
    'an image in another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    true,
  ],
  [
    'an image from another port',
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    true,
  ],
  [
    'a frame in another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    true,
  ],
  ['a value that browsers will add', { 'sec-fetch-site': 'new' }, true],
])('a request of %s is loaded by a foreign site: %j %s', (_, headers, expected) => {
  expect(isLoadedByForeignSite(headers)).toBe(expected);
});
