import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { createApp } from '../../src/view/routes/app.ts';
import { guardOf, READING } from '../../src/view/routes/guards.ts';

/* Whom the servers of results and votes answer, on the address that both listen on. */

const HOST = '127.0.0.1:8788';
const said = (reply: FastifyReply, status: number) => reply.code(status).send('');
const refusals = {
  notAnAddress: (reply: FastifyReply) => said(reply, 400),
  notWellFormed: said,
  failed: (_error: unknown, reply: FastifyReply) => said(reply, 500),
};

const appOf = (methods: readonly string[], host = '127.0.0.1') => {
  const app = createApp(guardOf(host, { methods, refuse: said }), refusals);
  app.get('/', (_request, reply) => reply.send('results'));
  return app;
};
const reading = appOf(READING.methods);
const voting = appOf(['GET', 'POST']);
const everywhere = appOf(READING.methods, '0.0.0.0');

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'PATCH';
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

test.each<[what: string, headers: Readonly<Record<string, string>>, status: number]>([
  ['its own address', {}, 200],
  ['the name of this machine', { host: 'localhost:8788', origin: 'http://localhost:8788' }, 200],
  ['the name in capitals', { host: 'LOCALHOST:8788' }, 200],
  ['IPv6', { host: '[::1]:8788' }, 200],
  ['an address without a port', { host: '127.0.0.1' }, 200],
  ['a link on another site', { 'sec-fetch-site': 'cross-site', ...NAVIGATION }, 200],
  ['a foreign host', { host: 'evil.example:8788' }, 403],
  ['an address in the network', { host: '192.168.1.7:8788' }, 403],
  ['a host that begins as this machine', { host: 'localhost.evil.example' }, 403],
  ['a host with a user', { host: '127.0.0.1:8788@evil.example' }, 403],
  ['two hosts in one', { host: 'evil.example, localhost' }, 403],
  ['a foreign origin', { origin: 'https://evil.example' }, 403],
  ['an origin of another port', { origin: 'http://127.0.0.1:8789' }, 403],
  ['an opaque origin', { origin: 'null' }, 403],
  ['a page of the same site', { 'sec-fetch-site': 'same-site' }, 403],
  [
    'an image on another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    403,
  ],
])('a request is answered or refused, whatever it asks for: %s', async (_, headers, status) => {
  for (const app of [reading, voting]) {
    for (const [url, found] of [
      ['/', 200],
      ['/nothing', 404],
      ['/%zz', 400],
    ] as const) {
      const { statusCode } = await app.inject({ url, headers: { host: HOST, ...headers } });
      expect([url, statusCode]).toEqual([url, status === 200 ? found : status]);
    }
  }
});

test.each<[method: Method, read: number, voted: number]>([
  ['GET', 200, 200],
  ['HEAD', 200, 405],
  ['POST', 405, 404],
  ['PUT', 405, 405],
  ['DELETE', 405, 405],
  ['OPTIONS', 405, 405],
  ['PATCH', 405, 405],
])('a method is answered or refused: %s', async (method, read, voted) => {
  const headers = { host: HOST };
  for (const [app, status, allowed] of [
    [reading, read, 'GET, HEAD'],
    [voting, voted, 'GET, POST'],
  ] as const) {
    const reply = await app.inject({ method, url: '/', headers });
    expect(reply.statusCode).toBe(status);
    if (status === 405) expect(reply.headers.allow).toBe(allowed);
    expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  }
});

test('a server for every address of this machine takes each of them, and no name of another site', async () => {
  const statusOf = async (host: string) => (await everywhere.inject({ url: '/', headers: { host } })).statusCode;
  expect([await statusOf('192.168.1.7:8788'), await statusOf('evil.example:8788')]).toEqual([200, 403]);
});
