import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retake } from '../fixtures/retake-process.ts';
import { storeRun } from '../fixtures/stored-suite.ts';
import { ask, type ServedViewer, serveViewer } from '../fixtures/viewer-process.ts';

/* retake view as a process: what it hands out, and to whom. */

const IMAGE = 'ab'.repeat(32);
const LINKED = 'cd'.repeat(32);
const OTHER = 'ef'.repeat(32);

let results: string;
let suite: string;
let viewer: ServedViewer;
const ofRun = (path: string) => `/runs/${suite}/first/${path}`;

beforeAll(async () => {
  const cwd = freshFolder();
  results = join(cwd, 'results');
  mkdirSync(results);
  suite = storeRun(results, 'first', '2026-11-20T15:45:00Z', { examined: true }).slice(results.length + 1);
  storeRun(results, 'second', '2026-11-21T15:45:00Z', { examined: true });
  const run = join(results, suite, 'first');
  for (const shelf of ['ab', 'cd', 'ef']) mkdirSync(join(run, 'media', shelf), { recursive: true });
  writeFileSync(join(run, 'media', 'ab', `${IMAGE}.png`), 'an image');
  writeFileSync(join(run, 'media', 'ef', `${OTHER}.bin`), '<script>alert(1)</script>');
  writeFileSync(join(cwd, 'outside.png'), 'outside');
  symlinkSync(join(cwd, 'outside.png'), join(run, 'media', 'cd', `${LINKED}.png`));
  symlinkSync(join(run, 'journal.jsonl'), join(run, 'samples.csv'));
  symlinkSync(run, join(results, suite, 'linked'));
  writeFileSync(join(run, 'measures.csv'), 'a,b\n');
  viewer = await serveViewer([], cwd);
});

afterAll(async () => {
  await viewer?.close();
});

test('retake view prints one line with the address, ends with 0 at the first Ctrl-C, and says where a port is in use', async () => {
  const own = await serveViewer([join(results, suite, 'second')], results);
  expect(own.printed).toBe(`${own.url}/runs/${suite}/second/`);
  const taken = await retake(['view', '--out', results, '--port', new URL(own.url).port], results);
  expect(taken).toMatchObject({ code: 2, stderr: expect.stringMatching(/^retake view: port \d+ is in use; choose/) });
  expect(await own.close()).toEqual({ code: 0, stdout: `${own.printed}\n`, stderr: '' });
});

test.each([
  [['view', '--out', 'nowhere'], 'there is no folder nowhere; measure a suite'],
  [['view', 'nowhere'], 'there is no run at'],
  [['view', '--host', 'localhost'], '--host takes an IP address'],
  [['view', '--port', '70000'], '--port takes a whole number'],
])('retake view refuses what it cannot show: %j', async (args, sentence) => {
  const refused = await retake(args, freshFolder());
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
});

test('retake view opens no port that another process listens on', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect((await retake(['view', '--port', String(port), '--out', results], results)).code).toBe(2);
  server.close();
});

test('the list of results has every run with its report, the latest first', async () => {
  const { status, body } = await ask(viewer.url, '/');
  expect(status).toBe(200);
  const places = [...body.matchAll(/href="\/runs\/([^"]+)\/report\.html"/g)].map(([, place]) => place);
  expect(places).toEqual([`${suite}/second`, `${suite}/first`]);
});

test.each(['report.html', '', 'measures.csv', `media/ab/${IMAGE}.png`])(
  'every answer names its type and forbids what it does not need: %s',
  async (path) => {
    const { status, headers } = await ask(viewer.url, ofRun(path));
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers['content-security-policy']).toMatch(/(default|script)-src 'none'.*frame-ancestors 'none'/);
    expect(headers['content-security-policy']).not.toMatch(/unsafe/);
  },
);

test('media are shown in place, everything else is saved: as a type from a fixed list', async () => {
  const image = await ask(viewer.url, ofRun(`media/ab/${IMAGE}.png`));
  expect(image).toMatchObject({ body: 'an image', headers: { 'content-type': 'image/png' } });
  expect(image.headers['content-disposition']).toBeUndefined();
  const other = await ask(viewer.url, ofRun(`media/ef/${OTHER}.bin`));
  expect(other.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${OTHER}.bin"`,
  });
  const csv = await ask(viewer.url, ofRun('measures.csv'));
  expect(csv.headers['content-disposition']).toBe('attachment; filename="measures.csv"');
});

