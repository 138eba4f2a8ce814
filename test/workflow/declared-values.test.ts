import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

async function validated(suite: string, env = {}): Promise<{ code: number; lines: readonly string[] }> {
  const edge = memoryEdge(folderWith(suite), env);
  const code = await validateCommand({ files: ['s.yaml'], quiet: false, allowOutside: false }, edge);
  return { code, lines: edge.stderr().trimEnd().split('\n') };
}

async function planned(suite: string, set: readonly string[]): Promise<string> {
  const edge = memoryEdge(folderWith(suite));
  await exitCodeOf(() => planCommand({ suite: 's.yaml', set, json: true, bodies: false }, edge), edge);
  return edge.stderr().trimEnd();
}

describe('a constant of a variant', () => {
  test('a constant of a variant that its target does not take is said at its place, with the values', async () => {
    expect(await validated(suiteWith(', const: { model: turbo }'))).toEqual({
      code: 2,
      lines: ['s.yaml:4:44: the constant model of own/images must not be "turbo"; known are standard, fast'],
    });
    expect((await validated(suiteWith(', const: { model: fats }'))).lines).toEqual([
      's.yaml:4:44: the constant model of own/images must not be "fats"; did you mean "fast"?',
    ]);
  });

  test('a constant of a variant that is a quoted number is refused, in a matrix at the one value that is wrong', async () => {
    expect((await validated(suiteWith(', matrix: { steps: [4, "8"], model: [standard, fast] }'))).lines).toEqual([
      's.yaml:4:49: the constant steps of own/images must be a whole number from 1 to 50, not "8"; write 8 without quotes',
    ]);
  });

  test('a constant of a variant that --set gives is checked alike, and the option is named', async () => {
    expect(await planned(suiteWith(''), ['variants.a.const.model=lcm'])).toBe(
      '--set variants.a.const.model=lcm: the constant model of own/images must not be "lcm"; known are standard, fast',
    );
    expect(await planned(suiteWith(''), ['variants.a.const.modle=fast'])).toMatch(
      /^--set variants\.a\.const\.modle=fast: .*never uses; did you mean "model"\?$/,
    );
  });

  test('a constant of a variant that is not among those known is a warning, and the suite is valid', async () => {
    const { code, lines } = await validated(suiteWith(', const: { sampler: lmc }'));
    expect(code).toBe(0);
    expect(lines).toEqual([
      'warning: s.yaml:4:46: the constant sampler of own/images is "lmc", which its target does not know; did you mean "lcm"?',
    ]);
  });

  test('a constant of a variant from the environment is the number, and a wrong one names the variable', async () => {
    const suite = suiteWith(', const: { steps: "${env.STEPS}" }');
    expect(await validated(suite, { STEPS: '4' })).toMatchObject({ code: 0 });
    expect((await validated(suite, { STEPS: 'four' })).lines).toEqual([
      expect.stringMatching(
        /^the environment variable STEPS: the constant steps of own\/images must be a whole number/,
      ),
    ]);
  });
});

describe('retake try --set', () => {
  const tried = async (...set: string[]) => {
    const request = { target: 'own/images', prompt: 'a fox', seed: 1, image: [], set };
    const prepared = await resolveTry(request, memoryEdge(folderWith('')));
    return prepared.ok ? prepared.value.variant.constants : prepared.diagnostics.map(formatDiagnostic);
  };

  test('a misspelt constant is answered with constants and inputs', async () => {
    expect(await tried('modle=fast')).toEqual([
      '--set modle=fast: own/images has no constant or input "modle"; did you mean "model"?',
    ]);
    expect(await tried('quality=high')).toEqual([
      '--set quality=high: own/images has no constant or input "quality"; constants are model, sampler, steps; inputs are size',
    ]);
  });

  test('a constant of retake try --set is held against its type', async () => {
    expect(await tried('steps=4')).toMatchObject({ steps: 4 });
    expect(await tried('model=lcm')).toEqual([
      '--set model=lcm: the constant model of own/images must not be "lcm"; known are standard, fast',
    ]);
  });
});

test('retake targets prints what each constant may be', async () => {
  const edge = memoryEdge(folderWith(''));
  await targetsCommand({ name: 'own/images', check: false }, edge);
  expect(edge.stdout()).toContain('const     model: standard; one of standard, fast\n');
  expect(edge.stdout()).toContain('const     sampler: left out; such as euler, lcm\n');
  expect(edge.stdout()).toContain('const     steps: left out; a whole number from 1 to 50\n');
});

describe('an input', () => {
  test('an input of the suite that is not taken is said once, where the suite has it', async () => {
    const rest = 'inputs:\n  size: "16:10"\nprompts: [a fox, a cat, a dog]';
    expect((await validated(suiteWith('', rest))).lines).toEqual([
      's.yaml:6:9: own/images: the input "size" may not be "16:10"; the target takes 1:1',
    ]);
  });

  test('an input of a prompt that is not taken is said where the prompt has it', async () => {
    const rest =
      'inputs: { size: "1:1" }\nprompts:\n  - { id: cat, text: a cat, inputs: { size: "16:10" } }\n  - a fox';
    expect((await validated(suiteWith('', rest))).lines).toEqual([
      's.yaml:7:45: prompt "cat" for own/images: the input "size" may not be "16:10"; the target takes 1:1',
    ]);
  });
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
    expect(await validated(suite, { RETAKE_BASE_URL: 'gpu-box' })).toEqual({
      code: 2,
      lines: [
        'the environment variable RETAKE_BASE_URL: "gpu-box" is not an absolute http or https URL; write https://host/path',
      ],
    });
  });

  test('text in the environment where a number is needed is the fault of the file', async () => {
    const rest = 'prompts: [a fox]\nrepeats: ${env.N}';
    expect((await validated(suiteWith('', rest), { N: '3' })).lines).toEqual([
      's.yaml:6:10: "repeats" must be a whole number, not "3": an environment variable is always text; write the value itself',
    ]);
  });
});

