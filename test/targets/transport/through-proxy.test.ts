import { createServer } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { proxiesOf } from '../../../src/targets/origins.ts';
import { createTransport } from '../../../src/targets/transport.ts';
import type { HttpRequest, TransportFailure, TransportReply } from '../../../src/targets/wire.ts';
import { listening } from '../../fixtures/listening.ts';
import { type HttpProxy, startHttpProxy } from '../../fixtures/proxies.ts';
import { selfSigned } from '../../fixtures/self-signed.ts';
import { closedUrl, serve, serveBytes } from '../loopback.ts';

/* Requests to hosts that only a proxy knows. */

type Sent = TransportReply | TransportFailure;

async function proxyTo(url: string, options: Parameters<typeof startHttpProxy>[1] = {}): Promise<HttpProxy> {
  const proxy = await startHttpProxy({ 'api.test': Number(new URL(url).port), '10.0.0.7': 1 }, options);
  onTestFinished(() => proxy.close());
  return proxy;
}

function through(env: Record<string, string>): (url: string, keys?: Partial<HttpRequest>) => Promise<Sent> {
  const transport = createTransport({ now: () => performance.now(), connections: 1, proxies: proxiesOf(env) });
  onTestFinished(() => transport.close());
  const options = { signal: new AbortController().signal, limits: { bodyBytes: 1000 } };
  return (url, keys = {}) =>
    transport.send({ method: 'GET', url, headers: [], body: null, addresses: 'any', ...keys }, options);
}

test('a tunnel of a proxy is kept open, and its time is that of the connection', async () => {
  const server = await serve((_seen, response) => void response.end('ok'));
  const proxy = await proxyTo(server.url);
  const send = through({ HTTP_PROXY: proxy.url });
  const first = await send('http://api.test/a');
  expect(first).toMatchObject({ ok: true, status: 200, connection: { dnsMs: null, tlsMs: null } });
  expect(first.connection?.tcpMs).toBeGreaterThan(0);
  expect(await send('http://api.test/b', { addresses: 'any' })).toMatchObject({ ok: true, connection: null });
  expect(proxy.asked).toEqual(['api.test:80']);
  expect(server.seen.map(({ url, headers }) => [url, headers.host])).toEqual([
    ['/a', 'api.test'],
    ['/b', 'api.test'],
  ]);
});

test('the certificate of the host is checked through a proxy too', async () => {
  const server = createServer(selfSigned('api.test'));
  server.on('tlsClientError', () => {});
  const { url, close } = await listening(server);
  onTestFinished(close);
  const proxy = await proxyTo(url);
  const sent = await through({ HTTPS_PROXY: proxy.url })('https://api.test/');
  expect(sent).toMatchObject({ ok: false, code: 'tls_failed', sent: false });
  expect(proxy.asked).toEqual(['api.test:443']);
});

test('loopback and the hosts of NO_PROXY are asked directly', async () => {
  const server = await serve((_seen, response) => void response.end('ok'));
  const proxy = await proxyTo(server.url);
  const send = through({ HTTP_PROXY: proxy.url, NO_PROXY: 'api.test' });
  expect(await send(server.url)).toMatchObject({ ok: true, status: 200 });
  expect(await send('http://api.test/')).toMatchObject({ ok: false, code: 'dns_failed' });
  expect(proxy.asked).toEqual([]);
});

test('user and password reach the proxy alone', async () => {
  const server = await serve((_seen, response) => void response.end('ok'));
  const proxy = await proxyTo(server.url, { user: 'me:p@ss' });
  const send = through({ HTTP_PROXY: proxy.url.replace('//', '//me:p%40ss@') });
  expect(await send('http://api.test/')).toMatchObject({ ok: true });
  expect(server.seen[0]?.headers).not.toHaveProperty('proxy-authorization');
});

test('an address that only a public one may have is not asked of the proxy', async () => {
  const server = await serve((_seen, response) => void response.end('ok'));
  const proxy = await proxyTo(server.url);
  const send = through({ HTTP_PROXY: proxy.url });
  expect(await send('http://10.0.0.7/', { addresses: 'public' })).toMatchObject({ ok: false, code: 'address_refused' });
  expect(await send('http://api.test/', { addresses: 'public' })).toMatchObject({ ok: true });
  expect(proxy.asked).toEqual(['api.test:80']);
});

const CORRECT = 'correct HTTP_PROXY, or name api.test in NO_PROXY';
const ASKS = `wants a valid user and password, as in http://USER:PASSWORD@HOST:PORT (HTTP 407); ${CORRECT}`;

test.each<[string, Parameters<typeof startHttpProxy>[1], string, string, string]>([
  ['asks for a user', { user: 'me:pass' }, '', 'proxy_auth', ASKS],
  ['refuses a user', { user: 'me:pass' }, 'me:wrong@', 'proxy_auth', ASKS],
  ['refuses the host', { refuse: 403 }, '', 'proxy_refused', `does not connect to api.test:80 (HTTP 403); ${CORRECT}`],
  ['cannot reach it', { refuse: 502 }, '', 'proxy_failed', `does not connect to api.test:80 (HTTP 502); ${CORRECT}`],
])('a proxy that %s is named, with what to do', async (_what, options, user, code, said) => {
  const server = await serve((_seen, response) => void response.end('ok'));
  const proxy = await proxyTo(server.url, options);
  const sent = await through({ HTTP_PROXY: proxy.url.replace('//', `//${user}`) })('http://api.test/');
  expect(sent).toMatchObject({ ok: false, code, sent: false, message: `the proxy ${proxy.url} (HTTP_PROXY) ${said}` });
  expect(server.seen).toEqual([]);
});

test.each<[string, () => Promise<string>, RegExp]>([
  ['listens nowhere', closedUrl, /: connect ECONNREFUSED .*; correct HTTP_PROXY, or name api\.test in NO_PROXY$/],
  ['has a name that does not resolve', async () => 'http://proxy.invalid:3128', /ENOTFOUND|EAI_AGAIN/],
  [
    'is not an HTTP server',
    async () => (await serveBytes((socket) => void socket.end('SSH-2.0-x\r\n'))).url,
    /cannot be used/,
  ],
  ['ends the connection', async () => (await serveBytes((socket) => void socket.end())).url, /cannot be used/],
])('a proxy that %s has failed', async (_what, urlOf, message) => {
  const sent = await through({ HTTP_PROXY: await urlOf() })('http://api.test/');
  expect(sent).toMatchObject({ ok: false, code: 'proxy_failed', sent: false });
  expect(sent.ok ? '' : sent.message).toMatch(message);
});

test('a proxy that answers CONNECT with an interim reply does not connect', async () => {
  const { url } = await serveBytes((socket) => void socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'));
  const sent = await through({ HTTP_PROXY: url })('http://api.test/');
  expect(sent).toMatchObject({ ok: false, code: 'proxy_refused', message: expect.stringMatching(/HTTP 103/) });
});

test('a host that ends its connection fails as without a proxy', async () => {
  const dropped = await serveBytes((socket) => void socket.end());
  const proxy = await proxyTo(dropped.url);
  expect(await through({ HTTP_PROXY: proxy.url })('http://api.test/')).toMatchObject({ code: 'connection_dropped' });
});
