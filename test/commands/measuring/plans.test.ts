import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { planCommand } from '../../../src/commands/measuring/plan.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';

/* What `retake plan` prints of suites of every sort: reviewed in test/golden/plan. */

const KEY = 'sk-very-secret-0123456789';

const TARGET = `target: 1
id: own/images
kind: text-to-image
base_url: https://api.example.com/v1
auth: { in: header, name: Authorization, value: "Bearer \${secret.OWN_KEY}" }
origins: { auth: [base, "https://queue.example.com"], download: ["https://*.cdn.example.com"] }
const: { model: "\${env.HOME_MODEL}" }
submit: { path: /g, encoding: json, body_file: graph.json, set: { "/p": "\${case.prompt}", "/m": "\${const.model}" } }
result: { from: body }
`;

/** An endpoint of videos whose requests are shown. */
const videos = (encoding: 'json' | 'multipart') => `target: 1
id: own/${encoding}
kind: image-to-video
base_url: http://127.0.0.1:9/v1
auth: { in: header, name: Authorization, value: "Bearer \${secret.OWN_KEY}" }
const: { model: null, steps: 4 }
inputs: { size: { as: pixels } }
submit:
  path: /g
  query: { token: "\${secret.OWN_KEY}", take: "\${run.unique}" }
  encoding: ${encoding}
  body: { prompt: "\${case.prompt}", seed: "\${case.seed | str}", model: "\${const.model}", steps: "\${const.steps | str}", size: "\${case.size | wxh('x')}", file: "\${case.image | ${encoding === 'json' ? 'data_uri' : 'file'}}" }
result: { from: body }
`;

const SHOWN = ['plain', 'other', 'sized'].map((id) => ({
  ...{ id, text: `a "${id}" fox`, image: 'fox.jpg' },
  ...(id === 'sized' ? { inputs: { size: '640x480' } } : {}),
}));

const REFERENCE = { target: 'reference/text-to-image' };
const OWN = { target: 'own/images' };
const candidates = (count: number) =>
  Object.fromEntries(Array.from({ length: count + 1 }, (_, at) => [`v${at}`, { ...REFERENCE, baseline: at === 0 }]));
const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ from: `prompts/${name}.txt` }));
const GATE = [
  { metric: 'latency.total', max_increase: '10%' },
  { metric: 'error_rate', none: 'error' },
];

/** Keys of the suite in place of the usual ones, and arguments. */
const SITUATIONS: Readonly<Record<string, readonly [suite: object, args?: object]>> = {
  'one-variant': [
    { variants: { a: REFERENCE }, prompts: ['a fox'] },
    { run: 'nightly-1', label: 'eu-west', vantage: 'eu' },
  ],
  'ten-candidates': [{ variants: candidates(10), load: { concurrency: 3 } }],
  sweep: [{ variants: candidates(2), load: { concurrency: [1, 3] } }],
  open: [{ load: { mode: 'open', arrivals: 'constant', rate: '2/s', duration: '9s' } }],
  hold: [{ gate: [], repeats: 9, load: { concurrency: [2, 4], hold: { p95: '2s', errors: '5%' } } }],
  // The second rate is over before a load can be shown to hold.
  'hold-rates': [{ gate: [], repeats: 9, load: { mode: 'open', rate: ['1/s', '4/s'], hold: { p95: '3s' } } }],
  'few-in-flight': [{ load: { concurrency: 9 } }],
  stages: [
    {
      load: {
        ...{ mode: 'open', arrivals: 'constant' },
        stages: [
          { rate: '2/s', for: '3s' },
          { rate: '30/min', for: '8s' },
        ],
      },
    },
  ],
  'bodies-of-json': [
    { variants: { fast: { target: 'own/json', const: { model: 'foo' } } }, prompts: SHOWN },
    { bodies: true },
  ],
  'bodies-of-forms': [{ variants: { fast: { target: 'own/multipart' } }, prompts: SHOWN }, { bodies: true }],
  looks: [{ gate: GATE, seeds: { first: 1, count: 16 } }, { untilDecided: true }],
  shard: [{ load: { concurrency: 2 } }, { shard: '1/2' }],
  probes: [{ probes: ['seed', 'cache', 'load'], load: { concurrency: 4 } }],
  history: [{ gate: [{ metric: 'latency.total', against: 'history', max_increase: '5%' }] }],
  costs: [
    {
      variants: {
        fast: OWN,
        slow: { ...OWN, const: { model: 'slow' } },
        priced: { ...OWN, price: { per: 'request', usd: 0.5 } },
      },
      limits: { requests: 10 },
    },
  ],
  sources: [
    {
      variants: { own: OWN, ours: { ...REFERENCE, const: { model: '${env.MODEL:-fast}' } } },
      prompts: files.slice(1, 2),
    },
  ],
  'many-files': [{ variants: { preset: { target: 'openai/images' }, own: OWN }, prompts: files }],
  scorers: [
    {
      variants: { own: OWN },
      scorers: {
        hps: {
          use: 'command',
          gives: { hps: { better: 'higher' } },
          command: ['python3', '-c', 'print(1)', '${env.OWN_KEY}'],
          env: ['HOME_MODEL'],
        },
        rated: { use: 'file', gives: { rated: { better: 'higher' } } },
      },
    },
  ],
};

