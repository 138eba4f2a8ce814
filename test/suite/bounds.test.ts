import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatDiagnostic } from '../../src/kit/diagnostic.ts';
import { loadSuite } from '../../src/suite/load-suite.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retake, retakeHere } from '../fixtures/retake-process.ts';

/* Files that are far larger, or far more wrong, than any that is meant: the answer is short, and soon there. */

const HEAD = 'suite: 1\nname: s\nvariants: { a: { target: reference/text-to-image } }\n';

/**
 * Processor time: above two seconds only because other programs may slow this one. Without its bound, each file takes
 * far longer.
 */
const MOST_MS = 6000;

async function diagnose(suite: string, name: string, content: string) {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 's.yaml'), `${HEAD}${suite}\n`);
  if (name !== '') writeFileSync(join(cwd, name), content);
  const before = process.cpuUsage();
  const loaded = await loadSuite('s.yaml', { env: {}, overrides: [], cwd });
  const { user, system } = process.cpuUsage(before);
  return { faults: loaded.ok ? [] : loaded.diagnostics.map(formatDiagnostic), tookMs: (user + system) / 1000 };
}

const many = (line: string, count = 200_001) => line.repeat(count);

const manyRows = <T>(row: (at: number) => T): T[] => Array.from({ length: 200_000 }, (_, at) => row(at));

test.each<[string, string, string, number, RegExp]>([
  ['p.txt', 'many lines', many('a prompt\n'), 1, /^p\.txt:200001:1: more than 200000 prompts; use fewer/],
  ['p.csv', 'many rows', `text\n${many('a prompt\n')}`, 1, /^p\.csv:200002:1: more than 200000 prompts; use fewer/],
  [
    'p.csv',
    'many wrong rows',
    `text\n${many('a,b\n', 50_000)}`,
    100,
    /^p\.csv:2:1: this row has 2 cells, the header 1; /,
  ],
  ['p.csv', 'many columns', many('c,'), 1, /^p\.csv:1:1: more than 1000 columns; end each row/],
  ['p.csv', 'a quote that is never closed', `text\n"${many('a\n', 600_000)}`, 1, /^p\.csv:2:1: a quote is opened and/],
  ['p.jsonl', 'many wrong lines', many('{"text":1}\n', 50_000), 100, /^p\.jsonl:1:1: "text" must be a string/],
  ['p.jsonl', 'many lines without a text', many('{}\n', 50_000), 1, /^p\.jsonl:1:1: no key "text"; say which it is/],
])('a prompt file %s of %s is answered soon, in few sentences', async (name, _what, content, count, first) => {
  const { faults, tookMs } = await diagnose(`prompts: [{ from: ${name} }]`, name, content);
  expect(faults).toHaveLength(count);
  expect(faults[0]).toMatch(first);
  expect(tookMs).toBeLessThan(MOST_MS);
});

test('retake validate samples 200,000 rows of a JSON file in a heap of 192 MiB', async () => {
  const cwd = freshFolder();
  const entry = '{ from: p.json, map: { text: Prompt, tags: Category }, sample: 60, by: tags }';
  writeFileSync(join(cwd, 's.yaml'), `${HEAD}prompts: [${entry}]\nrepeats: 1\n`);
  const rows = manyRows((at) => ({ Prompt: `a fox, in the snow of winter ${at}`, Category: `c${at % 9}` }));
  writeFileSync(join(cwd, 'p.json'), JSON.stringify(rows));
  const ended = await retake(['validate', 's.yaml'], cwd, { NODE_OPTIONS: '--max-old-space-size=192' });
  expect(ended).toMatchObject({ code: 0, stdout: 's.yaml: suite s is valid (1 variant, 61 requests)\n' });
});

test.each<[string, string, RegExp]>([
  ['marks without end', many('? : ', 610_000), /^s\.yaml:1:1: more than 1200000 words and marks; write fewer/],
  ['documents without end', many('---\n', 100_000), /^s\.yaml:/],
  ['nesting without end', `prompts: ${many('[', 20_000)}${many(']', 20_000)}`, /nested deeper than 200 levels/],
  ['aliases of one value', `x: &x 1\nprompts: [${many('*x,')}a]`, /more than \d+ (values|words)/],
])('a suite of %s is answered soon, in one sentence', async (_what, suite, says) => {
  const { faults, tookMs } = await diagnose(suite, '', '');
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(says);
  expect(tookMs).toBeLessThan(MOST_MS);
});

test('retake validate prints the first of many like faults, counts the others, and shortens what is quoted in them', async () => {
  const cwd = freshFolder();
  const wrong = Array.from({ length: 300 }, (_, at) => `k${at}: 1`).join('\n');
  writeFileSync(join(cwd, 's.yaml'), `${HEAD}prompts: [a]\n${wrong}\n`);
  const { code, stderr } = await retakeHere(['validate', 's.yaml'], cwd);
  const lines = stderr.trimEnd().split('\n');
  expect([code, lines.length, lines.at(-1)]).toEqual([
    2,
    4,
    expect.stringMatching(/^s\.yaml: 297 more errors with the same remedy; /),
  ]);
  const target = `target: 1\nid: a/b\nkind: text-to-image\nbase_url: http://127.0.0.1:1\nsubmit: { path: /g, encoding: json, body: { p: "\${case.prompt}" } }\n`;
  writeFileSync(join(cwd, 't.yaml'), `${target}result: { from: url, at: "$${many('.a', 100_000)}" }\n`);
  const long = await retakeHere(['validate', 't.yaml'], cwd);
  expect(long.code).toBe(2);
  expect(long.stderr.length).toBeLessThan(2000);
});
