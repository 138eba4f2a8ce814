import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { planCommand } from '../../src/commands/plan.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { memoryEdge } from '../fixtures/memory-edge.ts';

const KEY = 'sk-very-secret-0123456789';
const OWN = `target: 1
id: own/videos
kind: image-to-video
base_url: http://127.0.0.1:9/v1
auth: { in: header, name: Authorization, value: "Bearer \${secret.OWN_KEY}" }
const: { model: null, steps: 4 }
inputs: { size: { as: pixels } }
submit:
  path: /g
  query: { token: "\${secret.OWN_KEY}", take: "\${run.unique}" }
  encoding: ENCODING
  body: { prompt: "\${case.prompt}", seed: "\${case.seed | str}", model: "\${const.model}", steps: "\${const.steps | str}", size: "\${case.size | wxh('x')}", file: "\${case.image | FILE}" }
result: { from: body }
`;
const SUITE = `suite: 1
name: s
variants: { fast: { target: own/videos, const: { model: foo } } }
prompts:
  - { id: plain, text: 'a "red" fox', image: in.png }
  - { id: other, text: a cat, image: in.png }
  - { id: sized, text: a dog, image: in.png, inputs: { size: 640x480 } }
repeats: 1
`;

async function planned(
  encoding: 'json' | 'multipart',
  keys: { json?: boolean; bodies?: boolean; set?: string[] } = {},
) {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
  const target = OWN.replace('ENCODING', encoding).replace('FILE', encoding === 'json' ? 'data_uri' : 'file');
  writeFileSync(join(cwd, 'targets', 'own', 'videos.yaml'), target);
  writeFileSync(join(cwd, 's.yaml'), SUITE);
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: 'tomato' } });
  await image.png().toFile(join(cwd, 'in.png'));
  const edge = memoryEdge(cwd, { OWN_KEY: KEY });
  const { json = false, bodies = false, set = [] } = keys;
  expect(await planCommand({ suite: 's.yaml', set, json, bodies }, edge)).toBe(0);
  return edge.stdout();
}

describe('retake plan', () => {
  test('retake plan shows the constants of a variant, also one that --set put there', async () => {
    expect(await planned('json')).toContain(
      'fast (image-to-video, baseline): own/videos at http://127.0.0.1:9/v1, model foo, steps 4, 4 requests\n',
    );
    expect(await planned('json', { set: ['variants.fast.const.model=bar'] })).toContain(', model bar, steps 4,');
  });

  test('retake plan says what variants have in common once, and how long the plan is', async () => {
    const text = await planned('json', {
      set: [
        'variants.slow={target: own/videos}',
        'variants.priced={target: own/videos, price: {per: request, usd: 0.5}}',
      ],
    });
    expect(text).toContain('\n  fast and slow: unknown: no price is declared\n  priced: $2.00\n');
    expect(text).toContain('\n  fast, slow and priced: 3 takes each, no interval; p50 needs 6\n');
    expect(text).toContain('\nTime: about 2 min if each call takes 10 s\n');
  });

  test('retake plan says that a run stops at limits.requests, where the plan has more', async () => {
    expect(await planned('json', { set: ['limits.requests=3'] })).toContain(
      '\n  limits.requests is 3: the run stops before the other 1; to send all, add --set limits.requests=4\n',
    );
    expect(await planned('json', { set: ['limits.requests=4'] })).not.toContain('limits.requests');
  });

  test('retake plan explains how a trial is written and which seed warm-ups use', async () => {
    const text = await planned('json');
    expect(text).toMatch(/ {2}prompt\/seed#take: (\w+)\/1#1 is take 1 of the prompt \1 with seed 1\n/);
    expect(text).toContain('  warm-ups use the seed 2, which no take uses');
    expect(text).not.toContain('embedded:');
  });

  test('retake plan says what embedded: is where a variant has it', async () => {
    const cwd = freshFolder();
    writeFileSync(
      join(cwd, 's.yaml'),
      'suite: 1\nname: s\nvariants: { a: { target: reference/text-to-image } }\nprompts: [a fox]\n',
    );
    const edge = memoryEdge(cwd);
    await planCommand({ suite: 's.yaml', set: [], json: false, bodies: false }, edge);
    expect(edge.stdout()).toContain(
      '  embedded: is the reference service, which a run starts and stops on this machine\n',
    );
  });
});

describe('retake plan --bodies', () => {
  test('retake plan --bodies shows one request of a variant for each kind of case, with secrets by their names', async () => {
    const text = await planned('json', { bodies: true });
    expect(text.match(/^fast asks for \w+ with seed 1:$/gm)).toEqual([
      'fast asks for plain with seed 1:',
      'fast asks for sized with seed 1:',
    ]);
    expect(text).toContain('    > POST http://127.0.0.1:9/v1/g?token=${secret.OWN_KEY}&take=${run.unique}\n');
    expect(text).toContain('    > authorization: Bearer ${secret.OWN_KEY}\n');
    expect(text).toContain('    >   "prompt": "a \\"red\\" fox",\n');
    expect(text.match(/"size": "640x480"/g)).toHaveLength(1);
    expect(text).toMatch(/ {4}> {3}"file": "data:image\/png;base64,/);
    expect(text).not.toContain(KEY);
  });

  test('retake plan --bodies shows the parts of a form with names, values, file names and sizes', async () => {
    const text = await planned('multipart', { bodies: true });
    expect(text).toContain('    > prompt: a "red" fox\n    > seed: 1\n    > model: foo\n    > steps: 4\n');
    expect(text).toMatch(/ {4}> file: file in\.png \(image\/png, [\d.]+ \w+\)\n/);
    expect(text).toMatch(/> content-type: multipart\/form-data; boundary=/);
  });

  test('retake plan --bodies prints the same as JSON lines before the trials', async () => {
    const lines = (await planned('multipart', { bodies: true, json: true })).trimEnd().split('\n');
    const parsed = lines.map((line) => JSON.parse(line));
    expect(parsed[0]).toMatchObject({
      variant: 'fast',
      prompt: 'plain',
      seed: 1,
      request: {
        method: 'POST',
        body: { is: 'multipart', fields: expect.arrayContaining([{ name: 'seed', value: '1' }]) },
      },
    });
    expect(parsed.filter((line) => 'request' in line)).toHaveLength(2);
    expect(parsed.filter((line) => 'slice' in line)).toHaveLength(4);
  });
});
