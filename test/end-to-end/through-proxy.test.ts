import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Run } from '../../src/record/run.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type HttpProxy, startHttpProxy } from '../fixtures/proxies.ts';
import { filesBelow, journalOf, onlyRun, retake, retakeHere } from '../fixtures/retake-process.ts';
import { createAuthority } from '../fixtures/self-signed.ts';

/* An https service whose name only the proxy knows, called as users do. */

const AUTHORITY = createAuthority('Test authority');
const KEY = 'sk-seen-by-the-host-alone-0123456789';
const PASSWORD = 'password-of-the-proxy';
const SUITE = `suite: 1
name: s
variants: { near: { target: own/t }, far: { target: own/t } }
prompts: [fox]
repeats: 2
load: { warmup: 0 }
limits: { failures: 100% }
reports: [html]
`;
const TARGET = `target: 1
id: own/t
kind: text-to-image
base_url: https://api.test
auth: { in: header, name: Authorization, value: "Bearer \${secret.KEY}" }
submit: { path: /g, encoding: json, body: { prompt: "\${case.prompt}" } }
result: { from: body, expect: image/* }
`;

let server: Server;
let port: number;
const keys: (string | undefined)[] = [];

beforeAll(async () => {
  const png = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#369' } })
    .png()
    .toBuffer();
  server = createServer(AUTHORITY.issue('api.test'), (request, response) => {
    keys.push(request.headers.authorization);
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'image/png' }).end(png));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
afterAll(() => void server.close());

async function proxyIn(options: Parameters<typeof startHttpProxy>[1]): Promise<HttpProxy> {
  const proxy = await startHttpProxy({ 'api.test': port }, options);
  onTestFinished(() => proxy.close());
  return proxy;
}

function projectIn(folder: string): void {
  mkdirSync(join(folder, 'targets', 'own'), { recursive: true });
  writeFileSync(join(folder, 'ca.pem'), AUTHORITY.cert);
  writeFileSync(join(folder, 's.yaml'), SUITE);
  writeFileSync(join(folder, 'targets', 'own', 't.yaml'), TARGET);
}

test('a run goes through a proxy that speaks TLS and asks for a password, and its record says which', async () => {
  const folder = freshFolder();
  projectIn(folder);
  const proxy = await proxyIn({ user: `me:${PASSWORD}`, tls: AUTHORITY.issue('localhost') });
  const shown = `https://localhost:${proxy.port}`;
  const HTTPS_PROXY = `https://me:${PASSWORD}@localhost:${proxy.port}`;
  const env = { KEY, NODE_EXTRA_CA_CERTS: 'ca.pem', HTTPS_PROXY, no_proxy: 'elsewhere.test' };
  const ended = await retake(['run', 's.yaml'], folder, env);
  expect(ended.stderr).toContain(`sent through the proxy ${shown}: its time is in each latency`);
  expect(ended.code).toBe(0);
  const run = onlyRun(join(folder, 'results'));
  expect(journalOf(run).samples.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok']);
  const { variants }: Run = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'));
  expect(variants.map((variant) => variant.proxy)).toEqual([shown, shown]);
  expect(readFileSync(join(run, 'report.html'), 'utf8')).toContain(`sent through the proxy ${shown}`);
  expect(new Set(keys)).toEqual(new Set([`Bearer ${KEY}`]));
  expect(new Set(proxy.asked)).toEqual(new Set(['api.test:443']));
  expect(proxy.seen().includes(KEY)).toBe(false);
  const texts = [ended.stdout, ended.stderr, ...filesBelow(run).map((file) => readFileSync(file, 'latin1'))];
  expect(texts.filter((text) => text.includes(PASSWORD))).toEqual([]);
});

test('a run stops before it sends anything where the proxy is wrong, and names the variable', async () => {
  const folder = freshFolder();
  projectIn(folder);
  const env = { KEY, HTTPS_PROXY: 'http://proxy.invalid:3128' };
  const unknown = await retakeHere(['run', 's.yaml', '--quiet', '--set', 'reports=[]'], folder, env);
  expect(unknown.code).toBe(3);
  expect(unknown.stderr).toContain(
    'no request gets through the proxy http://proxy.invalid:3128 (HTTPS_PROXY) (proxy_failed); correct HTTPS_PROXY, or name the host in NO_PROXY',
  );
  const malformed = await retakeHere(['run', 's.yaml'], folder, {
    ...env,
    HTTPS_PROXY: 'socks5://me:secret@proxy.test',
  });
  expect(malformed.code).toBe(2);
  expect(malformed.stderr).toContain(
    'the environment variable HTTPS_PROXY is not the URL of an HTTP proxy; set it to http://HOST:PORT, or remove it: env -u HTTPS_PROXY retake ...',
  );
  expect(malformed.stderr).not.toContain('secret');
});