test('a part of a file is sent where one is asked for, as players of videos do', async () => {
  const range = (asked: string) => ask(viewer.url, ofRun(`media/ab/${IMAGE}.png`), { headers: { range: asked } });
  expect(await range('bytes=3-7')).toMatchObject({
    status: 206,
    body: 'image',
    headers: { 'content-range': 'bytes 3-7/8', 'content-length': '5' },
  });
  expect((await range('bytes=8-')).status).toBe(416);
  const head = await ask(viewer.url, ofRun(`media/ab/${IMAGE}.png`), { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, body: '', headers: { 'content-length': '8' } });
});

test.each([
  ['the journal', () => ofRun('journal.jsonl')],
  ['run.json', () => ofRun('run.json')],
  ['the facts', () => ofRun('facts.jsonl')],
  ['a link out of the folder', () => ofRun(`media/cd/${LINKED}.png`)],
  ['a link to the journal', () => ofRun('samples.csv')],
  ['a link to a run', () => `/runs/${suite}/linked/`],
  ['a step up', () => ofRun('../second/report.html/../../outside.png')],
  ['steps up', () => '/runs/../../outside.png'],
  ['encoded steps up', () => `/runs/${suite}/%2e%2e/outside.png`],
  ['an encoded step as a suite', () => '/suites/%2e%2e/'],
  ['encoded slashes', () => ofRun('media%2f..%2fjournal.jsonl')],
  ['encoded slashes in a run', () => `/runs/${suite}/..%2f..%2f..%2fetc/`],
  ['backslashes', () => ofRun('media\\..\\journal.jsonl')],
  ['a null byte', () => ofRun('measures.csv%00.png')],
  ['a hidden folder', () => '/suites/.git/'],
  ['a broken escape', () => '/suites/%zz/'],
])('a path is refused: %s', async (_, path) => {
  const { status, body } = await ask(viewer.url, path());
  expect([400, 404]).toContain(status);
  expect(body).not.toMatch(/outside\n?$|"event"/);
});

test.each(['/', '/nothing'])('a request of another site, and one that is no reading, is refused: %s', async (path) => {
  const { port } = new URL(viewer.url);
  const status = async (headers: Record<string, string>, method = 'GET') =>
    (await ask(viewer.url, path, { headers, method })).status;
  const found = path === '/' ? 200 : 404;
  expect(await status({ host: `evil.example:${port}` })).toBe(403);
  expect(await status({ host: `192.168.1.7:${port}` })).toBe(403);
  expect(await status({ origin: 'https://evil.example' })).toBe(403);
  expect(await status({ origin: 'null' })).toBe(403);
  expect(await status({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' })).toBe(
    403,
  );
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect(await status({}, method)).toBe(405);
  expect(await status({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(found);
  expect(
    await status({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }),
  ).toBe(found);
});

test('two runs are compared only where both are there', async () => {
  const compare = (a: string, b: string) => ask(viewer.url, `/compare?a=${suite}%2F${a}&b=${suite}%2F${b}`);
  expect((await compare('first', 'second')).status).toBe(200);
  expect((await compare('first', 'third')).status).toBe(404);
  expect((await compare('first', '..%2F..%2Fx')).status).toBe(404);
  expect((await compare('first', 'linked')).status).toBe(404);
});

test('a report.html that is older than its record, or of somebody else, is made again from the record', async () => {
  const path = join(results, suite, 'first', 'report.html');
  const made = await ask(viewer.url, ofRun('report.html'));
  writeFileSync(path, made.body.replace('</main>', '<p>of this file</p></main>'));
  expect((await ask(viewer.url, ofRun('report.html'))).body).toContain('of this file');
  writeFileSync(path, '<script>alert(1)</script><p>of this file</p>');
  expect((await ask(viewer.url, ofRun('report.html'))).body).toBe(made.body);
});
