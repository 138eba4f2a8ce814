import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FollowedRuns, followRuns } from '../../src/view/progress/outline.ts';
import { livePages } from '../../src/view/routes/runs.ts';
import { buildWarning } from '../fixtures/build-warning.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retakeHere, startRetake } from '../fixtures/retake-process.ts';
import { ORDINARY } from '../fixtures/scripted-run.ts';
import { storeChange, storeRun } from '../fixtures/stored-suite.ts';
import { ask, type ServedViewer, serveViewer } from '../fixtures/viewer-process.ts';

/* What retake view hands out, and to whom. */

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
  storeRun(results, 'second', '2026-11-21T15:45:00Z', { examined: true, vantage: 'eu' });
  const run = join(results, suite, 'first');
  for (const shelf of ['ab', 'cd', 'ef']) mkdirSync(join(run, 'media', shelf), { recursive: true });
  writeFileSync(join(run, 'media', 'ab', `${IMAGE}.png`), 'an image');
  writeFileSync(join(run, 'media', 'ef', `${OTHER}.bin`), '<script>alert(1)</script>');
  writeFileSync(join(run, 'scores.jsonl'), '');
  writeFileSync(join(cwd, 'outside.png'), 'outside');
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
  const taken = await retakeHere(['view', '--out', results, '--port', new URL(own.url).port], results);
  expect(taken).toMatchObject({ code: 2, stderr: expect.stringMatching(/^retake view: port \d+ is in use; choose/) });
  expect(await own.close()).toEqual({ code: 0, stdout: `${own.printed}\n`, stderr: '' });
});

test.skipIf(process.platform !== 'linux')(
  "retake view --open hands its address to the opener of the system, without the user's keys, and says where there is none",
  async () => {
    const folder = freshFolder();
    const told = join(folder, 'told');
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$#" "$1" "$RETAKE_API_KEY" > '${told}'\n`, {
      mode: 0o755,
    });
    const path = `${folder}:${process.env.PATH}`;
    const named = freshFolder();
    const hostile = join(named, "a'b $(id) & c");
    renameSync(storeRun(named, 'first', '2026-11-20T15:45:00Z', { telling: ORDINARY }), hostile);
    const args = ['view', join(hostile, 'first'), '--open', '--port', '0'];
    const start = (env: Readonly<Record<string, string>>) =>
      startRetake(args, folder, { RETAKE_API_KEY: 'key', ...env });
    const shown = start({ PATH: path, DISPLAY: ':1' });
    const printed = await shown.prints(/^http:\S+(?=\n)/);
    await expect.poll(() => existsSync(told) && readFileSync(told, 'utf8').split('\n').length).toBe(4);
    const [number, address = '', key] = readFileSync(told, 'utf8').split('\n');
    expect([number, key, decodeURIComponent(address)]).toEqual(['1', '', decodeURIComponent(printed)]);
    expect(address).toMatch(/^[\w:/.%-]+$/);
    expect((await ask(new URL(printed).origin, new URL(address).pathname)).status).toBe(200);
    shown.kill('SIGINT');
    expect((await shown.ended).stderr).toBe('');
    rmSync(join(folder, 'xdg-open'));
    const without = start({ PATH: folder, DISPLAY: ':1' });
    await without.saysOnError('open the address yourself');
    const blind = start({ PATH: folder });
    await blind.prints(/^http:\S+(?=\n)/);
    for (const each of [without, blind]) each.kill('SIGINT');
    expect(await blind.ended).toMatchObject({ code: 0, stderr: '' });
    expect((await without.ended).code).toBe(0);
  },
);

test.each([
  [['view', '--out', 'nowhere'], 'there is no folder nowhere; measure a suite'],
  [['view', 'nowhere'], 'there is no run at'],
  [['view', '--host', 'localhost'], '--host takes an IP address'],
  [['view', '--host', 'fe80::1%eth0'], '--host takes an IP address without a zone'],
  [['view', '--port', '70000'], '--port takes a whole number'],
])('retake view refuses what it cannot show: %j', async (args, sentence) => {
  const refused = await retakeHere(args, freshFolder());
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
});

