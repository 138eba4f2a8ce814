import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ballot, VoteLine } from '../../src/record/score.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type ImageServer, serveImages, smallImage, writePainter } from '../fixtures/image-server.ts';
import { retakeHere, startHere, startRetake } from '../fixtures/retake-process.ts';
import { copyOf } from '../fixtures/scored-run.ts';
import { ask, type ServedViewer, served, serveVotes } from '../fixtures/viewer-process.ts';
import { give, nextBallot, type Sent, tokenOf } from '../fixtures/voter.ts';
import { NIGHTLY } from '../test-options.ts';

/* `retake vote` as a server: what it hands out, whose votes it takes, and what becomes of them. */

/** Both variants give the same image of the last seed: a pair that nobody sees. */
const ALIKE = 7109;

const SUITE = `suite: 1
name: voted
variants:
  careful-one: { target: ./painter.yaml, const: { model: careful }, baseline: true }
  hasty-one: { target: ./painter.yaml, const: { model: hasty } }
prompts: [{ id: prompt-fox, text: A red fox in snow }]
seeds: [7101, 7102, 7103, 7104, 7105, 7106, 7107, 7108, ${ALIKE}]
repeats: 1
load: { concurrency: 2 }
reports: [csv]
`;

/** Of its pairs that are seen, three are shown again. */
const PAIRS = 8;

const VOTE = ['vote', 'results/voted', '--port', '0'];

const ANN = 'a'.repeat(32);
const BEN = 'b'.repeat(32);

const runIn = (folder: string) => join(folder, 'results', 'voted', 'evening-run');
const votesIn = (folder: string) => readFileSync(join(runIn(folder), 'votes.jsonl'), 'utf8');
const linesIn = (folder: string): readonly VoteLine[] =>
  votesIn(folder)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const ballotsIn = (folder: string): readonly Ballot[] =>
  linesIn(folder).flatMap((line) => (line.line === 'ballot' ? [line] : []));
/** Those that somebody sees. */
const shownIn = (folder: string) => ballotsIn(folder).filter(({ seed }) => seed !== ALIKE);

let images: ImageServer;
/** The folder of a run, and one of the same run before anybody served it. */
let folder: string;
let untouched: string;
beforeAll(async () => {
  images = await serveImages((body) => smallImage(body.includes(String(ALIKE)) ? 'the same' : body));
  folder = freshFolder();
  writePainter(folder, images.url);
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  expect(await retakeHere(['run', 'suite.yaml', '--run', 'evening-run', '--quiet'], folder)).toMatchObject({ code: 0 });
  untouched = copyOf(folder);
});
afterAll(() => images.close());

