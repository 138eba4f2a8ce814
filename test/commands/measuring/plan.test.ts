import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { comparableDigest } from '../../../src/analysis/earlier-runs.ts';
import { exitCodeOf } from '../../../src/commands/display/print.ts';
import { planCommand } from '../../../src/commands/measuring/plan.ts';
import type { HistoryLine } from '../../../src/record/kept-run.ts';
import { type PlannedSuite, planSuite } from '../../../src/workflow/plan-suite.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';

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

async function preparedIn(cwd: string): Promise<PlannedSuite> {
  const prepared = await planSuite('s.yaml', { set: [] }, memoryEdge(cwd));
  if (!prepared.ok) throw new Error('the suite is wrong');
  return prepared.value;
}

/** The line of a night in which calls took 2 and 4 s, and 6 % more or less. */
function nightly(night: number, plan: Parameters<typeof comparableDigest>[0]): HistoryLine {
  const ln = 0.06 * (night % 2 === 0 ? 1 : -1);
  const variantOf = (variant: string, ms: number) => ({
    variant,
    kind: 'text-to-image' as const,
    comparableDigest: comparableDigest(plan, { name: variant, baseUrl: 'embedded:' }, null),
    cells: [{ prompt: 'a-fox', seed: 1 }],
    lnValues: { 'latency.total': [Math.log(ms) + ln] },
    meanLn: { 'latency.total': Math.log(ms) + ln },
    rates: {},
  });
  return {
    format: 1,
    run: `night-${night}`,
    startedAt: new Date(Date.UTC(2026, 0, 1 + night)).toISOString(),
    suiteDigest: '0'.repeat(64),
    complete: true,
    verdict: 'none',
    variants: [variantOf('a', 2000), variantOf('b', 4000)],
  };
}

describe('retake plan', () => {
  test('retake plan takes the time from the latest run, and says what a rule against earlier runs can find', async () => {
    const cwd = freshFolder();
    const declared =
      'suite: 1\nname: s\nvariants: { a: { target: reference/text-to-image, baseline: true }, b: { target: reference/text-to-image } }\nprompts: [a fox]\nrepeats: 4\nload: { concurrency: 1, warmup: 1 }\ngate: [{ metric: latency.total, against: history, max_increase: 5%, variants: [b] }]\n';
    writeFileSync(join(cwd, 's.yaml'), declared);
    const lines = async () => {
      const edge = memoryEdge(cwd);
      expect(await planCommand({ suite: 's.yaml', set: [], json: false, bodies: false }, edge)).toBe(0);
      return edge.stdout().split('\n');
    };
    expect(await lines()).toContain('    b: needs 9 comparable earlier runs');
    const { plan, suite } = await preparedIn(cwd);
    const keep = (runs: number) =>
      writeFileSync(
        join(cwd, 'results', 's', 'history.jsonl'),
        Array.from({ length: runs }, (_, at) => `${JSON.stringify(nightly(at, { ...plan, load: suite.load }))}\n`).join(
          '',
        ),
      );
    mkdirSync(join(cwd, 'results', 's'), { recursive: true });
    keep(3);
    expect(await lines()).toContain('Time: about 32 s, if takes are as long as in run night-2');
    expect(await lines()).toContain('    b: needs 9 comparable earlier runs, has 3');
    keep(12);
    const found = (await lines()).find((line) => line.includes('earlier runs vary'));
    expect(found).toMatch(
      /^ {4}b: 12 earlier runs vary by 6\.\d %: finds a slowdown of [23]\d % in the second such run, 4 times in 5; below max_increase: 1\d% unchanged runs are mostly not decided; a slow drift is not found, since /,
    );
    const edge = memoryEdge(cwd);
    await planCommand({ suite: 's.yaml', set: [], json: false, bodies: false, vantage: 'eu' }, edge);
    // They do not say where their calls were sent from.
    expect(edge.stdout()).toMatch(/ b: needs 9 comparable earlier runs(, has 0)?\n/);
  });

  test('retake plan shows the name, the label and the vantage of the run, and refuses what the run would refuse', async () => {
    const cwd = freshFolder();
    writeFileSync(
      join(cwd, 's.yaml'),
      'suite: 1\nname: s\nvariants: { a: { target: reference/text-to-image } }\nprompts: [a fox]\n',
    );
    const usual = { suite: 's.yaml', set: [], json: false, bodies: false };
    const plan = async (given: object) => {
      const edge = memoryEdge(cwd);
      const code = await exitCodeOf(() => planCommand({ ...usual, ...given }, edge), edge);
      return { code, stdout: edge.stdout(), stderr: edge.stderr() };
    };
    const shown = await plan({ run: 'nightly-1', label: 'eu-west' });
    expect(shown.stdout).toContain('\nRun: nightly-1\nLabel: eu-west\n');
    const [first] = (await plan({ label: 'eu-west', json: true })).stdout.split('\n');
    expect(first).toBe('{"run":{"id":null,"label":"eu-west"}}');
    expect((await plan({ vantage: 'eu' })).stdout).toContain('\nVantage: eu\n');
    const [named] = (await plan({ vantage: 'eu', json: true })).stdout.split('\n');
    expect(named).toBe('{"run":{"id":null,"label":null,"vantage":"eu"}}');
    for (const [given, says] of [
      [{ label: 'two\nlines' }, '--label "two'],
      [{ vantage: 'eu west' }, '--vantage "eu west" is not a valid name of a place; use letters'],
      [{ vantage: '' }, '--vantage "" is not'],
      [{ vantage: 'e'.repeat(101) }, '--vantage "eee'],
      [{ run: 'a b' }, '--run "a b" is not a valid name of a run'],
      [{ allowOrigin: ['nonsense'] }, '--allow-origin "nonsense" is not a valid origin'],
    ] as const) {
      const refused = await plan(given);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain(says);
    }
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
