import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/analysis/verdict.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type Ended, onlyRun, retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';

/* Edits by the reference service: one prompt gets its input back, of one the edit leaks out of the mask. */

/** Gives the width of the input image. */
const SCORER = `import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
const sharp = createRequire(import.meta.url)(${JSON.stringify(createRequire(import.meta.url).resolve('sharp'))});
console.log('{"retake":1,"name":"width","version":"1"}');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, image } = JSON.parse(line);
  const { width } = await sharp(image).metadata();
  console.log(JSON.stringify({ id, scores: { width } }));
}
`;

const SUITE = `suite: 1
name: edits
variants:
  a: { target: reference/image-edit, const: { model: fast-lcm }, baseline: true }
prompts:
  - { id: honest, text: A fox at night, image: photo.png, mask: mask.png }
  - { id: echo, text: An echo, images: [photo.png, small.png] }
  - { id: leak, text: A leak, image: photo.png, mask: mask.png }
seeds: [1, 2, 3]
repeats: 2
load: { warmup: 0 }
scorers: { width: { use: command, command: [node, scorer.mjs], gives: { width: { better: higher } } } }
gate:
  - { metric: edit.unchanged, max: 50%, prompts: [honest, leak] }
  - { metric: edit.unchanged, max: 50%, prompts: [echo] }
  - { metric: edit.outside, max: 0.5, prompts: [honest] }
  - { metric: edit.outside, max: 5, prompts: [leak] }
reports: [csv]
`;

let service: ServedService;
let folder: string;
let ended: Ended;
let run: string;

beforeAll(async () => {
  folder = freshFolder();
  service = await serveHere([
    '{ echo_input: {}, when: { prompt: echo } }',
    '{ leak: { by: 8 }, when: { prompt: leak } }',
  ]);
  const svg = (width: number, height: number, inside: string) =>
    sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inside}</svg>`))
      .removeAlpha()
      .png()
      .toBuffer();
  const ground = (colour: string) => `<rect width="100%" height="100%" fill="${colour}"/>`;
  writeFileSync(
    join(folder, 'photo.png'),
    await svg(120, 90, `${ground('#48c')}<circle cx="60" cy="45" r="20" fill="#c33"/>`),
  );
  writeFileSync(join(folder, 'small.png'), await svg(40, 40, ground('#3c3')));
  writeFileSync(
    join(folder, 'mask.png'),
    await svg(120, 90, `${ground('#000')}<circle cx="60" cy="45" r="25" fill="#fff"/>`),
  );
  writeFileSync(join(folder, 'scorer.mjs'), SCORER);
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  const env = { ...service.env, PATH: process.env.PATH ?? '' };
  ended = await retakeHere(['run', 'suite.yaml', '--quiet', '--allow-commands'], folder, env);
  run = onlyRun(join(folder, 'results'));
});
afterAll(() => service.close());

const read = (name: string) => readFileSync(join(run, name), 'utf8');

describe('edits of the reference service', () => {
  it('rules on edits find an input that comes back and a mask that leaks, and nothing of an honest edit', () => {
    expect(ended.code, ended.stderr).toBe(1);
    const verdict: Verdict = JSON.parse(read('verdict.json'));
    expect(verdict.rules.map(({ verdict: word, estimate, n }) => [word, estimate, n])).toEqual([
      ['pass', 0, 12],
      ['fail', 1, 6],
      ['pass', 0, 6],
      ['fail', 8, 6],
    ]);
  });

  it('facts of edits serve a later report, which is the same', async () => {
    const [facts, measures] = [read('facts.jsonl'), read('measures.csv')];
    expect(facts.match(/"fact":"outside"/g)).toHaveLength(6);
    expect(await retakeHere(['report', run, '--quiet'], folder)).toMatchObject({ code: 0 });
    expect([read('facts.jsonl'), read('measures.csv')]).toEqual([facts, measures]);
  });

  it('a scorer of edits gets the first input image beside each output', () => {
    const lines = read('scores.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const values = lines.flatMap(({ line, values: given }) => (line === 'value' ? [given] : []));
    // Three outputs each of two prompts, and one that is the input.
    expect(values).toEqual(Array(7).fill({ width: 120 }));
  });
});
