import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retakeHere } from '../fixtures/retake-process.ts';
import {
  copyOf,
  inRun,
  judgedRecord,
  questionOf,
  scoreLines,
  servePaintings,
  writeJudging,
} from '../fixtures/scored-run.ts';
import { choose, type JudgeAnswer, type JudgeRequest, serveJudge, writeJudge } from '../fixtures/scripted-judge.ts';

/* What a judge may use, and what becomes of answers that are none. */

const ENV = { JUDGE_KEY: 'key-of-the-judge' };

let paintings: Awaited<ReturnType<typeof servePaintings>>;
let unjudged: string;

beforeAll(async () => {
  paintings = await servePaintings();
  unjudged = await judgedRecord(paintings.url, [1, 2]);
});

/** Of 4 pairs, in both orders: a judge of so few has no control. */
const QUESTIONS = 8;

afterAll(() => paintings.close());

/** A copy of the record with a judge that answers so. */
async function withJudge(decide: (request: JudgeRequest) => JudgeAnswer | Promise<JudgeAnswer>, more = '') {
  const folder = copyOf(unjudged);
  const judge = await serveJudge(decide);
  writeJudge(folder, judge.url);
  writeJudging(folder, more);
  const score = (...args: readonly string[]) =>
    retakeHere(['score', 'results/judged', '--suite', 'judging.yaml', ...args], folder, ENV);
  return { folder, judge, score };
}

const sayA = () => choose('A');
const reasons = (folder: string) =>
  scoreLines(folder).flatMap((line) => (line.line === 'unscored' ? [line.why.code] : []));
const countOf = (codes: readonly string[], code: string) => codes.filter((each) => each === code).length;

describe('the limits of a judge', () => {
  it('a limit of requests or of US dollars is never exceeded at the server, and a higher one goes on', async () => {
    const { folder, judge, score } = await withJudge(sayA, 'limits: { requests: 3 }');
    const ended = await score();
    expect(ended).toMatchObject({ code: 0 });
    expect(judge.requests).toHaveLength(3);
    expect(countOf(reasons(folder), 'limit_reached')).toBe(QUESTIONS - 3);
    expect(ended.stdout.replace(/\s+/g, ' ')).toContain('the limit of the judge is reached');
    // The same limit asks nothing more, and writes nothing twice.
    const lines = readFileSync(inRun(folder, 'scores.jsonl'), 'utf8');
    await score();
    expect(judge.requests).toHaveLength(3);
    expect(readFileSync(inRun(folder, 'scores.jsonl'), 'utf8')).toBe(lines);
    writeJudging(folder, 'limits: { usd: 0.02 }');
    await score();
    expect(judge.requests).toHaveLength(5);
    writeJudging(folder, 'limits: { requests: 500, usd: 2 }');
    expect(await score()).toMatchObject({ code: 0 });
    expect(judge.requests).toHaveLength(QUESTIONS);
    expect(new Set(judge.requests.map((each) => questionOf(each).key)).size).toBe(QUESTIONS);
    await judge.close();
  });

  it('requests that are refused and sent again count, and so do second tries', async () => {
    const throttled = { status: 429, headers: { 'retry-after-ms': '1' }, body: '{}' };
    const { folder, judge, score } = await withJudge(
      ({ number }) => (number % 3 === 0 ? throttled : number % 4 === 0 ? 'I prefer A.' : choose('A')),
      'limits: { requests: 7 }',
    );
    await score();
    expect(judge.requests).toHaveLength(7);
    expect(new Set(judge.requests.map((each) => questionOf(each).key)).size).toBeLessThan(7);
    expect(scoreLines(folder).filter(({ line }) => line === 'asked')).toHaveLength(7);
    await judge.close();
  });

  it('what a reply in another form says it cost counts, the next time too', async () => {
    const { folder, judge, score } = await withJudge(
      () => ({
        status: 200,
        body: JSON.stringify({ choices: [{ message: { content: 'I prefer A.' } }], usage: { cost: 4 } }),
      }),
      'limits: { usd: 10 }',
    );
    await score('--yes');
    // Up to four are under way at once, and each counts at its highest cost until it is answered.
    const sent = judge.requests.length;
    expect(sent).toBeLessThanOrEqual(6);
    expect(reasons(folder)).toContain('bad_reply');
    const charged = scoreLines(folder).flatMap((line) => (line.line === 'charged' ? [line.usd] : []));
    expect(charged).toEqual(judge.requests.map(() => 4));
    const { scorers } = JSON.parse(readFileSync(inRun(folder, 'analysis.json'), 'utf8'));
    expect(scorers).toMatchObject([{ judge: { requests: sent, usd: 4 * sent } }]);
    await score('--yes');
    expect(judge.requests).toHaveLength(sent);
    await judge.close();
  });

  it('a cost above 1 USD needs --yes', async () => {
    const { judge, score } = await withJudge(sayA, 'price: { per: request, usd: 0.2 }');
    const refused = await score();
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('the judge may cost up to $1.60') });
    expect(judge.requests).toHaveLength(0);
    await judge.close();
  });
});

