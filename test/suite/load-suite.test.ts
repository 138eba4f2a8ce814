import { createHash } from 'node:crypto';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { accepted, formatDiagnostic } from '../../src/kit/diagnostic.ts';
import { DEFAULT_LIMITS } from '../../src/media/level.ts';
import { type LoadOptions, loadSuite } from '../../src/suite/load-suite.ts';
import type { Suite } from '../../src/suite/suite.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { expectFaults, linesOf } from '../fixtures/told-faults.ts';
import { draws, NIGHTLY } from '../test-options.ts';

let cwd = '';
let image: Uint8Array = new Uint8Array();

beforeAll(async () => {
  cwd = freshFolder();
  const color = { channels: 3, width: 2, height: 2, background: 'red' } as const;
  image = new Uint8Array(await sharp({ create: color }).png().toBuffer());
});

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), content);
  }
}

async function load(files: Readonly<Record<string, string | Uint8Array>>, options: Partial<LoadOptions> = {}) {
  await write(files);
  return loadSuite('s.yaml', { env: {}, overrides: [], cwd, ...options });
}

async function suite(
  files: Readonly<Record<string, string | Uint8Array>>,
  options?: Partial<LoadOptions>,
): Promise<Suite> {
  return accepted(await load(files, options));
}

async function faults(text: string, files: Readonly<Record<string, string | Uint8Array>> = {}) {
  return linesOf(await load({ ...files, 's.yaml': text }));
}

const HEAD = 'suite: 1\nname: s\nvariants: { a: { target: p/e } }\n';

