import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retakeHere } from '../fixtures/retake-process.ts';
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

test('the list has every run of every suite, the latest first, and leads to their reports', async () => {
  const { status, body } = await ask(viewer.url, '/');
  expect(status).toBe(200);
  const places = [...body.matchAll(/class="name" href="\/runs\/([^"]+)\/report\.html"/g)].map(([, place]) => place);
  expect(places).toEqual([`${suite}/second`, `${suite}/first`]);
});

test.each(['report.html', 'measures.csv', `media/ab/${IMAGE}.png`])(
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

test('a run and a suite have one address each: that of a run leads to its report, that of a suite to its runs', async () => {
  const leadsTo = async (path: string) => (await ask(viewer.url, path)).headers.location;
  expect(await leadsTo(ofRun(''))).toBe(ofRun('report.html'));
  expect(await leadsTo(`/suites/${suite}/`)).toBe(`/?find=${suite}`);
});

test.each([
  '/SUITE',
  '/runs/SUITE/third/',
  '/runs/SUITE/third/report.html',
  '/runs/SUITE/first/nothing.csv',
  '/suites/other/',
  '/%3Cb%3E/%E2%80%AE',
  '/%2e%2e/results',
  '//evil.example/x',
  '/compare?run=SUITE%2Ffirst&run=SUITE%2Fthird',
])('an address that leads nowhere is answered with a link to the list: %s', async (path) => {
  const { status, headers, body } = await ask(viewer.url, path.replaceAll('SUITE', suite));
  expect([status, headers.location]).toEqual([404, undefined]);
  expect(body).toContain('<li><a href="/">All runs</a></li>');
});

test('a request of another site is refused', async () => {
  expect((await ask(viewer.url, '/', { headers: { host: 'evil.example' } })).status).toBe(403);
});

test('a request that names two servers is refused', async () => {
  const { hostname, port } = new URL(viewer.url);
  const socket = connect(Number(port), hostname);
  socket.end(`GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
  const [head] = await once(socket.setEncoding('utf8'), 'data');
  expect(head).toMatch(/^HTTP\/1\.1 403 /);
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
  const compare = (a: string, b: string) => ask(viewer.url, `/compare?run=${suite}%2F${a}&run=${suite}%2F${b}`);
  const both = await compare('first', 'second');
  expect(both.status).toBe(200);
  // Of the first run it is not known.
  expect(both.body).toMatch(/>Earlier<\/th><th [^>]+>Later, from eu<\/th>/);
  expect((await compare('first', 'third')).status).toBe(404);
  expect((await compare('first', '..%2F..%2Fx')).status).toBe(409);
  expect((await compare('first', 'linked')).status).toBe(404);
  // In whatever order they were chosen, the one that was measured first is the earlier one.
  expect((await compare('second', 'first')).body).toBe(both.body);
  const one = `run=${suite}%2Ffirst`;
  for (const chosen of ['', one, `${one}&${one}`, `${one}&${one}&run=${suite}%2Fsecond`]) {
    const refused = await ask(viewer.url, `/compare?${chosen}`);
    expect(refused).toMatchObject({ status: 409, body: expect.stringContaining('Choose two runs in the list.') });
  }
});

test('a list says of a run what its gate said, what was not judged, and which is the stored baseline', async () => {
  const cwd = freshFolder();
  const own = join(cwd, 'results');
  mkdirSync(own);
  const folder = storeRun(own, 'first', '2026-11-20T15:45:00Z', { examined: true });
  storeRun(own, 'second', '2026-11-21T15:45:00Z', { examined: true });
  expect((await retakeHere(['baseline', join(folder, 'first'), '--force'], cwd)).code).toBe(0);
  expect((await retakeHere(['history', folder], cwd)).code).toBe(0);
  const path = join(folder, 'history.jsonl');
  const said = {
    question: 'worth',
    answer: 'fast is <b>.',
    doubts: ['variants gave the same files'],
    latenciesUnfit: true,
    warnings: 2,
  };
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const open = { verdict: 'pass', complete: true, notJudged: { rules: 1, of: 2 }, said };
  writeFileSync(path, lines.map((line) => `${JSON.stringify({ ...JSON.parse(line), ...open })}\n`).join(''));
  const shown = await serveViewer([], cwd);
  const list = (await ask(shown.url, '/')).body;
  expect(list.match(/stored baseline<\/span>/g)).toHaveLength(1);
  expect(list).toContain('<span class="state warn">Gate passed, 1 not judged</span>');
  expect(list).toContain('<b>Is it worth it?</b> fast is &lt;b&gt;.');
  expect(list).toContain('Do not rely on it: variants gave the same files.');
  expect(list).toContain(`href="/runs/${suite}/second/report.html#warnings">2 warnings</a>`);
  // What an older Retake wrote has no answer.
  writeFileSync(path, lines.map((line) => `${JSON.stringify({ ...JSON.parse(line), said: undefined })}\n`).join(''));
  expect((await ask(shown.url, '/')).body).toContain('Open the run for its answer.');
  await shown.close();
});

test('outputs of two runs whose bytes differ are compared where they are still there and decode', async () => {
  const changed = await storeChange(results);
  const whole = readFileSync(changed);
  // The page is made again once outputs have come or gone.
  const found = async () => (await ask(viewer.url, '/compare?run=changed%2Fbefore&run=changed%2Fafter')).body;
  writeFileSync(changed, whole.subarray(0, 60));
  expect(await found()).toMatch(/They were not compared/);
  rmSync(changed);
  expect(await found()).toMatch(/They were not compared: the media of one output is missing\./);
  writeFileSync(changed, whole);
  const page = await found();
  expect(page).toMatch(/Two runs: visually similar; largest difference 8 of 255, PSNR/);
  expect(page).toContain('Two runs: byte-identical.');
  expect(page).toMatch(/<figure class="differs"><img class="difference"/);
  rmSync(join(results, 'changed'), { recursive: true });
});

test('a stored report.html is not shown: the page is made from the record', async () => {
  const path = join(results, suite, 'first', 'report.html');
  const made = await ask(viewer.url, ofRun('report.html'));
  expect(made).toMatchObject({ status: 200, body: expect.stringContaining('</main>') });
  // Somebody who wrote the record wrote its report too: with our policy, and with words and links of theirs.
  writeFileSync(path, made.body.replace('</main>', '<p>of this file</p></main>'));
  expect((await ask(viewer.url, ofRun('report.html'))).body).toBe(made.body);
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
  const ofSuites = [`/suites/${name}/`, `/suites/${name}/history.html`, '/suites/loop/'];
  for (const path of ['/', ...ofSuites, `/runs/${name}/history.jsonl`, `/runs/${name}/history.jsonl/`, ...ofRuns]) {
    answers.set(path, await ask(shown.url, path, path.endsWith('events') ? { method: 'HEAD' } : {}));
  }
  const failed = [...answers].filter(([, { status }]) => status >= 500).map(([path]) => path);
  expect(failed).toEqual([]);
  expect(answers.get('/')?.body).toContain('/whole/');
  expect(answers.get('/')?.body).toMatch(
    />Not readable<.*<td class="said">[^<]*without-journal.jsonl.journal.jsonl is a link/,
  );
  expect(answers.get(`/runs/${name}/without-journal.jsonl/report.html`)).toMatchObject({
    status: 409,
    body: expect.stringContaining(`${name}/without-journal.jsonl`),
  });
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
  const heads = ['report.html', `media/ab/${IMAGE}.png`, 'measures.csv'].map(
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
