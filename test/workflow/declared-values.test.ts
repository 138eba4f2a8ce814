import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodeOf } from '../../src/commands/display/print.ts';
import { planCommand } from '../../src/commands/measuring/plan.ts';
import { targetsCommand } from '../../src/commands/measuring/targets.ts';
import { resolveTry } from '../../src/commands/measuring/try.ts';
import { validateCommand } from '../../src/commands/measuring/validate.ts';
import { formatDiagnostic } from '../../src/kit/diagnostic.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { memoryEdge } from '../fixtures/memory-edge.ts';
import { expectFaults } from '../fixtures/told-faults.ts';

/* What is declared wrong or doubtfully is said before anything is sent: where it was written, once, with what to write. */

const OWN = `target: 1
id: own/images
kind: text-to-image
base_url: http://127.0.0.1:9
const: { model: standard, steps: null, sampler: null }
const_types:
  model: { values: [standard, fast] }
  steps: { type: int, min: 1, max: 50 }
  sampler: { known: [euler, lcm] }
inputs: { seed: { claim: exact }, size: { as: ratio, map: { "1:1": square } } }
submit:
  path: /g
  body: { p: "\${case.prompt}", seed: "\${case.seed}", m: "\${const.model}", n: "\${const.steps}", s: "\${const.sampler}", size: "\${case.size}" }
result: { from: body }
`;

function folderWith(suite: string): string {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
  writeFileSync(join(cwd, 'targets', 'own', 'images.yaml'), OWN);
  writeFileSync(join(cwd, 's.yaml'), suite);
  return cwd;
}

const suiteWith = (variant: string, rest = 'prompts: [a fox]') => `suite: 1
name: s
variants:
  a: { target: own/images${variant} }
${rest}
`;

/** What `retake validate` says of a suite; of a valid one these are warnings. */
async function validated(suite: string, env = {}): Promise<readonly string[]> {
  const edge = memoryEdge(folderWith(suite), env);
  const code = await validateCommand({ files: ['s.yaml'], quiet: false, allowOutside: false }, edge);
  const lines = edge.stderr().split('\n').slice(0, -1);
  expect(code).toBe(lines.every((line) => line.startsWith('warning: ')) ? 0 : 2);
  return lines;
}

async function planned(suite: string, set: readonly string[]): Promise<readonly string[]> {
  const edge = memoryEdge(folderWith(suite));
  expect(await exitCodeOf(() => planCommand({ suite: 's.yaml', set, json: true, bodies: false }, edge), edge)).toBe(2);
  return edge.stderr().split('\n').slice(0, -1);
}

async function tried(...set: string[]) {
  const request = { target: 'own/images', prompt: 'a fox', seed: 1, image: [], set };
  const prepared = await resolveTry(request, memoryEdge(folderWith('')));
  return prepared.ok ? prepared.value.variant.constants : prepared.diagnostics.map(formatDiagnostic);
}

const TWO = `suite: 1
name: two
variants: { a: { target: reference/text-to-image }, b: { target: reference/text-to-image } }
prompts: [{ id: fox, text: A red fox }, { id: cat, text: A cat }]
seeds: [1, 2, 3]
`;

const SCORERS = `repeats: 5
scorers:
  hps: { use: command, gives: { hps: { better: higher } }, command: [python3, -c, pass] }
  text: { use: file, gives: { cer: { better: lower }, words: { better: null } } }
`;

const WRONG: Readonly<Record<string, (line: string) => Promise<unknown>>> = {
  'the keys of a variant': (line) => validated(suiteWith(line)),
  'the rest of a suite': (line) => validated(suiteWith('', line)),
  'the load of a suite': (line) => validated(suiteWith('', `prompts: [a fox]\nload: ${line}`)),
  'plan --set': (line) => planned(suiteWith(''), [line]),
  'try --set': (line) => tried(line),
  'a rule': (line) => validated(`${TWO}repeats: 5\ngate: [{ metric: ${line} }]\n`),
  'a rule about one take': (line) => validated(`${TWO}repeats: 1\ngate: [{ metric: ${line} }]\n`),
  'a rule on scores': (line) => validated(`${TWO}${SCORERS}gate: [{ metric: ${line} }]\n`),
};

test('what is declared wrong or doubtfully is said at its place, with what to write', async () => {
  await expectFaults('declared', async (line, section) => {
    const told = await WRONG[section]?.(line);
    return Array.isArray(told) ? told : [];
  });
});

test('what is declared rightly is not remarked on', async () => {
  for (const load of [
    '{ concurrency: [8], hold: { errors: 5% } }',
    '{ mode: open, rate: [1/s, 2/s], hold: { p99: 2s } }\ngate: [{ metric: capacity, min: 2/s }]',
  ])
    expect(await validated(suiteWith('', `prompts: [a fox]\nload: ${load}`))).toEqual([]);
  expect(await validated(suiteWith(', const: { steps: "${env.STEPS}" }'), { STEPS: '4' })).toEqual([]);
  expect(await tried('steps=4')).toMatchObject({ steps: 4 });
});

describe('the environment', () => {
  test('a wrong value is said once by the name of its variable, however many targets use it', async () => {
    const suite = `suite: 1
name: s
variants:
  a: { target: reference/text-to-image }
  b: { target: reference/anime-image }
prompts: [a fox]
`;
    expect(await validated(suite, { RETAKE_BASE_URL: 'gpu-box' })).toEqual([
      'the environment variable RETAKE_BASE_URL: "gpu-box" is not an absolute http or https URL; write https://host/path',
    ]);
    expect(await validated(suiteWith(', const: { steps: "${env.STEPS}" }'), { STEPS: 'four' })).toEqual([
      expect.stringMatching(
        /^the environment variable STEPS: the constant steps of own\/images must be a whole number/,
      ),
    ]);
  });

  test('text in the environment where a number is needed is the fault of the file', async () => {
    const rest = 'prompts: [a fox]\nrepeats: ${env.N}';
    expect(await validated(suiteWith('', rest), { N: '3' })).toEqual([
      's.yaml:6:10: "repeats" must be a whole number, not "3": an environment variable is always text; write the value itself',
    ]);
  });
});

test('the models of the reference presets are those that the service takes', async () => {
  const edge = memoryEdge(freshFolder());
  await targetsCommand({ name: 'reference/text-to-image', check: false }, edge);
  expect(edge.stdout()).toMatch(/model: \{ values: \[standard, fast, fast-lcm\]/);
});