describe('a suite', () => {
  test('a suite is small: the rest has defaults', async () => {
    const { variants, cases, ...rest } = await suite({ 's.yaml': `${HEAD}prompts: [A red fox, runs!]\n` });
    expect(rest).toEqual({
      file: 's.yaml',
      name: 's',
      hold: null,
      description: null,
      seeds: [1],
      repeats: 3,
      load: { mode: 'closed', concurrency: 1, order: 'paired', steps: null, warmup: 1, onThrottle: 'wait', shuffle: 1 },
      limits: { timeoutMs: null, requests: null, usd: null, failures: 0.5 },
      probes: [],
      levels: DEFAULT_LIMITS,
      scorers: [],
      judges: [],
      gate: [],
      reports: ['csv', 'html'],
      declared: { suite: 1, name: 's', variants: { a: { target: 'p/e' } }, prompts: ['A red fox', 'runs!'] },
      environment: {},
      files: [],
      inputSources: {},
    });
    const place = { file: 's.yaml', line: 3, column: 13 };
    expect(variants).toEqual([
      {
        name: 'a',
        target: 'p/e',
        targetSource: { place: { ...place, column: place.column + 13 }, setBy: null, filled: false },
        place,
        constants: {},
        constantSources: {},
        baseline: false,
        optional: false,
        price: null,
        baseUrl: null,
        levels: DEFAULT_LIMITS,
      },
    ]);
    expect(cases.map(({ id, text }) => [id, text])).toEqual([
      ['a-red-fox', 'A red fox'],
      ['runs', 'runs!'],
    ]);
    expect(cases[0]).toMatchObject({
      images: [],
      mask: null,
      tags: [],
      inputs: {},
      kinds: ['text-to-image', 'anime-image', 'text-to-video'],
    });
  });

  test('a suite can say everything', async () => {
    const text = `
suite: 1
name: all
description: everything
variants:
  standard: { target: p/e, const: { model: standard, steps: [1, { deep: null }] }, baseline: true }
  fast: { target: ./own.yaml, price: { per: second, usd: 0.01 } }
inputs: { size: "16:9", seconds: 2 }
prompts:
  - { id: fox, text: A fox, tags: [animal, animal], kinds: [text-to-image], inputs: { size: "1:1" } }
seeds: { first: 5, count: 2 }
repeats: 1
load: { mode: closed, concurrency: 4, order: mixed, warmup: 0, on_throttle: stop, shuffle: 7 }
limits: { timeout: 120s, requests: 500, failures: 5% }
reports: [json, csv, json]
`;
    expect(await suite({ 's.yaml': text })).toMatchObject({
      description: 'everything',
      variants: [
        { name: 'standard', constants: { model: 'standard', steps: [1, { deep: null }] }, baseline: true, price: null },
        { name: 'fast', target: './own.yaml', price: { per: 'second', usd: 0.01 } },
      ],
      cases: [{ id: 'fox', tags: ['animal'], kinds: ['text-to-image'], inputs: { size: '1:1', seconds: 2 } }],
      seeds: [5, 6],
      repeats: 1,
      load: { concurrency: 4, order: 'mixed', warmup: 0, onThrottle: 'stop', shuffle: 7 },
      limits: { timeoutMs: 120_000, requests: 500, failures: 0.05 },
      reports: ['json', 'csv'],
    });
  });

  test('a suite is the same in JSON', async () => {
    const declared = {
      $schema: './suite.schema.json',
      suite: 1,
      name: 's',
      variants: { a: { target: 'p/e' } },
      prompts: ['A fox'],
    };
    expect((await suite({ 's.yaml': JSON.stringify(declared, null, '\t') })).declared).toEqual(declared);
  });

  test('a prompt file of 60,000 lines is read whole, and equal lines are numbered', async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => (index % 3 === 0 ? 'The same' : `Prompt ${index}`));
    const { cases } = await suite({
      's.yaml': `${HEAD}prompts:\n  - { from: many.txt }\n`,
      'many.txt': lines.join('\n'),
    });
    expect(cases.map(({ text }) => text)).toEqual(lines);
    const ids = cases.map(({ id }) => id);
    expect(new Set(ids).size).toBe(60_000);
    expect([ids[0], ids[3], ids.at(-3)]).toEqual(['the-same', 'the-same-2', 'the-same-20000']);
  });

  test('a suite takes prompts from files beside the file that names them, with images and inputs', async () => {
    const files = {
      's.yaml': `${HEAD}inputs: { seconds: 2, style: oil }\nprompts:\n  - { from: prompts/scenes.csv }\n  - from: prompts/more.jsonl\n  - from: prompts/plain.txt\n`,
      'prompts/scenes.csv':
        '\uFEFFid,text,image,tags,kinds,seconds,zoom\r\nsea,"The sea, calm",,water; calm,text-to-image;anime-image,4,true\r\n,"Two\nlines",in/red.dat,,,,007\r\n',
      'prompts/in/red.dat': image,
      'prompts/more.jsonl': '{"text": "A cat", "tags": ["x"], "seconds": 1.5}\n\n{"id": "dog", "text": "A dog"}\n',
      'prompts/plain.txt': '\n  A hen \r\nThe sea, calm\n雪\n',
    };
    const { cases } = await suite(files);
    expect(
      cases.map(({ images, ...rest }) => ({
        ...rest,
        images: images.map((image) => ({ ...image, bytes: image.bytes.length })),
      })),
    ).toMatchObject([
      {
        id: 'sea',
        text: 'The sea, calm',
        tags: ['water', 'calm'],
        kinds: ['text-to-image', 'anime-image'],
        inputs: { seconds: 4, style: 'oil', zoom: true },
        place: { file: 'prompts/scenes.csv', line: 2, column: 1 },
      },
      {
        id: 'two-lines',
        text: 'Two\nlines',
        kinds: ['image-to-video', 'image-edit'],
        inputs: { seconds: 2, zoom: '007' },
        images: [
          {
            fileName: 'red.dat',
            mime: 'image/png',
            bytes: image.length,
            sha256: createHash('sha256').update(image).digest('hex'),
          },
        ],
      },
      { id: 'a-cat', tags: ['x'], inputs: { seconds: 1.5, style: 'oil' }, place: { line: 1, column: 1 } },
      { id: 'dog', place: { file: 'prompts/more.jsonl', line: 3 } },
      { id: 'a-hen', text: 'A hen', place: { file: 'prompts/plain.txt', line: 2, column: 1 } },
      { id: 'the-sea-calm' },
      { id: expect.stringMatching(/^prompt-[0-9a-f]{8}$/) },
    ]);
  });

  test('a suite fills in the environment after --set, and keeps what was written', async () => {
    const prompts = '["A fox on ${env.HOST}", { text: "A ${env.HOST}" }]';
    const text = `${HEAD}description: on \${env.HOST}\nprompts: ${prompts}\n`;
    const loaded = await suite(
      { 's.yaml': text },
      { env: { HOST: 'harbour', WHO: 'me' }, overrides: ['name=by-${env.WHO}', 'load.concurrency=8'] },
    );
    expect(loaded).toMatchObject({ name: 'by-me', description: 'on harbour', load: { concurrency: 8 } });
    expect(loaded.declared).toMatchObject({
      name: 'by-${env.WHO}',
      description: 'on ${env.HOST}',
      load: { concurrency: 8 },
    });
    // An id is in the record, and a value is not.
    expect(loaded.cases).toMatchObject([
      { id: 'a-fox-on-env-host', text: 'A fox on harbour' },
      { id: 'a-env-host', text: 'A harbour' },
    ]);
    expect(Object.keys(loaded.environment)).toEqual(['WHO', 'HOST']);
  });
});