test('retake view opens no port that another process listens on', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect((await retakeHere(['view', '--port', String(port), '--out', results], results)).code).toBe(2);
  server.close();
});

test('the list of one suite leads to its latest report, and has its runs, the latest first', async () => {
  const { status, body } = await ask(viewer.url, '/');
  expect(status).toBe(200);
  const places = [...body.matchAll(/href="\/runs\/([^"]+)\/report\.html"/g)].map(([, place]) => place);
  expect(places).toEqual([`${suite}/second`, `${suite}/second`, `${suite}/first`]);
});

test('a list is sent again only where it has changed', async () => {
  const list = (tag: string) => ask(viewer.url, `/suites/${suite}/`, { headers: { 'if-none-match': tag } });
  const { headers, status } = await list('"another"');
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  const again = await list(headers.etag ?? '');
  expect([again.status, again.body]).toEqual([304, '']);
  const bare = await ask(viewer.url, `/suites/${suite}/`, { headers: { 'retake-bare-page': '1' } });
  expect(bare.body).not.toMatch(/<style|<script/);
  expect(bare.body).toContain(`<h1>${suite}</h1>`);
  storeRun(results, 'third', '2026-11-22T15:45:00Z');
  expect(await list(headers.etag ?? '')).toMatchObject({ status: 200, body: expect.stringContaining('third') });
  rmSync(join(results, suite, 'third'), { recursive: true });
});

