import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  downloadAddresses,
  isPublicAddress,
  mayCarryCredential,
  mayDownloadFrom,
  type OriginPattern,
  type Origins,
  parseOriginPattern,
} from '../../src/targets/origins.ts';

function patterns(texts: readonly string[]): readonly OriginPattern[] {
  return texts.flatMap((text) => parseOriginPattern(text) ?? []);
}

function origins(auth: readonly string[], download: readonly string[], allowPrivate = false): Origins {
  return { auth: patterns(auth), download: patterns(download), allowPrivate };
}

const BASE = 'https://api.example.com/v1';

test.each([
  ['https://api.example.com/other', ['base'], true],
  ['https://api.example.com:443/x', ['base'], true],
  ['http://api.example.com/x', ['base'], false],
  ['https://api.example.com:8443/x', ['base'], false],
  ['https://api.example.com.evil.net/x', ['base'], false],
  ['https://evil.net/https://api.example.com', ['base'], false],
  ['https://api.example.com@evil.net/', ['base'], false],
  ['https://cdn.example.com/x', ['base', 'https://cdn.example.com'], true],
  ['https://a.cdn.net/x', ['https://*.cdn.net'], true],
  ['https://a.b.cdn.net/x', ['https://*.cdn.net'], true],
  ['https://cdn.net/x', ['https://*.cdn.net'], false],
  ['https://evilcdn.net/x', ['https://*.cdn.net'], false],
  ['http://a.cdn.net/x', ['https://*.cdn.net'], false],
  ['https://a.cdn.net:444/x', ['https://*.cdn.net'], false],
  ['https://anything.at/all', ['*'], true],
  ['https://anything.at/all', [], false],
])('the origin %s with %j: %j', (url, allowed, may) => {
  expect(mayCarryCredential(new URL(url), origins(allowed, []), BASE)).toBe(may);
  expect(mayDownloadFrom(new URL(url), origins([], allowed), BASE)).toBe(may);
});

test.each([
  '',
  'cdn.example.com',
  'https://',
  'ftp://a.b',
  'https://a.b/path',
  'https://me@a.b',
  'https://*',
  'https://*.com',
  'https://a.*.com',
  'Base',
])('the text %j is not a valid origin', (text) => {
  expect(parseOriginPattern(text)).toBeNull();
});

describe('addresses', () => {
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'not an address',
    '',
  ])('the address %s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
  ])('the address %s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test('an address of a private network is never public', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(byte, byte, byte, (a, b, c) => {
        expect(isPublicAddress(`10.${a}.${b}.${c}`) || isPublicAddress(`::ffff:127.${a}.${b}.${c}`)).toBe(false);
      }),
    );
  });

  test.each([
    ['https://api.example.com', 'https://cdn.example.com/x', false, 'public'],
    ['https://api.example.com', 'https://cdn.example.com/x', true, 'any'],
    ['https://api.example.com', 'https://api.example.com/x', false, 'any'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:9090/x', false, 'any'],
    ['http://localhost:8080', 'http://10.0.0.1/x', false, 'any'],
    ['http://[::1]:8080', 'http://10.0.0.1/x', false, 'any'],
    ['https://8.8.8.8', 'http://10.0.0.1/x', false, 'public'],
  ] as const)('the base %s, %s (private allowed: %j) may have %s addresses', (base, url, allowPrivate, addresses) => {
    expect(downloadAddresses(new URL(url), origins([], ['*'], allowPrivate), base)).toBe(addresses);
  });
});
