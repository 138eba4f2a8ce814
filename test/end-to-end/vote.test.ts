import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VoteLine } from '../../src/record/score.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type ImageServer, serveImages, smallImage, writePainter } from '../fixtures/image-server.ts';
import { retakeHere } from '../fixtures/retake-process.ts';
import { serveVotes } from '../fixtures/viewer-process.ts';
import { voteOnAll } from '../fixtures/voter.ts';

/* Which ballots are drawn, and what votes on them say of a run. An animation beside an image would tell them apart. */

/** Of this seed one variant gives animations: its pairs are no ballots. */
const MOVING = 7106;

const SUITE = `suite: 1
name: voted
variants:
  careful-one: { target: ./painter.yaml, const: { model: careful }, baseline: true }
  hasty-one: { target: ./painter.yaml, const: { model: hasty } }
prompts:
  - { id: prompt-fox, text: 'A red fox </script> in snow' }
  - { id: prompt-cat, text: A cat }
seeds: [7101, 7102, 7103, 7104, 7105, ${MOVING}]
repeats: 1
load: { concurrency: 2 }
gate: [{ metric: score.votes, max_rise: 20% }]
reports: [csv, html, markdown]
`;

let server: ImageServer;
let folder: string;

const inRun = (...path: readonly string[]) => join(folder, 'results', 'voted', 'evening-run', ...path);
const vote = (...args: readonly string[]) => retakeHere(['vote', 'results/voted', ...args], folder);
const linesOf = (): readonly VoteLine[] =>
  readFileSync(inRun('votes.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const ballotsOf = () => linesOf().flatMap((line) => (line.line === 'ballot' ? [line] : []));

beforeAll(async () => {
  server = await serveImages(async (body) => {
    const { type, bytes } = await smallImage(body);
    if (!body.includes(String(MOVING)) || body.includes('careful')) return { type, bytes };
    const frames = await sharp(bytes).extend({ bottom: 64, extendWith: 'mirror' }).raw().toBuffer();
    const gif = sharp(frames, { raw: { width: 64, height: 128, channels: 3, pageHeight: 64 } }).gif();
    return { type: 'image/gif', bytes: await gif.toBuffer() };
  });
  folder = freshFolder();
  writePainter(folder, server.url);
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  expect(await retakeHere(['run', 'suite.yaml', '--run', 'evening-run', '--quiet'], folder)).toMatchObject({ code: 4 });
});

afterAll(() => server.close());

it.each([
  [['--host', 'localhost'], '--host takes an IP address'],
  [['--host', '::1%lo'], '--host takes an IP address without a zone'],
  [['--port', '70000'], '--port takes a whole number'],
  [['--pairs', '0'], '--pairs'],
  [['--pairs', '2.5'], '--pairs'],
  [['--export', 'votes.html'], '--export'],
] as const)('retake vote refuses %j and draws no ballot', async (args, said) => {
  const ended = await vote(...args);
  expect(ended).toMatchObject({ code: 2 });
  expect(ended.stderr).toContain(said);
  expect(existsSync(inRun('votes.jsonl'))).toBe(false);
});

it('ballots are drawn once, and say why there are fewer than asked for; votes come into the report and decide the gate', async () => {
  const server = await serveVotes(['results/voted', '--pairs', '30'], folder);
  const ballots = new Map(ballotsOf().map((ballot) => [ballot.ballot, ballot]));
  expect(ballots.size).toBe(13);
  const drawn = readFileSync(inRun('votes.jsonl'), 'utf8');
  const choiceOf = (id: string) => (ballots.get(id)?.left.variant === 'careful-one' ? 'left' : 'right');
  expect(await voteOnAll(server.url, 'a'.repeat(32), choiceOf)).toBe(13);
  const { stdout, stderr } = await server.close();
  expect(stderr.replace(/\s+/g, ' ')).toContain(
    'hasty-one and careful-one: 10 of 30 pairs, since the run has no more prompts and seeds (add some to its suite, then run it again)',
  );
  expect(stdout.replace(/\s+/g, ' ')).toContain('One voter prefers careful-one to hasty-one: 10 : 0 pairs.');
  const report = readFileSync(inRun('report.html'), 'utf8');
  expect(report).toContain('One voter prefers careful-one to hasty-one: 10 of 10 pairs, 0 the other way, 0 neither');
  expect(report).toContain('3 of 3 repeated answers alike');
  expect(readFileSync(inRun('votes.jsonl'), 'utf8').startsWith(drawn)).toBe(true);
  const again = await vote('--pairs', '4');
  expect(again).toMatchObject({ code: 2 });
  expect(again.stderr).toContain('already has ballots');
  expect(await retakeHere(['gate', 'results/voted', '--quiet'], folder)).toMatchObject({ code: 1 });
});
