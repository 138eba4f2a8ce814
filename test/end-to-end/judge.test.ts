import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject, type Json } from '../../src/kit/json.ts';
import { readRecord } from '../../src/record/read-record.ts';
import { outputsToScore } from '../../src/score/outputs-to-score.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { writePainter } from '../fixtures/image-server.ts';
import { filesBelow, retakeHere } from '../fixtures/retake-process.ts';
import {
  byContrast,
  copyOf,
  HOSTILE_PROMPT,
  inRun,
  judgedRecord,
  PAIRS,
  QUESTIONS,
  questionOf,
  scoreLines,
  servePaintings,
  writeJudging,
} from '../fixtures/scored-run.ts';
import { type ScriptedJudge, serveJudge, writeJudge } from '../fixtures/scripted-judge.ts';

/* A judge: a model behind HTTP that is shown two outputs and says which is better. */

const KEY = 'canary-key-of-the-judge-5291';
const ENV = { JUDGE_KEY: KEY };

let paintings: Awaited<ReturnType<typeof servePaintings>>;
let unjudged: string;
/** Judged by contrast. */
let folder: string;
let judge: ScriptedJudge;
let scored: Awaited<ReturnType<typeof retakeHere>>;

beforeAll(async () => {
  paintings = await servePaintings();
  unjudged = await judgedRecord(paintings.url);
  folder = copyOf(unjudged);
  judge = await serveJudge(byContrast);
  writeJudge(folder, judge.url);
  writeJudging(folder);
  scored = await retakeHere(['score', 'results/judged', '--suite', 'judging.yaml'], folder, ENV);
});

afterAll(() => Promise.all([judge.close(), paintings.close()]));

const said = ({ stdout }: { readonly stdout: string }) => stdout.replace(/\s+/g, ' ');

