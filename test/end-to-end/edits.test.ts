import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { Verdict } from '../../src/gate/verdict.ts';
import { foundIn } from '../fixtures/build-warning.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { onlyRun, retakeHere, serveHere } from '../fixtures/retake-process.ts';

const SCORER = fileURLToPath(new URL('../fixtures/sharpness-scorer.mjs', import.meta.url));

const SUITE = `suite: 1
name: edits
variants: { a: { target: reference/image-edit, const: { model: fast-lcm }, baseline: true } }
prompts:
  - { id: honest, text: A fox at night, image: inputs/fox.jpg, mask: inputs/fox-sky.png }
  - { id: echo, text: An echo, images: [inputs/fox.jpg, inputs/lighthouse.jpg] }
  - { id: leak, text: A leak, image: inputs/fox.jpg, mask: inputs/fox-sky.png }
seeds: [1, 2, 3]
repeats: 2
load: { warmup: 0 }
scorers: { sharp: { use: command, command: [node, ${SCORER}, log], gives: { sharp: { better: higher } } } }
gate:
  - { metric: edit.unchanged, max: 50%, prompts: [honest, leak] }
  - { metric: edit.unchanged, max: 50%, prompts: [echo] }
  - { metric: edit.outside, max: 0.5, prompts: [honest] }
  - { metric: edit.outside, max: 5, prompts: [leak] }
reports: [csv, json]
`;

it('rules on edits find an input that comes back and a mask that leaks; facts are kept, and a scorer gets the first image', async () => {
  const folder = freshFolder();
  const rules = [
    '{ echo_input: {}, when: { prompt: echo } }',
    '{ leak: { by: 8 }, when: { prompt: leak } }',
    '{ cached: {} }',
  ];
  const service = await serveHere(rules);
  cpSync(fileURLToPath(new URL('../../suites/inputs', import.meta.url)), join(folder, 'inputs'), { recursive: true });
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  const env = { ...service.env, PATH: process.env.PATH ?? '' };
  const ended = await retakeHere(['run', 'suite.yaml', '--quiet', '--allow-commands'], folder, env);
  await service.close();
  expect(ended.code, ended.stderr).toBe(1);
  const run = onlyRun(join(folder, 'results'));
  const read = (name: string) => readFileSync(join(run, name), 'utf8');
  const verdict: Verdict = JSON.parse(read('verdict.json'));
  expect(verdict.rules.map(({ verdict: word, estimate, n }) => `${word} ${estimate} ${n}`)).toEqual([
    'pass 0 12',
    'fail 1 6',
    'pass 0 6',
    'fail 8 6',
  ]);
  const said = ended.stdout.replace(/\s+/g, ' ');
  const { warnings }: Analysis = JSON.parse(read('analysis.json'));
  expect(warnings.map(foundIn)).toContainEqual({ code: 'unchanged_edits', variants: ['a'], edits: 6, ofEdits: 18 });
  expect(said).toContain('a changed what lies outside the mask: by ');
  expect(said).toContain('by at most 8.00 levels of 255 (12 edits).');
  const before = [read('facts.jsonl'), read('measures.csv')];
  expect(before[0]?.match(/"fact":"outside"/g)).toHaveLength(6);
  expect(await retakeHere(['report', run, '--quiet'], folder)).toMatchObject({ code: 0 });
  expect([read('facts.jsonl'), read('measures.csv')]).toEqual(before);
  // Three outputs each of two prompts, and one that is the input; the second image of a prompt is another.
  const asked = readFileSync(join(folder, 'log'), 'utf8').match(/"image":"[^"]+"/g) ?? [];
  expect([asked.length, new Set(asked).size]).toEqual([7, 1]);
});