test.each([
  ['', ['second', 'first']],
  ['?sort=began', ['first', 'second']],
  ['?sort=-run', ['second', 'first']],
  ['?sort=requests', ['second', 'first']],
  ['?sort=nothing', ['second', 'first']],
  ['?sort=run&sort=gate', ['second', 'first']],
])('the runs of a suite are sorted as the address says: %j', async (query, names) => {
  const { status, body } = await ask(viewer.url, `/suites/${suite}/${query}`);
  expect(status).toBe(200);
  expect([...body.matchAll(/<tr data-key="[^"/]+\/([^"]+)"/g)].map(([, name]) => name)).toEqual(names);
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
  ['the scores', () => ofRun('scores.jsonl')],
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
  const run = join(results, suite, 'first');
  const links = [join(run, 'media', 'cd', `${LINKED}.png`), join(run, 'samples.csv')] as const;
  symlinkSync(join(results, '..', 'outside.png'), links[0]);
  symlinkSync(join(run, 'journal.jsonl'), links[1]);
  const { status, body } = await ask(viewer.url, path());
  for (const link of links) rmSync(link);
  expect([400, 404]).toContain(status);
  expect(body).not.toMatch(/outside\n?$|"event"/);
});

test.each([
  ['/SUITE', '/suites/SUITE/'],
  ['/SUITE/second', '/runs/SUITE/second/'],
  ['/runs/SUITE', '/suites/SUITE/'],
  ['/suites/SUITE/second', '/runs/SUITE/second/'],
])('a short address leads to the page that it means: %s', async (short, whole) => {
  const { status, headers } = await ask(viewer.url, short.replace('SUITE', suite));
  expect([status, headers.location]).toEqual([302, whole.replace('SUITE', suite)]);
  expect((await ask(viewer.url, whole.replace('SUITE', suite))).status).toBe(200);
});

test.each([
  ['/SUITE/third', /has no run “third”.*Latest run: second/s, '/runs/SUITE/second/'],
  ['/runs/SUITE/third/report.html', /has no run “third”.*Latest run: second/s, '/suites/SUITE/'],
  [
    '/suites/other/',
    /no suite and no run “other” in results.*address \/SUITE, and a run \/SUITE\/RUN/s,
    '/?find=other',
  ],
  ['/%3Cb%3E/%E2%80%AE', /no suite and no run “&lt;b&gt;” in results/, '/'],
  ['/SUITE/first/nothing.csv', /Run first has no such page and no such file/, '/runs/SUITE/first/'],
  ['/compare?a=SUITE%2Ffirst&b=SUITE%2Fthird', /has no run “third”/, '/runs/SUITE/second/'],
])(
  'an address that leads nowhere is answered with what is missing, and a link to what is there: %s',
  async (path, words, link) => {
    const asked = path.replaceAll('SUITE', suite);
    const first = await ask(viewer.url, asked);
    const { status, body } =
      first.headers.location === undefined ? first : await ask(viewer.url, first.headers.location);
    expect(status).toBe(404);
    expect(body).toMatch(words);
    expect(body).toContain(`href="${link.replace('SUITE', suite)}"`);
  },
);

test('a short address that steps out of the results, or through a link, leads nowhere', async () => {
  for (const path of [
    '/SUITE/linked',
    '/%2e%2e/results',
    '/SUITE/..%2f..',
    '/SUITE/first/%2e%2e/second',
    '//evil.example/x',
  ]) {
    const { status, headers } = await ask(viewer.url, path.replace('SUITE', suite));
    expect([status, headers.location]).toEqual([404, undefined]);
  }
});

test.each(['/', '/nothing'])('a request of another site, and one that is no reading, is refused: %s', async (path) => {
  const { port } = new URL(viewer.url);
  const status = async (headers: Record<string, string>, method = 'GET') =>
    (await ask(viewer.url, path, { headers, method })).status;
  const found = path === '/' ? 200 : 404;
  expect(await status({ host: `evil.example:${port}` })).toBe(403);
  expect(await status({ host: `192.168.1.7:${port}` })).toBe(403);
  for (const host of ['localhost.evil.example', `127.0.0.1:${port}@evil.example`, 'evil.example, localhost']) {
    expect(await status({ host })).toBe(403);
  }
  for (const host of [`[::1]:${port}`, `LOCALHOST:${port}`, '127.0.0.1']) expect(await status({ host })).toBe(found);
  expect(await status({ origin: `http://127.0.0.1:${Number(port) + 1}` })).toBe(403);
  expect(await status({ 'sec-fetch-site': 'same-site' })).toBe(403);
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

test('a request that names two servers is refused', async () => {
  const { hostname, port } = new URL(viewer.url);
  const socket = connect(Number(port), hostname);
  socket.end(`GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
  const [head] = await once(socket.setEncoding('utf8'), 'data');
  expect(head).toMatch(/^HTTP\/1\.1 403 /);
});

test('readers of one run in progress share a page, whose journal is read once', async () => {
  const { read } = followRuns();
  let reads = 0;
  const runs: Pick<FollowedRuns, 'read'> = {
    read: (folder) => {
      reads += 1;
      return read(folder);
    },
  };
  const page = livePages({ folder: ({ run }) => join(results, suite, run) }, runs);
  const pages = await Promise.all(Array.from({ length: 70 }, () => page({ suite, run: 'second' })));
  expect(new Set(pages).size).toBe(1);
  expect(pages[0]).toMatchObject({ ok: true });
  expect(reads).toBe(1);
});

test('a page that followed a run is sent to its report once the run has ended', async () => {
  const asked = { headers: { 'retake-bare-page': '1' } };
  const reply = await fetch(`${viewer.url}/runs/${suite}/second/`, asked);
  expect([reply.status, reply.headers.get('location')]).toEqual([204, `/runs/${suite}/second/report.html`]);
});

test('the list of an empty folder says how a run comes there, and that of a deleted folder that it is gone', async () => {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'results'));
  const own = await serveViewer([], cwd);
  expect((await ask(own.url, '/')).body).toContain('There is no run yet.');
  rmSync(join(cwd, 'results'), { recursive: true });
  expect((await ask(own.url, '/')).body).toContain('The folder was deleted or moved.');
  expect((await own.close()).stderr).toBe('');
});

test('the page of a run in progress is titled by its suite, and says how long nothing was recorded', async () => {
  const began = new Date(Date.now() - 3_600_000).toISOString();
  const folder = join(storeRun(results, 'quiet', began), 'quiet');
  const journal = join(folder, 'journal.jsonl');
  // Its process is this one, and has not ended the run.
  writeFileSync(journal, readFileSync(journal, 'utf8').replace(/[^\n]*\n$/, ''));
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, host: null, startedAt: null }));
  const { body } = await ask(viewer.url, `/runs/${suite}/quiet/`);
  expect(body).toMatch(/<span>nothing recorded for \d+ min/);
  expect(body).toContain(`<h1>${suite}</h1>`);
  expect(body).toMatch(/aria-current="page"[^>]*>Progress</);
  rmSync(folder, { recursive: true });
});

test('two runs are compared only where both are there', async () => {
  const compare = (a: string, b: string) => ask(viewer.url, `/compare?a=${suite}%2F${a}&b=${suite}%2F${b}`);
  const both = await compare('first', 'second');
  expect(both.status).toBe(200);
  // Of the first run it is not known.
  expect(both.body).toMatch(/>Earlier<\/th><th [^>]+>Later, from eu<\/th>/);
  expect((await compare('first', 'third')).status).toBe(404);
  expect((await compare('first', '..%2F..%2Fx')).status).toBe(404);
  expect((await compare('first', 'linked')).status).toBe(404);
  // In whatever order they were chosen, the one that was measured first is the earlier one.
  expect((await compare('second', 'first')).body).toBe(both.body);
  expect(await compare('first', 'first')).toMatchObject({
    status: 409,
    body: expect.stringContaining('Choose two different runs.'),
  });
});

test('the choice of two runs says what each gate said and which is the stored baseline, the list of runs what is void', async () => {
  const cwd = freshFolder();
  const own = join(cwd, 'results');
  mkdirSync(own);
  const folder = storeRun(own, 'first', '2026-11-20T15:45:00Z', { examined: true });
  storeRun(own, 'second', '2026-11-21T15:45:00Z', { examined: true });
  expect((await retakeHere(['baseline', join(folder, 'first'), '--force'], cwd)).code).toBe(0);
  expect((await retakeHere(['history', folder, '--rebuild'], cwd)).code).toBe(0);
  const shown = await serveViewer([], cwd);
  const { body } = await ask(shown.url, '/compare');
  const options = [...body.matchAll(/<option [^>]+>([^<]+)</g)].map(([, words]) => words);
  expect(options.slice(0, 2)).toEqual([
    expect.stringMatching(/^second(, gate (passed|failed|not decided))?$/),
    expect.stringMatching(/^first, stored baseline(, gate (passed|failed|not decided))?$/),
  ]);
  const same = 'variants gave the same files';
  const decided = { verdict: 'pass_unfit', complete: true, rules: [] };
  const warnings = [buildWarning('equal_variants', { unfit: ['comparison', same], what: 'euler is as heun' })];
  writeFileSync(join(folder, 'second', 'verdict.json'), JSON.stringify({ ...decided, warnings }));
  expect((await ask(shown.url, '/suites/image-variants/')).body.match(/stored baseline<\/span>/g)).toHaveLength(1);
  expect((await ask(shown.url, '/')).body).toMatch(
    /do not rely on the numbers: variants gave the same files<.*1 warning: euler is as heun/,
  );
  for (const page of ['/suites/image-variants/', '/runs/image-variants/second/'])
    expect((await ask(shown.url, page)).body).toContain('>Gate passed, latencies unfit<');
  const unknown = { ...decided, warnings: [{ code: 'equal_variants' }] };
  writeFileSync(join(folder, 'second', 'verdict.json'), JSON.stringify(unknown));
  expect((await ask(shown.url, '/')).body).not.toContain('do not rely');
  await shown.close();
});

test('two outputs of two runs are compared once they are asked for, if their bytes differ, are still there and decode', async () => {
  const changed = await storeChange(results);
  const ofPair = (pair: string) =>
    ask(viewer.url, `/compare/difference?a=changed%2Fbefore&b=changed%2Fafter&pair=${pair}`);
  // Those whose bytes differ come first.
  const whole = readFileSync(changed);
  writeFileSync(changed, whole.subarray(0, 60));
  expect((await ofPair('0')).body).toMatch(/They were not compared/);
  rmSync(changed);
  expect((await ofPair('0')).body).toMatch(/They were not compared: the media of one output is missing\./);
  writeFileSync(changed, whole);
  const found = await ofPair('0');
  expect(found.headers['content-type']).toMatch(/^text\/plain/);
  expect(found.body).toMatch(/^Two runs: visually similar; largest difference 8 of 255, PSNR/);
  expect((await ofPair('0')).body).toBe(found.body);
  expect((await ofPair('1')).body).toBe('Two runs: byte-identical.');
  for (const pair of ['2', '-1', 'x', '']) expect((await ofPair(pair)).status).toBe(404);
  rmSync(join(results, 'changed'), { recursive: true });
});

test('a stored report.html is not shown: the page is made from the record', async () => {
  const path = join(results, suite, 'first', 'report.html');
  const made = await ask(viewer.url, ofRun('report.html'));
  expect(made).toMatchObject({ status: 200, body: expect.stringContaining('</main>') });
  // Somebody who wrote the record wrote its report too: with our policy, and with words and links of theirs.
  writeFileSync(path, made.body.replace('</main>', '<p>of this file</p></main>'));
  expect((await ask(viewer.url, ofRun('report.html'))).body).toBe(made.body);
  expect((await ask(viewer.url, ofRun('report.html?save'))).body).not.toContain('of this file');
});

test('what cannot be read in a record is said in its row and on its pages, and no page ends in an internal error', async () => {
  const cwd = freshFolder();
  const own = join(cwd, 'results');
  mkdirSync(own);
  const name = storeRun(own, 'whole', '2026-11-20T15:45:00Z').slice(own.length + 1);
  const broken: Readonly<Record<string, (path: string) => void>> = {
    'run.json': loopAt,
    'journal.jsonl': loopAt,
    'facts.jsonl': loopAt,
    lock: loopAt,
    thumbs: (path) => writeFileSync(path, ''),
    media: loopAt,
    'report.html': (path) => mkdirSync(path),
  };
  for (const [part, breakIt] of Object.entries(broken)) {
    const run = join(storeRun(own, `without-${part}`, '2026-11-21T15:45:00Z'), `without-${part}`);
    rmSync(join(run, part), { recursive: true, force: true });
    breakIt(join(run, part));
  }
  mkdirSync(join(own, 'looping'));
  loopAt(join(own, 'looping', 'history.jsonl'));
  loopAt(join(own, 'loop'));
  const shown = await serveViewer([], cwd);
  const answers = new Map<string, { readonly status: number; readonly body: string }>();
  const ofRuns = Object.keys(broken).flatMap((part) =>
    ['', 'report.html', 'events', 'history.jsonl'].map((page) => `/runs/${name}/without-${part}/${page}`),
  );
  const ofSuites = [
    `/suites/${name}/`,
    `/suites/${name}/history.html`,
    `/suites/${name}/?sort=requests`,
    '/suites/loop/',
  ];
  for (const path of ['/', ...ofSuites, `/runs/${name}/history.jsonl`, `/runs/${name}/history.jsonl/`, ...ofRuns]) {
    answers.set(path, await ask(shown.url, path, path.endsWith('events') ? { method: 'HEAD' } : {}));
  }
  const failed = [...answers].filter(([, { status }]) => status >= 500).map(([path]) => path);
  expect(failed).toEqual([]);
  expect(answers.get('/')?.body).toContain('/whole/');
  const rows = answers.get(`/suites/${name}/`)?.body ?? '';
  expect(rows).toMatch(/without-journal.jsonl<\/a><\/th><td class="why".*not readable<\/span>: [^<]+without-journal/);
  // Where it is stands on no page.
  for (const { body } of answers.values()) expect(body).not.toContain(cwd);
  const { code, stderr } = await shown.close();
  expect(code).toBe(0);
  expect(stderr).not.toContain('internal error');
});

function loopAt(path: string): void {
  symlinkSync(basename(path), path);
}

test.skipIf(process.platform !== 'linux')('a reader that leaves at once leaves no file open', async () => {
  const { hostname, port } = new URL(viewer.url);
  const heads = ['report.html', 'report.html?save', `media/ab/${IMAGE}.png`, 'measures.csv'].map(
    (path) => `GET ${ofRun(path)} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`,
  );
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(results);
      } catch {
        return false;
      }
    });
  writeFileSync(join(results, suite, 'first', 'report.html'), (await ask(viewer.url, ofRun('report.html'))).body);
  for (let at = 0; at < 60; at += 1) {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(heads[at % heads.length] ?? '');
    socket.destroySoon();
    await once(socket, 'close');
  }
  expect((await ask(viewer.url, '/')).status).toBe(200);
  await expect.poll(openFiles).toEqual([]);
});

test('an address that no router takes, and what is no HTTP, are refused as every other request', async () => {
  const { hostname, port } = new URL(viewer.url);
  const bad = await ask(viewer.url, '/%zz');
  expect(bad.status).toBe(400);
  expect(bad.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  const foreign = await ask(viewer.url, '/%zz', { headers: { host: `evil.example:${port}` } });
  expect([foreign.status, foreign.headers['x-content-type-options']]).toEqual([403, 'nosniff']);
  const socket = connect(Number(port), hostname);
  socket.end('<script>alert(1)</script>\r\n\r\n');
  const [head] = await once(socket.setEncoding('utf8'), 'data');
  expect(head).toBe('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
});

test('connections that say nothing, or begin a request and do not end it, keep no reader out', async () => {
  const { hostname, port } = new URL(viewer.url);
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async (_, at) => {
      const socket = connect(Number(port), hostname).on('error', () => {});
      await once(socket, 'connect');
      if (at % 2 === 0) socket.write('GET / HTTP/1.1\r\nHo');
      return socket;
    }),
  );
  for (let at = 0; at < 3; at += 1) expect((await ask(viewer.url, '/')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('a report is saved as one file, the stored one where the record cannot be read, without links to this server', async () => {
  const path = join(results, suite, 'second', 'report.html');
  const save = () => ask(viewer.url, `/runs/${suite}/second/report.html?save`);
  const made = await save();
  expect(made.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+-second\.html"/);
  expect(made.body).not.toContain('href="/');
  // A page of an earlier version can be kept, and is not shown.
  writeFileSync(path, 'an earlier page');
  const journal = join(results, suite, 'second', 'journal.jsonl');
  const lines = readFileSync(journal, 'utf8').split('\n');
  writeFileSync(journal, [lines[0], '{"event":', ...lines.slice(2)].join('\n'));
  const refused = await ask(viewer.url, `/runs/${suite}/second/report.html`);
  expect(refused).toMatchObject({
    status: 409,
    body: expect.stringMatching(/journal\.jsonl:2:1: the line is not JSON/),
  });
  expect(refused.body).toContain('Save the stored report');
  expect(await save()).toMatchObject({
    status: 200,
    body: 'an earlier page',
    headers: {
      'content-disposition': expect.stringMatching(/^attachment/),
      'content-security-policy': expect.stringContaining('sandbox'),
    },
  });
});
