import { expect, test } from 'vitest';
import {
  hostCheck,
  isAddress,
  isLoadedByForeignSite,
  isLoopback,
  isLoopbackHost,
  urlOf,
} from '../../src/kit/loopback.ts';

const check = hostCheck({ names: ['Bench.Example.com'], addresses: 'any' });

test.each([
  ['127.0.0.1:8787'],
  ['localhost:8787'],
  ['LOCALHOST'],
  ['a.localhost:1'],
  ['[::1]:8787'],
  ['192.168.1.7:8787'],
  ['bench.example.com:443'],
])('a Host %s is accepted: an address, this machine, or a name that was allowed', (host) => {
  expect(check({ host })).toBeNull();
});

test.each([
  ['evil.example'],
  ['evil.example:8787'],
  ['localhost.evil.example'],
  ['127.0.0.1.evil.example'],
  ['x.bench.example.com'],
  ['evil.example@127.0.0.1'],
  ['127.0.0.1/evil'],
  [''],
  [undefined],
])('a Host %j is refused: its name can lead anywhere', (host) => {
  expect(check({ host })).toBe('foreign_host');
});

test.each([
  ['http://127.0.0.1:8787', null],
  ['https://bench.example.com', null],
  ['http://127.0.0.1:9999', 'foreign_origin'],
  ['http://192.168.1.7:8787', 'foreign_origin'],
  ['https://evil.example', 'foreign_origin'],
  ['null', 'foreign_origin'],
  ['file:///tmp/page.html', 'foreign_origin'],
  ['', 'foreign_origin'],
])('an Origin %j of a request to 127.0.0.1:8787: %s', (origin, code) => {
  expect(check({ host: '127.0.0.1:8787', origin })).toBe(code);
});

test.each([
  ['127.0.0.1:1', true],
  ['[::1]:1', true],
  ['localhost', true],
  ['192.168.1.7', false],
  ['bench.example.com', false],
  [undefined, false],
])('a Host %j that is this machine itself: %s', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});

test.each([
  ['127.0.0.1:80', null],
  ['[::1]:80', null],
  ['localhost:80', null],
  ['192.168.1.7:80', null],
  ['192.168.1.8:80', 'foreign_host'],
])('a Host %s of a server that listens on 192.168.1.7 only: %s', (host, code) => {
  expect(hostCheck({ names: [], addresses: ['192.168.1.7'] })({ host })).toBe(code);
});

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