async function planned(suite: object, args: object = {}, json = false): Promise<string> {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
  mkdirSync(join(cwd, 'prompts'));
  writeFileSync(join(cwd, 'targets', 'own', 'images.yaml'), TARGET);
  writeFileSync(join(cwd, 'targets', 'own', 'graph.json'), '{ "p": "", "m": "" }');
  for (const encoding of ['json', 'multipart'] as const)
    writeFileSync(join(cwd, 'targets', 'own', `${encoding}.yaml`), videos(encoding));
  copyFileSync('suites/inputs/fox.jpg', join(cwd, 'fox.jpg'));
  for (const { from } of files) writeFileSync(join(cwd, from), `${from.slice(-5, -4)}\n`);
  const usual = {
    suite: 1,
    name: 's',
    variants: { a: { ...REFERENCE, baseline: true }, b: REFERENCE },
    prompts: ['a fox', 'a cat'],
    seeds: [1, 2, 3],
    repeats: 1,
  };
  writeFileSync(join(cwd, 's.yaml'), JSON.stringify({ ...usual, ...suite }));
  return textOf(cwd, { suite: 's.yaml', set: [], bodies: false, ...args, json });
}

async function textOf(cwd: string, args: Parameters<typeof planCommand>[0]): Promise<string> {
  const edge = memoryEdge(cwd, { HOME_MODEL: 'large', OWN_KEY: KEY });
  expect([await planCommand(args, edge), edge.stderr()]).toEqual([0, '']);
  expect(edge.stdout()).not.toContain(KEY);
  return edge
    .stdout()
    .replaceAll(JSON.stringify(cwd).slice(1, -1), '/project')
    .replaceAll(/(?<=Plan digest: )\w+/g, 'DIGEST')
    .replaceAll(/(?<=;base64,)[\w+/=]+/g, 'BYTES');
}

const golden = (name: string) => fileURLToPath(new URL(`../../golden/plan/${name}.txt`, import.meta.url));

test.each(Object.entries(SITUATIONS))('a plan of %s: is printed as reviewed', async (name, [suite, args]) => {
  await expect(await planned(suite, args)).toMatchFileSnapshot(golden(name));
});

test('a plan of several kinds: is printed as reviewed', async () => {
  const args = { suite: 'suites/demo.yaml', set: [], json: false, bodies: false };
  await expect(await textOf(process.cwd(), args)).toMatchFileSnapshot(golden('kinds'));
});

test.each(Object.entries(SITUATIONS))('a plan of %s: has the numbers of --json', async (_, [suite, args]) => {
  const text = await planned(suite, args);
  const lines = (await planned(suite, args, true))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const reaches = lines.flatMap(({ reach }) => reach ?? []);
  expect(reaches.length).toBeGreaterThan(0);
  for (const { variant, requests, takes, percents, speed } of reaches) {
    const row = text.split('\n').find((line) => line.startsWith(`${variant} `)) ?? '';
    const needs = speed === null ? [] : [`${speed.n}, needs ${speed.fewest}`];
    for (const number of [requests, takes, ...percents.map((percent: number) => `p${percent}`), ...needs]) {
      expect(row, variant).toContain(String(number));
    }
  }
  for (const { independent, takes, loads } of lines.flatMap(({ hold }) => hold ?? [])) {
    const fewest = Math.min(...loads.map((load: { takes: number }) => load.takes));
    for (const number of [independent, takes, fewest]) expect(text).toMatch(new RegExp(`\\b${number} `));
  }
  for (const { n, metric } of lines.flatMap(({ rule }) => rule ?? [])) {
    if (n > 0) expect(text, metric).toMatch(new RegExp(`\\b${n} `));
  }
  for (const { name } of lines.flatMap(({ source, scorer }) => source ?? scorer ?? [])) {
    expect(text).toContain(
      name.replace(/^\/project\/(prompts\/.*)?/, (_all: string, file = '') => file.replace(/\/.*/, '')),
    );
  }
});

test('a plan with --bodies has its requests as JSON lines before the trials', async () => {
  const [suite, args] = SITUATIONS['bodies-of-forms'] ?? [{}];
  const [first, ...others] = (await planned(suite, args, true))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({
    ...{ variant: 'fast', prompt: 'plain', seed: 1 },
    request: { body: { is: 'multipart', fields: expect.arrayContaining([{ name: 'seed', value: '1' }]) } },
  });
  expect(others.filter((line) => 'request' in line)).toHaveLength(1);
  expect(others.filter((line) => 'slice' in line).length).toBeGreaterThan(1);
});