describe('the server of retake vote', () => {
  let server: ServedViewer;
  let token: string;
  beforeAll(async () => {
    server = await serveVotes([join('results', 'voted')], folder);
    token = await tokenOf(server.url);
  });
  afterAll(() => server.close());

  it('the server prints its address, gives ballots in their order, and hands out nothing that names a side', async () => {
    expect(server.printed).toBe(`${server.url}/`);
    const page = await ask(server.url, '/');
    const first = await nextBallot(server.url, ANN);
    expect([page.status, first.status]).toEqual([200, 200]);
    expect(page.body).toContain('<p class="without-script">This page needs JavaScript.');
    const ballots = shownIn(folder);
    expect(JSON.parse(first.body)).toMatchObject({
      done: 0,
      pairs: PAIRS,
      checks: 3,
      ballot: { ballot: ballots[0]?.ballot, prompt: 'A red fox in snow', input: null, fps: null },
    });
    const { left, right } = JSON.parse(first.body).ballot;
    expect(left.length).toBe(right.length);
    expect(lengthOfPng(left)).not.toBe(lengthOfPng(right));
    const said = [page, first].map(({ headers, body }) => JSON.stringify(headers) + body).join('\n');
    const secrets = ['careful', 'hasty', 'prompt-fox', '7101', 'evening-run', folder, images.url, tmpdir()];
    for (const { block, left, right } of ballots) secrets.push(block, left.sha256, right.sha256);
    for (const secret of secrets) expect(said.includes(secret), secret).toBe(false);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none';.*connect-src 'self';.*frame-ancestors 'none'$/,
      ),
    });
    expect(await give(server.url, token, { ballot: ballots[0]?.ballot, choice: 'left', voter: ANN })).toMatchObject({
      status: 204,
    });
    expect(JSON.parse((await nextBallot(server.url, ANN)).body)).toMatchObject({
      done: 1,
      ballot: { ballot: ballots[1]?.ballot },
    });
    expect(JSON.parse((await nextBallot(server.url, BEN)).body)).toMatchObject({
      done: 0,
      ballot: { ballot: ballots[0]?.ballot },
    });
  });

  it('whatever is not a vote of the page on a ballot of the run is refused, and nothing is written', async () => {
    const [, , third] = shownIn(folder);
    const ballot = third?.ballot ?? '';
    const good = { ballot, choice: 'left', voter: BEN };
    const port = new URL(server.url).port;
    const before = votesIn(folder);
    const wrong: readonly (readonly [what: string, status: number, vote: object, sent?: Sent])[] = [
      ['foreign host', 403, good, { headers: { host: `evil.example:${port}`, origin: `http://evil.example:${port}` } }],
      ['no origin', 403, good, { headers: { origin: undefined } }],
      ['typed address', 403, good, { headers: { 'sec-fetch-site': 'none' } }],
      ['no token', 403, good, { headers: { 'x-retake-vote': undefined } }],
      ['wrong token', 403, good, { headers: { 'x-retake-vote': '0'.repeat(32) } }],
      [
        'form',
        415,
        good,
        { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: `ballot=${ballot}` },
      ],
      ['no type', 415, good, { headers: { 'content-type': undefined } }],
      ['almost JSON', 415, good, { headers: { 'content-type': 'application/jsonp' } }],
      ['2 kB', 413, { ...good, voter: 'b'.repeat(2000) }],
      ['not JSON', 400, good, { body: '{' }],
      ['unknown ballot', 404, { ...good, ballot: 'c'.repeat(32) }],
      ['ballot of a prototype', 404, { ...good, ballot: '__proto__' }],
      [
        'ballot that nobody sees',
        404,
        { ...good, ballot: ballotsIn(folder).find(({ seed }) => seed === ALIKE)?.ballot },
      ],
      ['wrong choice', 400, { ...good, choice: 'both' }],
    ];
    for (const [what, status, vote, sent] of wrong) {
      expect((await give(server.url, token, vote, sent)).status, what).toBe(status);
    }
    expect(votesIn(folder)).toBe(before);
    // What they differ from is taken, once; without Sec-Fetch-Site too, which old browsers do not send.
    expect((await give(server.url, token, good, { headers: { 'sec-fetch-site': undefined } })).status).toBe(204);
    const after = votesIn(folder);
    expect(after.slice(before.length)).toBe(`${JSON.stringify({ line: 'vote', ...good })}\n`);
    expect((await give(server.url, token, good)).status).toBe(409);
    expect(votesIn(folder)).toBe(after);
  });

  it('no other address and no other method is answered, however it is written', async () => {
    const [ballot] = ballotsIn(folder);
    const before = votesIn(folder);
    const sha256 = ballot?.left.sha256 ?? '';
    const files = ['report.html', 'votes.jsonl', `media/${sha256.slice(0, 2)}/${sha256}.png`];
    const paths = ['/../run.json', '/%2e%2e%2frun.json', '/..%5crun.json', '//run.json', '/ballot/run.json'];
    paths.push(...files.map((file) => `/${file}`), `/ballot/${ballot?.ballot}`, '/vote', '/%00', '/%');
    for (const path of paths) {
      const { status, body } = await ask(server.url, path, { headers: { 'x-retake-voter': ANN } });
      expect([400, 404], path).toContain(status);
      expect(body, path).not.toMatch(/careful|hasty|evening/);
    }
    for (const path of ['/', '/ballot', '/favicon.ico']) {
      expect((await ask(server.url, path, { method: 'POST' })).status, path).toBe(404);
    }
    for (const voter of ['', 'b', `${ANN}0`, '../../run.json']) {
      expect((await nextBallot(server.url, voter)).status, voter).toBe(400);
    }
    expect((await ask(server.url, '/favicon.ico')).status).toBe(204);
    expect(votesIn(folder)).toBe(before);
  });

  it('a run that another process uses takes no vote until it is free', async () => {
    const before = votesIn(folder);
    const vote = { ballot: shownIn(folder)[0]?.ballot, choice: 'skip', voter: 'c'.repeat(32) };
    const lock = join(runIn(folder), 'lock');
    expect(existsSync(lock)).toBe(false);
    writeFileSync(lock, `${JSON.stringify({ pid: process.pid, host: hostname(), startedAt: null })}\n`);
    try {
      expect((await give(server.url, token, vote)).status).toBe(503);
      expect(votesIn(folder)).toBe(before);
      const second = await startHere(VOTE, folder, {}, process.ppid).ended;
      expect(second).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is in use by process') });
    } finally {
      rmSync(lock);
    }
    expect((await give(server.url, token, vote)).status).toBe(204);
    expect(votesIn(folder)).not.toBe(before);
    expect(existsSync(lock)).toBe(false);
  });
});

