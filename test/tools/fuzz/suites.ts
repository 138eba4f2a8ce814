import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Json } from '../../../src/kit/json.ts';
import { prepareSuite } from '../../../src/run/prepare-suite.ts';
import type { PromptFileEntry } from '../../../src/suite/format/schema.ts';
import { parsePrompts } from '../../../src/suite/prompt-files/prompt-file.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { assertAnswered } from './answered.ts';
import { broken, brokenText } from './break-json.ts';
import { property } from './property.ts';

const TARGET = `target: 1
id: own/images
kind: text-to-image
base_url: http://127.0.0.1:9
const: { model: a, steps: 4 }
inputs: { negative: { as: text }, size: { as: pixels } }
submit:
  path: /generate
  body: { prompt: "\${case.prompt}", seed: "\${case.seed}", size: "\${case.size | wxh}", no: "\${case.negative}", m: "\${const.model}", s: "\${const.steps}" }
result: { from: body }
`;

const SUITES: readonly Json[] = [
  { suite: 1, name: 'small', variants: { one: { target: './target.yaml' } }, prompts: ['A fox'] },
  {
    suite: 1,
    name: 'whole',
    description: 'All there is.',
    variants: {
      one: { target: './target.yaml', const: { model: 'a' }, baseline: true, price: { per: 'request', usd: 0.01 } },
      two: { target: './target.yaml', matrix: { steps: [4, 8] }, optional: true },
    },
    inputs: { size: '1024x576' },
    prompts: [
      { id: 'fox', text: 'A red fox', tags: ['animal'], negative: 'blur' },
      { text: 'A cat', kinds: ['text-to-image'] },
      { from: 'prompts.csv' },
    ],
    seeds: { first: 1, count: 3 },
    repeats: 3,
    load: { mode: 'closed', concurrency: 4, order: 'paired', warmup: 1, on_throttle: 'wait', shuffle: 7 },
    limits: { timeout: '120s', requests: 500, usd: 5, failures: '50%' },
    levels: { near: { psnr: 40 } },
    probes: ['seed', 'cache', 'load'],
    gate: [
      { metric: 'latency.total', max_increase: '5%' },
      { metric: 'latency.total', statistic: 'p95', max: '20s', variants: ['one'] },
      { metric: 'error_rate', max: '20%' },
      { metric: 'determinism.pixel', none: 'departure' },
      { metric: 'stability.pixel', none: 'change', against: 'baseline' },
    ],
    reports: ['csv', 'html', 'json'],
  },
  {
    suite: 1,
    name: 'open',
    variants: { one: { target: './target.yaml' } },
    prompts: ['A fox', 'A cat'],
    seeds: { random: 5, from: 42 },
    load: { mode: 'open', rate: '2/s', arrivals: 'poisson', concurrency: 8, duration: '10s' },
  },
  {
    suite: 1,
    name: 'sweep',
    variants: { one: { target: './target.yaml' } },
    prompts: ['A fox'],
    seeds: [1, 2, 3],
    load: { mode: 'closed', concurrency: [1, 2, 4] },
  },
];

const PROMPT_FILES: Readonly<Record<string, string>> = {
  'p.csv': 'id,text,tags,size\nfox,"A red fox, running",animal;snow,16:9\ncat,"A ""cat""",,1:1\n,An owl,,\n',
  'p.jsonl': '{"id":"fox","text":"A red fox","tags":["animal"]}\n{"text":"A cat","size":"16:9"}\n\n{"text":"An owl"}\n',
  'p.tsv': 'id\ttext\ttags\nfox\t"A" red fox\tanimal;snow\ncat\tA cat\t\n',
  'p.json': '[{"text":"A red fox","tags":["animal"],"n":{"m":[1]}},\n{"text":"A cat"}]',
  'p.txt': 'A red fox\n# a comment\n\nA cat\nA cat\n',
};

const ENTRIES: readonly Omit<PromptFileEntry, 'from'>[] = [
  {},
  { map: { text: 'text', tags: ['tags'], input: '/n/m/0' } },
  { sample: 1, by: 'tags' },
];

