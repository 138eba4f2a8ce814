import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validateCommand } from '../../../src/commands/measuring/validate.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';

test('retake validate names every rule that no run could decide, and lists what the scorers of a valid suite start', async () => {
  const cwd = freshFolder();
  const edge = memoryEdge(cwd);
  const validate = (...rules: readonly string[]) => {
    const suite = `suite: 1
name: gated
variants: { a: { target: reference/text-to-image }, b: { target: reference/text-to-image } }
prompts: [A red fox, A cat]
seeds: [1, 2, 3]
repeats: 5
scorers:
  hps: { use: command, gives: { hps: { better: higher } }, command: [python3, -c, pass] }
  text: { use: file, gives: { cer: { better: lower }, words: { better: null } } }
gate:
${rules.map((rule) => `  - { metric: ${rule} }\n`).join('')}`;
    writeFileSync(join(cwd, 's.yaml'), suite);
    return validateCommand({ files: ['s.yaml'], quiet: false, allowOutside: false }, edge);
  };
  expect(await validate('latency.cold, max: 60s', 'latency.total, max: 20s', 'score.hsp, max: 1')).toBe(2);
  expect(edge.stderr()).toMatch(/^s\.yaml:11:7: latency\.cold .*\ns\.yaml:13:7: there is no metric "score\.hsp".*\n$/);
  expect(await validate('score.hps, max_decrease: 0.1', 'score.text.cer, max: 0.2')).toBe(0);
  expect(edge.stdout()).toBe(`s.yaml: suite gated is valid (2 variants, 62 requests)
  scorer hps starts python3 -c pass, for at most 60 outputs; a run needs --allow-commands
  scorer text takes values from a file, for at most 60 outputs: retake score RUN --from FILE.csv
`);
});

test('retake validate shows every fault with its line, file by file from the first line on', async () => {
  const cwd = freshFolder();
  const prompts = Array.from({ length: 7 }, (_, at) => `  - { id: p${at}, txt: A fox }\n`).join('');
  const suite = `suite: 1\nname: "no name"\nprompts:\n${prompts}seeds: wrong\nvariants: { a: { target: nowhere/at-all } }\n`;
  writeFileSync(join(cwd, 's.yaml'), suite);
  const edge = memoryEdge(cwd);
  expect(await validateCommand({ files: ['s.yaml'], quiet: false, allowOutside: false }, edge)).toBe(2);
  const lines = [...edge.stderr().matchAll(/^s\.yaml:(\d+):/gm)].map(([, line]) => Number(line));
  expect(lines.length).toBeGreaterThan(7);
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
});

test('retake validate tells what is wrong with a target once, however many suites name it', async () => {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
  writeFileSync(
    join(cwd, 'targets', 'own', 'images.yaml'),
    'target: 1\nid: own/images\nkind: text-to-image\nbase_url: http://127.0.0.1:9\nsubmit: { pth: /g }\nresult: { from: body }\n',
  );
  for (const name of ['one', 'two']) {
    const suite = `suite: 1\nname: ${name}\nvariants: { a: { target: own/images } }\nprompts: [A red fox]\n`;
    writeFileSync(join(cwd, `${name}.yaml`), suite);
  }
  const edge = memoryEdge(cwd);
  expect(await validateCommand({ files: ['one.yaml', 'two.yaml'], quiet: false, allowOutside: false }, edge)).toBe(2);
  expect(edge.stdout()).toBe('');
  expect(edge.stderr().match(/unknown key "pth"/g)).toHaveLength(1);
});
