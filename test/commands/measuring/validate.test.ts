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

const TARGET = `target: 1
id: own/t
kind: text-to-image
base_url: https://x.example
submit: { path: /x, bodi: { prompt: "\${case.prompt}" } }
result: { from: body }
`;

const FAULTY = `suite: 1
name: s
seeeds: [1, 2]
variants:
  a: { target: reference/text-to-image, const: { model: 5 } }
  b: { target: reference/text-to-imgae }
  c: { target: ./own.yaml }
prompts:
  - Poster: a cat
  - { id: x, text: a fox, image: none.png }
  - { from: p.csv }
repeats: many
load: { concurrency: 0 }
scorers: { h: { use: command, command: [./none.sh], gives: { h: { better: higher } } } }
gate:
  - { metric: latency.totl, max_increase: 5% }
  - { metric: error_rate, max: 500ms }
`;

test('retake validate shows all faults of a suite at once: of its keys, files, targets, prompts, scorers and rules', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 's.yaml'), FAULTY);
  writeFileSync(join(cwd, 'own.yaml'), TARGET);
  writeFileSync(join(cwd, 'p.csv'), 'id,txt\n1,a\n');
  const edge = memoryEdge(cwd);
  expect(await validateCommand({ files: ['s.yaml'], quiet: false, allowOutside: false }, edge)).toBe(2);
  const stderr = edge.stderr();
  expect(
    stderr
      .replaceAll(/;[^;\n]*$/gm, '')
      .trimEnd()
      .split('\n'),
  ).toEqual([
    's.yaml:3:1: unknown key "seeeds"',
    's.yaml:5:57: the constant model of reference/text-to-image must not be 5',
    expect.stringMatching(/^s\.yaml:6:16: unknown target "reference\/text-to-imgae"/),
    's.yaml:9:5: the prompt is not a text: YAML reads "Poster:" as a key',
    's.yaml:10:34: cannot use none.png: there is no such file',
    's.yaml:12:10: "repeats" must be a whole number, not "many"',
    's.yaml:13:22: "concurrency" must be at least 1, not 0',
    's.yaml:14:41: cannot start none.sh: there is no such file',
    's.yaml:16:7: there is no metric "latency.totl"',
    's.yaml:17:27: error_rate is a share',
    'p.csv:1:1: no column "text"',
    'own.yaml:5:21: unknown key "bodi"',
  ]);
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
