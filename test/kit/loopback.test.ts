import { expect, test } from 'vitest';
import { isAddress, isLoopback, urlOf } from '../../src/kit/loopback.ts';

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['128.0.0.1', false],
  ['10.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['fe80::1', false],
  ['localhost', false],
  ['', false],
  [undefined, false],
])('an address %j on this machine: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['::1', 'http://[::1]:80'],
])('a server that listens on %s has the URL %s', (address, url) => {
  expect(urlOf(address, 80)).toBe(url);
});

test.each(['::1%lo', 'fe80::1%eth0', '127.0.0.1%lo', '::1%'])(
  'an address with a zone %s is none: no URL holds it',
  (text) => {
    expect(isAddress(text)).toBe(false);
    expect(URL.canParse(urlOf(text, 80))).toBe(false);
  },
);