describe('a prompt that is there twice', () => {
  test('a prompt that is there twice gets a warning that says how often it counts', async () => {
    const rest =
      'prompts:\n  - a fox\n  - { id: other, text: a fox }\n  - { id: square, text: a fox, inputs: { size: "1:1" } }';
    expect(await validated(suiteWith('', rest))).toEqual({
      code: 0,
      lines: [
        'warning: s.yaml:7:5: the prompt "other" is the same as "a-fox" at s.yaml:6:5, which then counts 2 times; keep one of them; for more takes of a prompt raise repeats',
      ],
    });
  });

  test('many prompts that are there twice are one warning', async () => {
    const { lines } = await validated(suiteWith('', `prompts: [${Array(50).fill('a fox').join(', ')}]`));
    expect(lines).toEqual([
      expect.stringMatching(/the prompt "a-fox-2" and 48 more are the same as .* counts 50 times/),
    ]);
  });
});

test('the models of the reference presets are those that the service takes', async () => {
  const readme = readFileSync(new URL('../../suites/README.md', import.meta.url), 'utf8');
  expect(readme).not.toContain('latent-consistency');
  const edge = memoryEdge(freshFolder());
  await targetsCommand({ name: 'reference/text-to-image', check: false }, edge);
  expect(edge.stdout()).toContain('const     model: standard; one of standard, fast, fast-lcm\n');
});

describe('what loads must hold', () => {
  const wrong = async (load: string, rest = '') =>
    (await validated(suiteWith('', `prompts: [a fox]\nload: ${load}\n${rest}`))).lines;

  test.each<[load: string, rest: string, says: string]>([
    [
      '{ concurrency: 8, hold: { p95: 2s } }',
      '',
      's.yaml:6:25: hold needs loads that each variant has alone; write a list: concurrency: [8]',
    ],
    [
      '{ mode: open, rate: 2/s, hold: { p95: 2s } }',
      '',
      's.yaml:6:32: hold needs rates that each begin at an empty service; write a list: rate: [2/s]',
    ],
    [
      '{ mode: open, stages: [{ rate: 2/s, for: 1m }], hold: { p95: 2s } }',
      '',
      's.yaml:6:55: hold needs rates that each begin at an empty service; write a list: rate: [2/s]',
    ],
    ['{ concurrency: [8], hold: {} }', '', 's.yaml:6:33: "hold" must have a limit; write p95: 2s, or errors: 5%'],
    ['{ concurrency: [8], hold: { p93: 2s } }', '', 's.yaml:6:35: unknown key "p93"; did you mean "p90"?'],
    [
      '{ concurrency: [8], hold: { p95: 30s } }',
      'limits: { timeout: 20s }',
      's.yaml:6:40: the limit is above the time limit of a request, so that no take could be late; lower it, or raise limits.timeout',
    ],
    [
      '{ concurrency: [4, 8], hold: { p95: 2s } }',
      'gate: [{ metric: capacity, min: 6 }]',
      's.yaml:7:28: the sweep has no load 6; write 4 or 8',
    ],
    [
      '{ concurrency: [4, 8], hold: { p95: 2s } }',
      'gate: [{ metric: capacity, min: 2/s }]',
      's.yaml:7:28: capacity is a plain number; write it without a unit, such as 0.05',
    ],
    [
      '{ mode: open, rate: [1/s, 2/s], hold: { p95: 2s } }',
      'gate: [{ metric: capacity, min: 2 }]',
      's.yaml:7:28: capacity is a rate of arrivals; write 2/s or 30/min',
    ],
    [
      '{ concurrency: [4, 8] }',
      'gate: [{ metric: capacity, min: 4 }]',
      's.yaml:7:10: capacity is what load.hold asks for, and the suite has none, so no rule can be decided by it; remove the rule',
    ],
    [
      '{ concurrency: [4, 8], hold: { p95: 2s } }',
      'gate: [{ metric: latency.total, max: 2s }]',
      's.yaml:7:8: the load is a sweep, and there a rule can ask for capacity only; write metric: capacity with min, or set load.concurrency to one number; to measure without the gate, add --set "gate=[]"',
    ],
  ])('%s %s: is refused at its place', async (load, rest, says) => {
    expect(await wrong(load, rest)).toEqual([says]);
  });

  test('a list of one load may be asked for, and a rule for one of its rates', async () => {
    expect(await wrong('{ concurrency: [8], hold: { errors: 5% } }')).toEqual(['']);
    const rule = 'gate: [{ metric: capacity, min: 2/s }]';
    expect(await wrong('{ mode: open, rate: [1/s, 2/s], hold: { p99: 2s } }', rule)).toEqual(['']);
  });
});
