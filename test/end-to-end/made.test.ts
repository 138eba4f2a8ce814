import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { smallImage } from '../fixtures/image-server.ts';
import { onlyRun, retakeHere } from '../fixtures/retake-process.ts';
import { serve } from '../targets/loopback.ts';

/* A service that brings several images a reply, not always as many as asked for, and says in Server-Timing what took its time. */

const TARGET = (url: string) => `target: 1
id: own/many
kind: text-to-image
base_url: ${url}
const: { n: 1 }
inputs: { seed: { claim: none } }
submit: { path: /images, body: { prompt: "\${case.prompt}", n: "\${const.n}", seed: "\${case.seed}" } }
result: { from: b64, items: "$.images[*]", at: $, expect: image/*, asks: "\${const.n}" }
meta: { inference: "timing:total", stages: { decode: "timing:decode", queue: ["timing:cache", "timing:queue"] } }
`;

const SUITE = `suite: 1
name: many
variants: { one: { target: ./many.yaml }, four: { target: ./many.yaml, const: { n: 4 } } }
prompts: [A red fox, A blue boat]
seeds: [1, 2]
repeats: 2
load: { warmup: 0 }
reports: [csv, json]
`;

async function prepare() {
  const images = await Promise.all(['a', 'b', 'c', 'd'].map(async (name) => (await smallImage(name)).bytes));
  const create = { width: 64, height: 64, channels: 3, background: 'tomato' } as const;
  const blank = await sharp({ create }).png().toBuffer();
  const server = await serve((seen, response) => {
    const { n, seed, prompt } = JSON.parse(seen.body);
    const brought = images.slice(0, n === 4 && seed === 2 ? 3 : n);
    if (n === 4 && seed === 1 && prompt === 'A blue boat') brought[1] = blank;
    response
      .setHeader('server-timing', [
        'queue;dur=12.5;desc="before, decode;dur=1", cache;desc="miss"',
        'decode;dur="7.25", total;dur=40',
      ])
      .end(JSON.stringify({ images: brought.map((bytes) => Buffer.from(bytes).toString('base64')) }));
  });
  const folder = freshFolder();
  writeFileSync(join(folder, 'many.yaml'), TARGET(server.url));
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  return folder;
}

test('a run against a service of several images counts each that shows something, and tells where others came than were asked for', async () => {
  const folder = await prepare();
  const { code, stderr } = await retakeHere(['run', 'suite.yaml'], folder);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('defect')]);
  const run = onlyRun(join(folder, 'results'));
  const [samples, measures] = ['samples.csv', 'measures.csv'].map((name) =>
    readTable(readFileSync(join(run, name), 'utf8')),
  );
  const made = (variant: string, metric: string) =>
    Number(measures?.find((row) => row.variant === variant && row.metric === metric && row.step === '')?.value);
  for (const [variant, blanks] of [
    ['one', 0],
    ['four', 2],
  ] as const) {
    const rows = samples?.filter((row) => row.variant === variant) ?? [];
    const seconds = rows.reduce((sum, row) => sum + Number(row.total_ms), 0) / 1000;
    const outputs = rows.reduce((sum, row) => sum + Number(row.items), 0) - blanks;
    expect(outputs).toBe(variant === 'one' ? 8 : 4 * 4 + 4 * 3 - 2);
    expect(made(variant, 'made.outputs') * seconds).toBeCloseTo(outputs, 2);
    expect(made(variant, 'made.megapixels') * seconds).toBeCloseTo((outputs * 64 * 64) / 1e6, 4);
    expect(made(variant, 'throughput') * seconds).toBeCloseTo(8, 2);
    for (const row of rows) expect([row.server_ms, row.stages]).toEqual(['40', 'decode=7.25;queue=12.5']);
  }
  const { warnings } = JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
  const told = new Map(warnings.map(({ code, what }: { code: string; what: string }) => [code, what]));
  expect(told.get('other_output_count')).toBe('four asks for 4 outputs a request: 4 of 8 takes had 3');
  expect(told.get('blank_outputs')).toBe('2 images of four are blank (1 prompt)');
});

test('a tried call shows what Server-Timing has, as locators', async () => {
  const { stdout } = await retakeHere(['try', 'many.yaml'], await prepare());
  expect(stdout).toMatch(
    /^ +timings +timing:queue = 12\.5 ms, timing:cache without a time, timing:decode = 7\.25 ms, timing:total = 40\.0 ms$/m,
  );
  expect(stdout).toContain('the server reports that it took 40.0 ms');
});
