import { expect, test } from 'vitest';
import { checkProxies, proxiesOf, proxyFor } from '../../src/targets/origins.ts';

const PROXY = 'http://proxy.test:3128';

function proxyOf(url: string, env: Record<string, string>): string | null {
  return proxyFor(new URL(url), proxiesOf(env))?.origin ?? null;
}

test.each<[string, string, Record<string, string>, string | null]>([
  ['no variable is set', 'https://api.test/', {}, null],
  [
    'https goes through HTTPS_PROXY',
    'https://api.test/',
    { HTTPS_PROXY: PROXY, HTTP_PROXY: 'http://other.test' },
    PROXY,
  ],
  ['http goes through HTTP_PROXY', 'http://api.test/', { HTTP_PROXY: PROXY, HTTPS_PROXY: 'http://other.test' }, PROXY],
  ['http does not go through HTTPS_PROXY', 'http://api.test/', { HTTPS_PROXY: PROXY }, null],
  ['https goes through HTTP_PROXY where HTTPS_PROXY is not set', 'https://api.test/', { HTTP_PROXY: PROXY }, PROXY],
  ['a name in lower case comes first', 'https://api.test/', { https_proxy: PROXY, HTTPS_PROXY: 'http://a' }, PROXY],
  ['an empty name in lower case means none', 'http://api.test/', { http_proxy: '', HTTP_PROXY: PROXY }, null],
  ['a proxy without a scheme is http', 'https://api.test/', { HTTPS_PROXY: 'proxy.test:3128' }, PROXY],
  ['a proxy may speak TLS', 'https://api.test/', { HTTPS_PROXY: 'https://proxy.test' }, 'https://proxy.test'],
  [
    'user and password are not in its origin',
    'https://api.test/',
    { HTTPS_PROXY: 'http://u:p@proxy.test:3128/' },
    PROXY,
  ],
  ['a SOCKS proxy counts as none', 'https://api.test/', { HTTPS_PROXY: 'socks5://proxy.test' }, null],
  ['the service of the run has no proxy', 'embedded:', { HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY }, null],
])('proxies of the environment: %s', (_what, url, env, proxy) => {
  expect(proxyOf(url, env)).toBe(proxy);
});

test.each([
  'http://localhost:8000/',
  'http://a.localhost/',
  'http://127.0.0.1:8000/',
  'http://127.9.9.9/',
  'https://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://0.0.0.0:8000/',
])('loopback has no proxy: %s', (url) => {
  expect(proxyOf(url, { HTTP_PROXY: PROXY })).toBeNull();
});

test.each<[string, string, boolean]>([
  ['', 'https://api.test/', false],
  ['*', 'https://api.test/', true],
  ['api.test', 'https://api.test/', true],
  ['api.test', 'https://eu.api.test/', true],
  ['api.test', 'https://myapi.test/', false],
  ['.api.test', 'https://api.test/', true],
  ['*.api.test', 'https://eu.api.test/', true],
  ['other.test, API.TEST', 'https://api.test/', true],
  ['other.test API.test', 'https://api.test/', true],
  ['api.test:8443', 'https://api.test:8443/', true],
  ['api.test:8443', 'https://api.test/', false],
  ['api.test:443', 'https://api.test/', true],
  ['api.test:80', 'http://api.test/', true],
  ['10.0.0.7', 'http://10.0.0.7/', true],
  ['10.0.0.0/8', 'http://10.0.0.7/', false],
  ['2001:db8::1', 'http://[2001:db8::1]/', true],
  ['[2001:db8::1]:80', 'http://[2001:db8::1]/', true],
  ['[2001:db8::1]:81', 'http://[2001:db8::1]/', false],
])('NO_PROXY "%s" names %s: %s', (noProxy, url, direct) => {
  expect(proxyOf(url, { HTTP_PROXY: PROXY, NO_PROXY: noProxy })).toBe(direct ? null : PROXY);
});

test('user and password become the header that the proxy gets', () => {
  const proxies = proxiesOf({ HTTP_PROXY: 'http://me:p%40ss@proxy.test' });
  expect(proxies.http?.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  expect(proxiesOf({ HTTP_PROXY: PROXY }).http?.authorization).toBeNull();
});

test('a variable that is no URL of an HTTP proxy is a fault, unless only this machine is called', () => {
  const env = { https_proxy: 'socks5://u:secret@proxy.test', HTTP_PROXY: PROXY };
  const [fault, ...others] = checkProxies(env, [{ baseUrl: 'https://api.test' }, { baseUrl: 'http://[::1]' }]);
  expect(others).toEqual([]);
  expect(fault).toEqual({
    place: null,
    cause: 'the environment variable https_proxy is not the URL of an HTTP proxy',
    remedy: 'set it to http://HOST:PORT, or remove it: env -u https_proxy retake ...',
  });
  expect(checkProxies(env, [{ baseUrl: 'http://127.0.0.1:8000' }])).toEqual([]);
});

test('a broken escape in the user or password of a proxy is said without them', () => {
  const said = (value: string) => checkProxies({ HTTPS_PROXY: value }, [{ baseUrl: 'https://api.test' }]);
  for (const value of ['http://me:hush%zz@proxy.test', 'me:hush%@proxy.test', 'http://me%4:hush@proxy.test']) {
    expect(said(value)).toEqual([
      {
        place: null,
        cause: 'the user or password in the environment variable HTTPS_PROXY has a "%" that begins no escape',
        remedy: 'write %25 for "%"',
      },
    ]);
  }
  expect(said('http://me:100%25@proxy.test')).toEqual([]);
});