describe('a judge', () => {
  it('a judge is asked about every pair and every copy once in each order', () => {
    expect(scored).toMatchObject({ code: 0 });
    expect(judge.requests).toHaveLength(QUESTIONS);
    const asked = judge.requests.map(questionOf);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(QUESTIONS);
    const keys = new Set(asked.map(({ key }) => key));
    expect(asked.filter(({ mirrored }) => !keys.has(mirrored))).toEqual([]);
    const lines = scoreLines(folder);
    expect(lines.filter(({ line }) => line === 'asked')).toHaveLength(QUESTIONS);
    expect(lines.filter((line) => line.line === 'preference' && line.control === null)).toHaveLength(2 * PAIRS);
    expect(lines.filter((line) => line.line === 'preference' && line.control !== null)).toHaveLength(96);
  });

  it('a judge learns nothing but prompt, question and images: no name, seed, digest, path or metadata', async () => {
    const record = await readRecord(inRun(folder));
    if (!record.ok) throw new Error(record.diagnostics[0]?.cause);
    const secrets = ['careful', 'hasty', 'prompt-fox', 'prompt-cat', '7101', '7110', 'evening-run', 'judged', folder];
    for (const { digest, sha256 } of outputsToScore(record.value)) secrets.push(digest, sha256);
    const chunks = new Set<string>();
    for (const { text, url, headers, images } of judge.requests) {
      const shown = `${url} ${JSON.stringify(headers)} ${text.replace(/data:image\/png;base64,[A-Za-z0-9+/=]+/g, '')}`;
      for (const secret of secrets) expect(shown.includes(secret), secret).toBe(false);
      for (const png of [...images.a, ...images.b]) chunks.add(chunksOf(png));
    }
    expect([...chunks]).toEqual(['IHDR IDAT IEND']);
    expect(judge.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  });

  it('a prompt that addresses the judge changes no field but its own value', () => {
    const shapes = judge.requests.map(({ body, texts }) => {
      const { question, prompt } = JSON.parse(texts[0] ?? '');
      expect(question).toBe('Which image is better?');
      expect(['A red fox in snow', HOSTILE_PROMPT]).toContain(prompt);
      return JSON.stringify(withoutValues(body, JSON.stringify({ question, prompt })));
    });
    expect(new Set(judge.requests.map(({ texts }) => texts[0])).size).toBe(2);
    expect(new Set(shapes).size).toBe(1);
    expect(judge.requests[0]?.body).toMatchObject({ model: 'scripted-model', temperature: 0 });
  });

  it('the key of a judge stands in no file of the record or beside it', async () => {
    const copy = copyOf(folder);
    const files = filesBelow(copy);
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => readFileSync(file).includes(KEY))).toEqual([]);
  });

  it('what a judge prefers is said with what must be known of it, on terminal, page and Markdown', () => {
    const preferred = 'score.better: the judge prefers careful-one to hasty-one:';
    expect(said(scored)).toContain(`${preferred} ${PAIRS} : 0 pairs.`);
    expect(said(scored)).toContain(
      'The controls of score.better passed: a blurred copy loses in both orders in 16 of 16, a coarse JPEG copy in',
    );
    const page = readFileSync(inRun(folder, 'report.html'), 'utf8');
    for (const text of ['Which image is better?', 'scripted-model', `${QUESTIONS} requests, at most $0.448`]) {
      expect(page).toContain(text);
    }
    expect(page.replace(/<style>.*?<\/style>|<script.*?<\/script>/gs, '')).not.toMatch(/(better|worse|best) quality/i);
  });

  it('a judge that has answered everything is not asked again, and another question is', async () => {
    const before = judge.requests.length;
    const again = await retakeHere(['score', 'results/judged', '--suite', 'judging.yaml'], folder, ENV);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing to score') });
    expect(judge.requests).toHaveLength(before);
    const copy = copyOf(folder);
    writeJudging(copy, `limits: { requests: ${QUESTIONS + 5} }`, 'Which one has fewer defects?');
    expect(await retakeHere(['score', 'results/judged', '--suite', 'judging.yaml'], copy, ENV)).toMatchObject({
      code: 0,
    });
    expect(judge.requests).toHaveLength(before + 5);
  });

  it('a run with a judge asks it after measuring, and its rule decides', async () => {
    const own = copyOf(folder);
    const before = judge.requests.length;
    const asked = ['run', 'judging.yaml', '--run', 'next-run', '--quiet'];
    writeJudge(own, 'https://judge.example/v1');
    expect(await retakeHere(asked, own, {})).toMatchObject({ code: 2, stderr: expect.stringContaining('JUDGE_KEY') });
    writeJudge(own, judge.url);
    const ended = await retakeHere(asked, own, ENV);
    expect(ended).toMatchObject({ code: 1 });
    expect(said(ended)).toContain(
      'FAIL score.better against careful-one: net loss of at most 20 points; hasty-one +100 points',
    );
    expect(judge.requests).toHaveLength(before + QUESTIONS);
    const { rules } = JSON.parse(readFileSync(join(own, 'results/judged/next-run/verdict.json'), 'utf8'));
    expect(rules).toMatchObject([{ verdict: 'fail', code: 'beyond_limit', n: PAIRS, units: 'cells', missingPairs: 0 }]);
  });

  it('plan says what a judge is sent, where, how often and for how much, and sends nothing', async () => {
    const before = judge.requests.length;
    const plan = await retakeHere(['plan', 'judging.yaml'], folder, ENV);
    const origin = judge.url.slice(0, -'/v1'.length);
    expect(said(plan)).toContain(`JUDGE_KEY (key): ${origin}`);
    expect(said(plan)).toContain(
      `scorer better is a judge (./judge.yaml): sends prompts, input images and outputs to ${origin}; ${QUESTIONS} requests if each is sent once (${PAIRS} pairs in both orders, and copies that are known to be worse), $0.448`,
    );
    const { stdout } = await retakeHere(['plan', 'judging.yaml', '--json'], folder, ENV);
    const scorers = stdout
      .split('\n')
      .flatMap((line) => (line.startsWith('{"scorer"') ? [JSON.parse(line).scorer] : []));
    expect(scorers).toMatchObject([
      { mostPairs: PAIRS, requests: QUESTIONS, allowedRequests: QUESTIONS, mostUsd: 0.448, to: [origin] },
    ]);
    expect(judge.requests).toHaveLength(before);
  });
});

/** The chunks of a PNG, each once in a row. */
function chunksOf(png: Buffer): string {
  const names: string[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) names.push(png.toString('latin1', at + 4, at + 8));
  return names.filter((name, at) => name !== names[at - 1]).join(' ');
}

/** With images and the JSON of prompt and question replaced. */
function withoutValues(value: Json, text: string): Json {
  if (typeof value === 'string') return value === text ? 'TEXT' : value.startsWith('data:image/png') ? 'IMAGE' : value;
  if (Array.isArray(value)) return value.map((item) => withoutValues(item, text));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutValues(item, text)]));
}

it('a judge is asked by no shard and by no merge, which prints the command that asks it', async () => {
  const own = freshFolder();
  const results = (...path: readonly string[]) => join('results', 'judged', ...path);
  writePainter(own, paintings.url);
  writeJudge(own, judge.url);
  writeJudging(own);
  const before = judge.requests.length;
  const sharded = ['run', 'judging.yaml', '--shard', '1/1', '--run', 'whole', '--quiet'];
  expect(await retakeHere(sharded, own, ENV)).toMatchObject({ code: 0 });
  expect(existsSync(join(own, results('whole-1of1', 'scores.jsonl')))).toBe(false);
  const merged = await retakeHere(['merge', results('whole-1of1')], own);
  // A rule waits for the judge.
  expect(merged).toMatchObject({ code: 4 });
  expect(merged.stderr).toContain('some outputs were not scored; to score them: retake score results/judged/whole\n');
  expect(merged.stderr).not.toContain('--allow-commands');
  expect(judge.requests).toHaveLength(before);
});