let folder: string | null = null;
function workFolder(): string {
  if (folder !== null) return folder;
  folder = freshFolder();
  writeFileSync(join(folder, 'target.yaml'), TARGET);
  writeFileSync(join(folder, 'prompts.csv'), PROMPT_FILES['p.csv'] ?? '');
  return folder;
}

async function holdSuite(
  text: string,
  overrides: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const cwd = workFolder();
  writeFileSync(join(cwd, 'suite.yaml'), text);
  const options = { env, cwd, overrides, nonce: 1 };
  const prepared = await prepareSuite('suite.yaml', options);
  assertAnswered(prepared);
  if (!prepared.ok) return;
  const { suite, plan } = prepared.value;
  assert.ok(plan.requests === plan.slices.reduce((sum, { trials }) => sum + trials.length, 0));
  // What was declared is the same suite again.
  writeFileSync(join(cwd, 'suite.yaml'), JSON.stringify(suite.declared));
  const again = await prepareSuite('suite.yaml', { env, cwd, nonce: 1 });
  if (!again.ok) assert.fail(`what was declared is refused: ${JSON.stringify(again.diagnostics.slice(0, 3))}`);
  assert.equal(again.value.plan.digest, plan.digest);
  assert.deepEqual(again.value.suite.declared, suite.declared);
}

const OVERRIDES = ['load.concurrency=8', 'repeats=2', 'seeds=[1,2]', 'variants.one.const.model=b', 'gate=[]', 'name=x'];

/** Variables where each kind of value may stand. */
const IN_ENVIRONMENT = JSON.stringify({
  suite: 1,
  name: 'small',
  description: '${env.VALUE}',
  variants: { one: { target: './target.yaml', const: { model: '${env.MODEL:-a}', steps: '${env.VALUE}' } } },
  prompts: ['${env.VALUE}', { text: 'A ${env.MODEL:-cat} in ${env.VALUE}', negative: '${env.VALUE}' }],
  limits: { timeout: '${env.MISSING:-20s}' },
});

export const SUITE_PROPERTIES = [
  property({
    kind: 'suites',
    promise:
      'a suite is refused with place, cause and remedy, or prepared, and its declaration is the same suite again',
    share: 20,
    inputs: broken(SUITES).map((document) => JSON.stringify(document, null, 1)),
    hold: (text) => holdSuite(text),
  }),
  property({
    kind: 'suite-texts',
    promise: 'the text of a suite is refused with place, cause and remedy, or prepared',
    share: 8,
    inputs: brokenText(SUITES.map((document) => JSON.stringify(document, null, 1))),
    hold: (text) => holdSuite(text),
  }),
  property({
    kind: 'overrides',
    promise: 'a value of --set is refused with cause and remedy, or the suite is prepared with it',
    share: 4,
    inputs: brokenText(OVERRIDES),
    hold: (override) => holdSuite(JSON.stringify(SUITES[1]), [override]),
  }),
  property({
    kind: 'environment',
    promise: 'the value of an environment variable is refused with cause and remedy, or the suite is prepared with it',
    share: 4,
    inputs: fc.record({
      VALUE: brokenText(['A red fox', '8', '5%', '${env.OTHER}', '../prompts.csv', '\ud800', '{"a":[1]}']),
      MODEL: fc.oneof(fc.constantFrom('', 'a'), fc.string({ unit: 'grapheme' })),
    }),
    hold: (env) => holdSuite(IN_ENVIRONMENT, [], env),
  }),
  property({
    kind: 'prompt-files',
    promise: 'a prompt file is refused with place, cause and remedy, or gives prompts',
    share: 8,
    inputs: fc
      .constantFrom(...Object.entries(PROMPT_FILES))
      .chain(([file, text]) =>
        fc.record({ file: fc.constant(file), text: brokenText([text]), entry: fc.constantFrom(...ENTRIES) }),
      ),
    hold: ({ file, text, entry }) => {
      const place = { file: 's.yaml', line: 1, column: 1 };
      const parsed = parsePrompts([{ file, text }], { from: file, ...entry }, (_, cause, remedy) => ({
        place,
        cause,
        remedy,
      }));
      assertAnswered(parsed);
      if (parsed.ok) assert.ok(parsed.value.length > 0);
    },
  }),
];