it('the end of retake vote says what was added, writes the reports again, and leaves no file behind', async () => {
  const temporary = freshFolder();
  const server = await served(startRetake(VOTE, folder, { TMPDIR: temporary }));
  const token = await tokenOf(server.url);
  expect((await nextBallot(server.url, 'd'.repeat(32))).status).toBe(200);
  expect(readdirSync(temporary)).toHaveLength(1);
  for (const { ballot } of shownIn(folder)) {
    await give(server.url, token, { ballot, choice: 'left', voter: 'd'.repeat(32) });
  }
  const ended = await server.close();
  expect(ended.code).toBe(0);
  expect(ended.stderr).toContain(`${PAIRS + 3} votes of 1 voter added`);
  expect(ended.stdout.replace(/\s+/g, ' ')).toMatch(/^http:\S+\/ .*(?:People prefer|Votes do not tell) .* pairs/);
  expect(readdirSync(temporary)).toEqual([]);
});

it('a server for others warns that everybody can vote, and says where nobody has', async () => {
  const server = await serveVotes(['results/voted', '--host', '0.0.0.0'], folder);
  expect((await ask(server.url.replace('0.0.0.0', '127.0.0.1'), '/')).status).toBe(200);
  const { code, stdout, stderr } = await server.close();
  expect([code, stdout]).toEqual([0, `${server.printed}\n`]);
  expect(stderr).toContain('warning: everybody who can reach this machine can see these prompts and outputs, and vote');
  // The first line comes before the run is read, which takes a while on a busy machine.
  expect(stderr).toMatch(/^preparing the pairs to vote on; the address of the page follows\n.*\nno votes added\n$/s);
});

it('each vote that was acknowledged is there after a kill, and the run can be read', async () => {
  const own = copyOf(untouched);
  for (const afterMs of NIGHTLY ? [30, 90, 200] : [90]) {
    // A process that is killed leaves its temporary folder behind.
    const server = await served(startRetake(VOTE, own, { TMPDIR: freshFolder() }));
    const token = await tokenOf(server.url);
    const acknowledged = new Set<string>();
    const ballots = shownIn(own);
    const pour = async (worker: number): Promise<void> => {
      for (let turn = 0; ; turn += 1) {
        const voter = `${afterMs}${worker}${turn}`.padStart(32, '0');
        for (const { ballot } of ballots) {
          const vote = { ballot, choice: 'right', voter } as const;
          const { status } = await give(server.url, token, vote);
          if (status === 204) acknowledged.add(JSON.stringify({ line: 'vote', ...vote }));
        }
      }
    };
    const pouring = [1, 2, 3].map((worker) => pour(worker).catch(() => {}));
    await expect.poll(() => acknowledged.size).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    server.kill('SIGKILL');
    await Promise.all([server.ended, ...pouring]);
    const lines = votesIn(own).split('\n');
    // The last one is empty, or what a vote was written of.
    const whole = new Set(lines.slice(0, -1));
    expect([...acknowledged].filter((line) => !whole.has(line))).toEqual([]);
    expect(await retakeHere(['report', 'results/voted', '--quiet'], own)).toMatchObject({ code: 0 });
  }
});

it('a run whose media are deleted while it is served still takes the vote on the ballot that is open', async () => {
  const own = copyOf(untouched);
  const server = await serveVotes(['results/voted'], own);
  const token = await tokenOf(server.url);
  const { ballot } = JSON.parse((await nextBallot(server.url, ANN)).body);
  rmSync(join(runIn(own), 'media'), { recursive: true });
  expect((await give(server.url, token, { ballot: ballot.ballot, choice: 'left', voter: ANN })).status).toBe(204);
  // What was made before is still shown.
  const next = JSON.parse((await nextBallot(server.url, ANN)).body);
  expect(next).toMatchObject({ done: 1 });
  expect(next.pairs + next.checks).toBeLessThanOrEqual(PAIRS + 3);
  const ended = await server.close();
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('1 vote of 1 voter added') });
  const again = await retakeHere(['vote', 'results/voted'], own);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('the media of all 11 ballots') });
});

/** Of an image in a data URI, without what follows its end. */
function lengthOfPng(url: string): number {
  return Buffer.from(url.split(',')[1] ?? '', 'base64').indexOf('IEND');
}
