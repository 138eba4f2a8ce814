import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retakeHere } from '../fixtures/retake-process.ts';

const TARGET = `target: 1
id: own/t
kind: text-to-image
base_url: https://x.example
submit: { path: /x, bodi: { prompt: "\${case.prompt}" } }
result: { from: body }
`;

const SUITE = `suite: 1
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

test('validate shows all faults of a suite at once: of its keys, files, targets, prompts, scorers and rules', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 's.yaml'), SUITE);
  writeFileSync(join(cwd, 'own.yaml'), TARGET);
  writeFileSync(join(cwd, 'p.csv'), 'id,txt\n1,a\n');
  const { code, stderr } = await retakeHere(['validate', 's.yaml'], cwd);
  expect(code).toBe(2);
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
