import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { accepted } from '../../../src/kit/diagnostic.ts';
import { neededFiles } from '../../../src/suite/declare/declare-scorers.ts';
import { type LoadOptions, loadSuite } from '../../../src/suite/load-suite.ts';
import type { Suite } from '../../../src/suite/suite.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { expectFaults, linesOf } from '../../fixtures/told-faults.ts';

const HEAD = 'suite: 1\nname: s\nvariants: { a: { target: p/e } }\nprompts: [a fox]\n';
const SECRET = 'sk-0123456789';
const ENV = { HF_HOME: '/models', TOKEN: SECRET, EMPTY: '' };

let cwd = '';

beforeAll(() => {
  cwd = freshFolder();
  mkdirSync(join(cwd, 'suites', 'scorers'), { recursive: true });
  for (const name of ['suites/scorers/hps.py', 'suites/scorers/run', 'suites/plain', 'outside.py']) {
    writeFileSync(join(cwd, name), '');
  }
  chmodSync(join(cwd, 'suites', 'scorers', 'run'), 0o755);
  symlinkSync(join(cwd, 'outside.py'), join(cwd, 'suites', 'scorers', 'link.py'));
});

async function load(text: string, options: Partial<LoadOptions> = {}) {
  writeFileSync(join(cwd, 'suites', 's.yaml'), `${HEAD}${text}\n`);
  return loadSuite('suites/s.yaml', { env: ENV, overrides: [], cwd, ...options });
}

async function suite(text: string, options?: Partial<LoadOptions>): Promise<Suite> {
  return accepted(await load(text, options));
}

async function faults(text: string, options?: Partial<LoadOptions>): Promise<readonly string[]> {
  return linesOf(await load(text, options)).map((line) => line.replace(/^suites\/s\.yaml:/, ''));
}

/** A scorer that is right but for the changes, on line 6. */
function command(changes: Readonly<Record<string, string>>): string {
  const keys = {
    use: 'command',
    gives: '{ hps: { better: higher } }',
    command: '[python3, scorers/hps.py]',
    ...changes,
  };
  const written = Object.entries(keys).map(([key, value]) => `${key}: ${value}`);
  return `scorers:\n  hps: { ${written.join(', ')} }`;
}

const file = (gives: string): string => `scorers:\n  rated: { use: file, gives: ${gives} }`;

describe('scorers of a suite', () => {
  test('the scorers of a suite: each kind, with its defaults, in declared order', async () => {
    const { scorers } = await suite(`scorers:
  hps: { use: command, gives: { hps: { better: higher } }, command: [python3, scorers/hps.py] }
  rated:
    use: file
    gives:
      good: { better: higher, range: [1, 5], unit: 1, meaning: "how people rate it" }
      steps: { better: null, unit: score }`);
    const plain = { range: null, unit: 'score', meaning: null };
    expect(scorers).toEqual([
      {
        use: 'command',
        name: 'hps',
        gives: [{ value: 'hps', better: 'higher', ...plain }],
        command: ['python3', 'scorers/hps.py'],
        env: [],
        timeoutMs: 60_000,
        frames: 8,
        original: false,
      },
      {
        use: 'file',
        name: 'rated',
        gives: [
          { value: 'good', better: 'higher', range: [1, 5], unit: '1', meaning: 'how people rate it' },
          { value: 'steps', better: null, ...plain },
        ],
      },
    ]);
  });

  test('a command of a scorer: stands in the record as it was written, without the values of variables', async () => {
    const written = command({
      command: '[python3, scorers/hps.py, "--token=${env.TOKEN}"]',
      env: '[HF_HOME, HF_HOME]',
    });
    const { scorers, environment } = await suite(written);
    expect(scorers).toMatchObject([
      { command: ['python3', 'scorers/hps.py', '--token=${env.TOKEN}'], env: ['HF_HOME'], timeoutMs: 60_000 },
    ]);
    expect(JSON.stringify(scorers)).not.toContain(SECRET);
    expect(Object.keys(environment)).toEqual(['TOKEN']);
  });

  test('a wrong scorer of a suite is refused with place, cause and remedy', async () => {
    await expectFaults('scorers', (text) => faults(text));
  });

  test('scorers with more values than a run may have are refused', async () => {
    const values = Array.from({ length: 101 }, (_, at) => `v${at}: { better: null }`);
    expect(await faults(file(`{ ${values.join(', ')} }`))).toEqual([
      '6:3: "scorers" must give at most 100 values in all; remove some',
    ]);
  });

  test('files that a command does not need to be there, or that are elsewhere: nothing is said of them', async () => {
    const commands = [
      '[scorers/run, openai/clip-vit-base-patch32, --out, scores.json]',
      '[python3, -c, "import hps.py"]',
      '[docker, run, --rm, hps, python3, hps.py]',
      '[python3, -m, scorers.hps]',
      '[python3, ../nowhere.py]',
      '[python3, /nowhere.py]',
      '[python3, scorers/link.py]',
      '[node, "https://example.com/x.js"]',
    ];
    for (const each of commands) expect([each, await faults(command({ command: each }))]).toEqual([each, []]);
    const missing = command({ command: '[python3, ../nowhere.py]' });
    expect(await faults(missing, { allowOutside: true })).toEqual([
      '6:79: cannot read nowhere.py: there is no such file; correct the path',
    ]);
    expect(neededFiles(['/usr/bin/ssh', 'gpu', 'python3', 'hps.py'])).toEqual([0]);
  });
});

describe('expect of a prompt', () => {
  test('expect of a prompt: any JSON by name, beside columns of a file that keep their row', async () => {
    writeFileSync(join(cwd, 'suites', 'p.csv'), 'text,words\nA sign,OPEN\n');
    const { cases } = await suite('', {
      overrides: [
        'prompts=[{ text: a, expect: { text: "OPEN 24", deep: [1, { x: null }] } }, { text: b }, { from: p.csv, expect: [words] }]',
      ],
    });
    expect(cases.map(({ expect: expected }) => expected)).toEqual([
      { values: { text: 'OPEN 24', deep: [1, { x: null }] } },
      undefined,
      { row: 1, values: { words: 'OPEN' } },
    ]);
  });

  test('expect of a prompt that is not a mapping: is refused', async () => {
    expect(await faults('', { overrides: ['prompts=[{ text: a, expect: OPEN }]'] })).toEqual([
      '--set prompts=[{ text: a, expect: OPEN }]: "expect" must be a mapping, not "OPEN"; write keys and values',
    ]);
  });
});
