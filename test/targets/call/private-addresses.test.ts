import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../loopback.ts';
import { call, json, png } from './calling.ts';

/* Media that a server leads to: a base that is a public name, whose address the test gives in place of the name service. */

const PUBLIC_BASE = 'http://api.retake.test';

/** Answers for names until the test is over; gives how often each was asked for. */
function resolveNames(answers: Readonly<Record<string, readonly string[]>>): Map<string, number> {
  const asked = new Map<string, number>();
  const { lookup } = dns;
  const fake = (
    host: string,
    _options: dns.LookupAllOptions,
    done: (error: Error | null, found: dns.LookupAddress[]) => void,
  ) => {
    asked.set(host, (asked.get(host) ?? 0) + 1);
    const found = answers[host] ?? [];
    const error = found.length === 0 ? Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' }) : null;
    setImmediate(() =>
      done(
        error,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  };
  Object.assign(dns, { lookup: fake });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(dns, { lookup });
    syncBuiltinESMExports();
  });
  return asked;
}

/**
 * A server behind a public name that gives the URL of media, or redirects to it; and what is asked of it and of a
 * neighbour.
 */
async function ask(mediaUrl: (neighbour: string) => string, way: 'url' | 'redirect', names: Record<string, string[]>) {
  const neighbour = await serve((_seen, response) => png(response));
  const url = mediaUrl(neighbour.url);
  const base = await serve((seen, response) => {
    if (seen.method === 'POST') return json(response, 200, { at: way === 'url' ? url : '/media' });
    response
      .writeHead(302, { location: encodeURI(url).replace('%5B', '[').replace('%5D', ']').replaceAll('%25', '%') })
      .end();
  });
  const asked = resolveNames({ 'api.retake.test': ['127.0.0.1'], ...names });
  const keys = { origins: { download: ['base', '*'] }, result: { from: 'url', at: '$.at' } };
  const { result } = await call(`${PUBLIC_BASE}:${new URL(base.url).port}`, { keys });
  return { result, neighbour, asked };
}

const withHost = (host: string) => (url: string) => url.replace('127.0.0.1', host);

const SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '１２７.0.0.1',
  '127。0。0。1',
  '0.0.0.0',
  '0',
  '169.254.169.254',
  '2852039166',
  '10.0.0.1',
  '192.168.0.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[fe80::1]',
  '[fd00:ec2::254]',
];

describe.each(['url', 'redirect'] as const)('media behind a %s', (way) => {
  test.each(SPELLINGS)(`media behind a ${way} are not fetched from %s`, async (host) => {
    const { result, neighbour } = await ask(withHost(host), way, {});
    expect(result).toMatchObject({ outcome: 'error', error: { code: 'download_address_refused' } });
    expect(neighbour.connections()).toBe(0);
  });

  test.each([['localhost'], ['LOCALHOST'], ['localhost.'], ['ⓛocalhost'], ['müller.test'], ['rebind.test']])(
    `media behind a ${way} are not fetched from %s, a name that leads to a private address`,
    async (host) => {
      const name = new URL(`http://${host}`).hostname;
      const { result, neighbour, asked } = await ask(withHost(host), way, { [name]: ['127.0.0.1', '::1'] });
      expect(result).toMatchObject({ outcome: 'error', error: { code: 'download_address_refused' } });
      expect(neighbour.connections()).toBe(0);
      // The name is asked for once a connection, by the connection itself: nothing can change in between.
      expect(asked.get(name)).toBe(1);
    },
  );

  test.each(['[fe80::1%25lo]', '[fe80::1%lo]', '0x7f.0.0.0.1', '256.0.0.1', '127.0.0.1:99999'])(
    `media behind a ${way} at %s are no valid address`,
    async (host) => {
      const { result, neighbour } = await ask(() => `http://${host}/x`, way, {});
      expect(result).toMatchObject({ outcome: 'error' });
      expect(neighbour.connections()).toBe(0);
    },
  );
});

/**
 * Has every connection made to this machine, whatever address its name gave: a name that changes at the last moment, a
 * proxy, a route.
 */
function leadHere(): void {
  const { connect } = net;
  const led = ({ lookup, ...options }: net.TcpNetConnectOpts) => {
    const socket = new net.Socket();
    // The name is asked for as ever; what it gave is not where the connection goes.
    lookup?.(options.host ?? '', {}, (error) =>
      error === null ? void socket.connect({ ...options, host: '127.0.0.1' }) : socket.destroy(error),
    );
    return socket;
  };
  Object.assign(net, { connect: led });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(net, { connect });
    syncBuiltinESMExports();
  });
}

test('media whose name has a public address are not fetched where the connection then leads to a private one', async () => {
  const neighbour = await serve((_seen, response) => png(response));
  const { port } = new URL(neighbour.url);
  const base = await serve((_seen, response) => json(response, 200, { at: `http://rebind.test:${port}/m.png` }));
  const asked = resolveNames({ 'api.retake.test': ['127.0.0.1'], 'rebind.test': ['93.184.216.34'] });
  leadHere();
  const keys = { origins: { download: ['base', '*'] }, result: { from: 'url', at: '$.at' } };
  const { result } = await call(`${PUBLIC_BASE}:${new URL(base.url).port}`, { keys });
  expect(asked.get('rebind.test')).toBe(1);
  expect(result).toMatchObject({ outcome: 'error', error: { code: 'download_address_refused' } });
  // It was connected to, and heard nothing.
  expect([neighbour.connections(), neighbour.seen]).toEqual([1, []]);
});
