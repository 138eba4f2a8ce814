import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../src/kit/diagnostic.ts';
import { neededFiles } from '../../../src/suite/declare/declare-scorers.ts';
import { type LoadOptions, loadSuite } from '../../../src/suite/load-suite.ts';
import type { Suite } from '../../../src/suite/suite.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';

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
  const loaded = await load(text, options);
  if (!loaded.ok) throw new Error(loaded.diagnostics.map(formatDiagnostic).join('\n'));
  return loaded.value;
}

async function faults(text: string, options?: Partial<LoadOptions>): Promise<readonly string[]> {
  const loaded = await load(text, options);
  return loaded.ok ? [] : loaded.diagnostics.map((each) => formatDiagnostic(each).replace(/^suites\/s\.yaml:/, ''));
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

  const FAULTS: Readonly<Record<string, string>> = {
    'scorers:\n  a: { use: file }': '6:3: missing key "gives"; add it: the values that it gives each output, by name',
    [file('{}')]: '6:30: "gives" must hold at least one value; add one',
    [command({ use: 'comand' })]: '6:15: "use" must not be "comand"; did you mean "command"?',
    'scorers:\n  a: { gives: {} }': '6:3: missing key "use"; write command, file or judge',
    [command({ timeuot: '30s' })]: '6:96: unknown key "timeuot"; did you mean "timeout"?',
    [file('{ a: { better: null } }, command: [x]')]: '6:55: unknown key "command"; known keys are use, gives',
    'scorers:\n  Hps: { use: file, gives: { a: { better: null } } }':
      '6:3: the name "Hps" must have only a-z, 0-9, "_" and "-", a letter first, and at most 64 characters; rename it',
    [file('{ a.b: { better: higher } }')]:
      '6:32: the name "a.b" must have only a-z, 0-9, "_" and "-", a letter first, and at most 64 characters; rename it',
    [file('{ a: { better: higher }, a: { better: lower } }')]: '6:55: the key "a" occurs twice; keep one of them',
    [`${file('{ a: { better: higher } }')}\n  rated: { use: file, gives: { a: { better: lower } } }`]:
      '7:3: the key "rated" occurs twice; keep one of them',
    [file('{ a: { range: [0, 1] } }')]:
      '6:32: missing key "better"; add it: which values are better: higher, lower, or null for neither',
    [file('{ a: { better: hihger } }')]: '6:45: "better" must not be "hihger"; did you mean "higher"?',
    [file('{ a: { better: lower, range: [1, 0] } }')]: '6:59: "range" must have its lower end first; write [0, 1]',
    [file('{ a: { better: lower, range: [1, 1] } }')]:
      '6:59: "range" must have its lower end first; remove it, or correct one end',
    [file('{ a: { better: lower, range: 1 } }')]: '6:59: "range" must be a list, not 1; write for example [0, 1]',
    [file('{ a: { better: lower, range: [0, 1e300] } }')]:
      '6:63: item 2 of "range" must be at most 1000000000000000, not 1e+300; write 1000000000000000 or less',
    [file('{ a: { better: lower, unit: ms } }')]: '6:58: "unit" must not be "ms"; known are 1, score',
    [command({ command: '[]' })]: '6:69: "command" must hold at least 1 item; add one',
    [command({ command: 'python3 scorers/hps.py' })]:
      '6:69: "command" must be a list, not "python3 scorers/hps.py"; write for example [python3, "scorers/sharp.py"]',
    [command({ command: '[python3 hps.py]' })]:
      '6:69: "command" must list the program and each argument separately; write [python3, hps.py]',
    [command({ command: '[python3, scorers/hsp.py]' })]:
      '6:79: cannot read suites/scorers/hsp.py: there is no such file; correct the path',
    [command({ command: '[scorers/hps]' })]:
      '6:70: cannot start suites/scorers/hps: there is no such file; correct the path',
    [command({ command: '[./scorers]' })]: '6:70: cannot start suites/scorers: it is not a file; name a file',
    [command({ command: '[scorers/hps.py]' })]:
      '6:70: cannot start suites/scorers/hps.py: it is not executable; make it executable (chmod +x), or write its interpreter before it',
    [command({ env: '[HF_HOME, HF_HUB]' })]:
      '6:111: the environment variable HF_HUB is not set; set it, or remove it here',
    [command({ env: '[HF-HOME]' })]: '6:102: item 1 of "env" must be the name of an environment variable; correct it',
    [command({ env: 'HF_HOME' })]: '6:101: "env" must be a list, not "HF_HOME"; write [HF_HOME]',
    [command({ timeout: '60' })]:
      '6:105: "timeout" must be a string, not 60; write a number and ms, s, m or h: 250ms, 2s, 10m',
    [command({ frames: '0' })]: '6:104: "frames" must be at least 1, not 0; write 1 or more',
    [command({ command: '[python3, "${secret.KEY}"]' })]:
      '6:79: a suite takes no secrets; write "${secret.NAME}" in the target, where it is sent',
    [command({ command: '[python3, "${env.NOWHERE}"]' })]:
      '6:79: the environment variable NOWHERE is not set; set it, or write ${env.NOWHERE:-default}',
  };
  test.each(Object.entries(FAULTS))('%s: one diagnostic at its place', async (text, says) => {
    expect(await faults(text)).toEqual([says]);
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