describe('answers that are none', () => {
  it.each([
    [
      'a wrong key',
      { status: 401, body: '{"error":{"code":"invalid_api_key","message":"no such key"}}' },
      'no such key',
    ],
    ['a reply that is not JSON', { status: 200, body: '<html>' }, 'not JSON'],
  ] as const)('%s ends the asking after few requests, and the next time goes on', async (_, reply, words) => {
    let isBroken = true;
    const { folder, judge, score } = await withJudge(() => (isBroken ? reply : sayA()));
    const ended = await score();
    expect(ended).toMatchObject({ code: 3 });
    expect(ended.stderr).toContain(words);
    expect(ended.stderr).toContain('retake score results/judged/evening-run');
    expect(judge.requests.length).toBeLessThanOrEqual(6);
    expect(new Set(reasons(folder))).toEqual(new Set(['call_failed']));
    // What goes on does not depend on why the asking ended.
    if (words !== 'no such key') return judge.close();
    isBroken = false;
    expect(await score()).toMatchObject({ code: 0 });
    const answered = scoreLines(folder).filter(({ line }) => line === 'preference');
    expect(answered).toHaveLength(QUESTIONS);
    await judge.close();
  });
});

describe('a judge on this machine', () => {
  it.each([
    ['of a preset gets the key that is set', 'judge/openai-chat', { OPENAI_API_KEY: 'a-key' }, 'Bearer a-key'],
    ['of an own target needs no key', './judge.yaml', {}, undefined],
  ] as const)('a judge on this machine %s', async (_, target, env, sent) => {
    const { folder, judge } = await withJudge(sayA);
    const suite = readFileSync(join(folder, 'judging.yaml'), 'utf8');
    const local = suite.replace('./judge.yaml', `${target}, base_url: "${judge.url}"`);
    writeFileSync(join(folder, 'judging.yaml'), local);
    const ended = await retakeHere(['score', 'results/judged', '--suite', 'judging.yaml'], folder, env);
    expect(ended).toMatchObject({ code: 0 });
    expect(judge.requests).toHaveLength(QUESTIONS);
    expect(new Set(judge.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([sent]));
    // Away from this machine it needs one.
    writeFileSync(join(folder, 'judging.yaml'), suite.replace('./judge.yaml', 'judge/openai-chat'));
    const away = await retakeHere(['score', 'results/judged', '--suite', 'judging.yaml'], folder, {});
    expect(away).toMatchObject({ code: 2, stderr: expect.stringContaining('OPENAI_API_KEY is not set') });
    await judge.close();
  });
});

describe('a suite with a judge', () => {
  const judging = (more = '', target = './judge.yaml') =>
    `scorers: { b: { use: judge, target: ${target}, question: Q${more} } }\n`;
  it.each([
    ['a judge as a variant', 'variants:\n  j: { target: ./judge.yaml }\n', 'is a judge, and cannot be a variant'],
    ['a generator as a judge', judging('', './painter.yaml'), 'is not a judge'],
    ['a constant that is unknown', judging(', const: { modle: x }'), 'did you mean "model"?'],
    ['a target that is not there', judging('', 'judge/opnai-chat'), 'judge/openai-chat'],
    ['the name of votes', judging().replace(' b:', ' votes:'), 'rename it'],
    ['dollars without a price', judging(', limits: { usd: 2 }', './free.yaml'), 'its price is unknown'],
    ['the reference service', judging(', base_url: "embedded:"'), 'has no judge'],
    ['a rule that is misspelt', `${judging()}gate: [{ metric: score.bb, max_rise: 20% }]\n`, 'score.b'],
    ['a rule of another kind', `${judging()}gate: [{ metric: score.b, max_increase: 0.2 }]\n`, 'max_rise'],
  ])('%s is refused with its place before anything is sent', async (_, more, words) => {
    const folder = copyOf(unjudged);
    writeJudge(folder, 'http://127.0.0.1:9/v1');
    const free = readFileSync(join(folder, 'judge.yaml'), 'utf8').replace(/^price: .*$/m, '');
    writeFileSync(join(folder, 'free.yaml'), free.replace('test/judge', 'test/free'));
    const suite = readFileSync(join(folder, 'suite.yaml'), 'utf8');
    const isVariant = more.startsWith('variants:');
    writeFileSync(join(folder, 'wrong.yaml'), isVariant ? suite.replace(/^variants:\n/m, more) : suite + more);
    const ended = await retakeHere(['validate', 'wrong.yaml'], folder, ENV);
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr.replace(/\s+/g, ' ')).toContain(words);
    expect(ended.stderr).toMatch(/wrong\.yaml:\d+:\d+/);
  });
});