test('a mask has the size of the upright image, whatever orientation the files declare', async () => {
  const create = { channels: 3, width: 4, height: 2, background: 'white' } as const;
  const plain = sharp({ create }).extend({ right: 8, background: 'black' }).png();
  await plain.toFile(join(cwd, 'u.png'));
  await plain.withMetadata({ orientation: 6 }).toFile(join(cwd, 't.png'));
  const says = (mask: string) => faults(`${HEAD}prompts: [{ text: a, image: t.png, mask: ${mask} }]\n`);
  expect(await says('t.png')).toEqual([]);
  expect(await says('u.png')).toEqual([
    's.yaml:4:42: cannot use u.png: it is 12x2, and t.png is 2x12; make it as large as the first image',
  ]);
});

describe('a wrong suite', () => {
  test('a wrong suite is refused with place, cause and remedy', async () => {
    await expectFaults('suites', (text, part) => faults(part === 'all of it' ? text : `${HEAD}${text}\n`));
  });

  test('a folder as an image is refused', async () => {
    expect(await faults(`${HEAD}prompts: [{ text: a, image: . }]\n`)).toEqual([
      expect.stringMatching(/^s\.yaml:4:29: cannot use .*: it is a folder; name a file in it$/),
    ]);
  });

  test('a suite lists probes, each once and in the order they are sent', async () => {
    const { probes } = await suite({ 's.yaml': `${HEAD}prompts: [x]\nprobes: [load, seed, load]\n` });
    expect(probes).toEqual(['seed', 'load']);
    expect((await suite({ 's.yaml': `${HEAD}prompts: [x]\n` })).probes).toEqual([]);
  });

  test('levels of a variant come before those of the suite and the defaults', async () => {
    const text = HEAD.replace(
      'p/e }',
      'p/e, levels: { similar: { pdq: 12 }, related: { pdq: 40 } } }, b: { target: p/e }',
    );
    const { levels, variants } = await suite({
      's.yaml': `${text}prompts: [x]\nlevels: { near: { psnr: 45, max_difference: 0.0118 }, similar: { ssim: 0.9, pdq: 8 } }\n`,
    });
    const near = { maxDifference: 0.0118, psnrDb: 45 };
    expect(levels).toEqual({ near, similar: { ssim: 0.9, chroma: 4, pdqDistance: 8 }, related: { pdqDistance: 31 } });
    expect(variants.map((variant) => variant.levels)).toEqual([
      { near, similar: { ssim: 0.9, chroma: 4, pdqDistance: 12 }, related: { pdqDistance: 40 } },
      levels,
    ]);
  });

  test('levels that --set put there are checked', async () => {
    const overrides = ['levels.similar.pdq=40'];
    const loaded = await load({ 's.yaml': `${HEAD}prompts: [x]\n` }, { overrides });
    expect(linesOf(loaded)).toEqual([
      '--set levels.similar.pdq=40: similar.pdq (40) is above related.pdq (31); write similar.pdq of at most 31, or raise related.pdq',
    ]);
  });

  test('a prompt that YAML ends at a "#" is told with its text in quotes', async () => {
    const prompts = ['hashtag #love', 'a fox # red', '"a #cat"', '{ text: a #dog\n    }'].map(
      (each) => `  - ${each}\n`,
    );
    const loaded = await load({ 's.yaml': `${HEAD}prompts:\n${prompts.join('')}` });
    expect((loaded.ok ? (loaded.warnings ?? []) : loaded.diagnostics).map(formatDiagnostic)).toEqual([
      's.yaml:5:5: the prompt ends before "#love", which YAML reads as a comment; quote the text: "hashtag #love"',
      's.yaml:8:13: the prompt ends before "#dog", which YAML reads as a comment; quote the text: "a #dog"',
    ]);
  });

  test('a matrix and a base_url become variants of their own', async () => {
    const text = HEAD.replace('p/e', 'p/e, matrix: { steps: [4, 8] }, base_url: "http://${env.BOX}:8188"');
    const { variants } = await suite({ 's.yaml': `${text}prompts: [x]\n` }, { env: { BOX: 'gpu' } });
    expect(variants).toMatchObject([
      {
        name: 'a-steps-4',
        constants: { steps: 4 },
        baseUrl: { text: 'http://gpu:8188', source: { setBy: 'the environment variable BOX' } },
      },
      { name: 'a-steps-8', constants: { steps: 8 }, baseUrl: { text: 'http://gpu:8188' } },
    ]);
  });

  test('a prompt file that is not UTF-8 is refused', async () => {
    const latin = { 'p.txt': new Uint8Array([0x41, 0xff]) };
    expect(await faults(`${HEAD}prompts: [{ from: p.txt }]\n`, latin)).toEqual([
      's.yaml:4:19: cannot read p.txt: it is not UTF-8; save it as UTF-8',
    ]);
  });

  test.runIf(NIGHTLY)('input images above 512 MiB are refused once, and no more of them are read', async () => {
    const names = Array.from({ length: 18 }, (_, index) => `in/${index}.png`);
    await write(Object.fromEntries(names.map((name) => [name, image])));
    for (const name of names.slice(0, 17)) await truncate(join(cwd, name), 32 * 2 ** 20);
    await write({ 'in/17.png': 'not an image' });
    const prompts = names.map((name, index) => `  - { text: a${index}, image: ${name} }\n`).join('');
    expect(await faults(`${HEAD}prompts:\n${prompts}`)).toEqual([
      's.yaml:21:25: cannot use in/16.png: with it the input files are larger than 512 MiB; use smaller files, or fewer',
    ]);
  });

  test('an image that is too large is refused', async () => {
    await write({ 'huge.png': image });
    await truncate(join(cwd, 'huge.png'), 32 * 1024 * 1024 + 1);
    expect(await faults(`${HEAD}prompts: [{ text: a, image: huge.png }]\n`)).toEqual([
      's.yaml:4:29: cannot use huge.png: it is larger than 32 MiB; make it smaller',
    ]);
  });

  test('a suite without a file gets a diagnostic', async () => {
    const loaded = await loadSuite('none.yaml', { env: {}, overrides: [], cwd });
    expect(linesOf(loaded)).toEqual(['cannot read none.yaml: there is no such file; correct the path']);
  });

  test('a suite of any JSON is diagnosed, and never throws', async () => {
    const key = fc.oneof(
      fc.constantFrom('suite', 'name', 'variants', 'prompts', 'seeds', 'load', 'limits', 'gate', 'text', 'from', 'a'),
      fc.string(),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 0, 1, -1, 1.5, '', 'x', '${env.A}', '${env.', '2s', '5%'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    }));
    const mutated = fc.record(
      {
        suite: fc.oneof(fc.constant(1), value),
        name: fc.oneof(fc.constant('s'), value),
        variants: value,
        prompts: value,
        seeds: value,
        load: value,
        limits: value,
        inputs: value,
        gate: value,
        levels: value,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(value, mutated), async (json) => {
        const loaded = await load({ 's.yaml': JSON.stringify(json) });
        if (!loaded.ok)
          for (const { cause, remedy } of loaded.diagnostics) expect(cause !== '' && remedy !== '').toBe(true);
      }),
      { numRuns: draws(300) },
    );
  });
});
