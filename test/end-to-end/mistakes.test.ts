import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { filesBelow, onlyRun, retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';

/* What a user declares wrong is one sentence with place and remedy, exit code 2, and nothing is sent. */

const SUITE = `suite: 1
name: mistakes
variants:
  fast: { target: reference/text-to-image, const: { model: fast } }
prompts:
  - { id: fox, text: A red fox }
limits: { timeout: 20s }
`;

describe('a wrong suite', () => {
  let service: ServedService;
  beforeAll(async () => {
    service = await serveHere();
  });
  afterAll(() => service.close());

  it('a wrong suite is refused by run and plan as by validate, and nothing is sent', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE.replace('model: fast', 'modle: fast'));
    const [validated, ...others] = await Promise.all(
      ['validate', 'run', 'plan'].map((command) => retakeHere([command, 'suite.yaml'], folder, service.env)),
    );
    expect(validated?.stderr).toMatch(/^suite\.yaml:4:60: .*"modle"/);
    for (const ended of others) expect(ended).toMatchObject({ code: 2, stderr: validated?.stderr });
    const asked = (await service.stats()).requests.filter(({ route }) => route.startsWith('POST'));
    expect(asked).toEqual([]);
    expect(existsSync(join(folder, 'results'))).toBe(false);
  });

  it('the value of an environment variable stands in no file of the record, but its name does', async () => {
    const folder = freshFolder();
    const suite = SUITE.replace('A red fox', '"A red fox for ${env.CUSTOMER}"').replace(
      'limits:',
      'repeats: 1\nload: { warmup: 0 }\nlimits:',
    );
    writeFileSync(join(folder, 'suite.yaml'), suite.replace('model: fast', 'model: fast-lcm'));
    const ended = await retakeHere(['run', 'suite.yaml'], folder, {
      ...service.env,
      CUSTOMER: 'a-private-name',
    });
    expect(ended.code).toBe(0);
    const results = filesBelow(join(folder, 'results'));
    for (const file of results) expect(readFileSync(file).includes('a-private-name'), file).toBe(false);
    const run = JSON.parse(readFileSync(join(onlyRun(join(folder, 'results')), 'run.json'), 'utf8'));
    expect(run.prompts[0].text).toBe('A red fox for ${env.CUSTOMER}');
  });

  it('a suite without its key gets a diagnostic that names the variable, and nothing is sent', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const ended = await retakeHere(['run', 'suite.yaml'], folder, { RETAKE_BASE_URL: 'https://api.example.com' });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/RETAKE_API_KEY.*; .+/);
    expect(existsSync(join(folder, 'results'))).toBe(false);
  });
});

describe('wrong arguments', () => {
  it.each([
    { args: [], says: /name a command/ },
    { args: ['run', 'nowhere.yaml'], says: /nowhere\.yaml/ },
    { args: ['report', 'nowhere'], says: /nowhere.*; .+/ },
    { args: ['serve', '--behaviour', 'nowhere.yaml'], says: /nowhere\.yaml/ },
  ])('retake $args is refused', async ({ args, says }) => {
    const ended = await retakeHere(args, freshFolder());
    expect(ended.code).toBe(2);
    expect(ended.stdout).toBe('');
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr).not.toMatch(/defect|at .*\.js:/);
  });
});

describe('options', () => {
  it('a plan names the prompts that no variant takes', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const prompts = 'prompts=[{id: fox, text: a fox}, {id: film, text: a film, kinds: [text-to-video]}]';
    const ended = await retakeHere(['plan', 'suite.yaml', '--set', prompts], folder);
    expect(ended.stdout).toMatch(/prompt film is unused/);
  });

  it('--set counts every time it is given, a single value its last', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const args = [
      'plan',
      'suite.yaml',
      '--json',
      '--set',
      'repeats=2',
      '--set',
      'seeds=[5,6]',
      '--set',
      'load.warmup=0',
    ];
    const ended = await retakeHere(args, folder);
    expect(ended.code).toBe(0);
    const trials = ended.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      // After the trials come what the suite takes from the machine and what they cost.
      .filter((line) => 'slice' in line);
    expect(trials.map(({ seed, repeat }) => `${seed}#${repeat}`).sort()).toEqual(['5#1', '5#2', '6#1', '6#2']);
    const twice = await retakeHere(['serve', '--port', '0', '--port', '99999'], folder);
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringMatching(/65535/) });
  });

  it('retake plan sends nothing and leaves nothing, and is named where a run is asked for --dry-run', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const ended = await retakeHere(['plan', 'suite.yaml'], folder);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const dry = await retakeHere(['run', 'suite.yaml', '--dry-run'], folder);
    expect(dry).toMatchObject({
      code: 2,
      stderr: 'retake: unknown option --dry-run; write retake plan in place of retake run\n',
    });
    expect(ended.stdout).toMatch(/Requests: 4 \(3 takes and 1 warm-up\)/);
    expect(existsSync(join(folder, 'results'))).toBe(false);
  });
});

describe('all faults of a suite', () => {
  const TARGET = `target: 1
id: own/t
kind: text-to-image
base_url: https://x.example
submit: { path: /x, bodi: { prompt: "\${case.prompt}" } }
result: { from: body }
`;

  const SUITE = `suite: 1
name: s
seeeds: [1, 2]
variants:
  a: { target: reference/text-to-image, const: { model: 5 } }
  b: { target: reference/text-to-imgae }
  c: { target: ./own.yaml }
prompts:
  - Poster: a cat
  - { id: x, text: a fox, image: none.png }
  - { from: p.csv }
repeats: many
load: { concurrency: 0 }
scorers: { h: { use: command, command: [./none.sh], gives: { h: { better: higher } } } }
gate:
  - { metric: latency.totl, max_increase: 5% }
  - { metric: error_rate, max: 500ms }
`;

  test('validate shows all faults of a suite at once: of its keys, files, targets, prompts, scorers and rules', async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, 's.yaml'), SUITE);
    writeFileSync(join(cwd, 'own.yaml'), TARGET);
    writeFileSync(join(cwd, 'p.csv'), 'id,txt\n1,a\n');
    const { code, stderr } = await retakeHere(['validate', 's.yaml'], cwd);
    expect(code).toBe(2);
    expect(
      stderr
        .replaceAll(/;[^;\n]*$/gm, '')
        .trimEnd()
        .split('\n'),
    ).toEqual([
      's.yaml:3:1: unknown key "seeeds"',
      's.yaml:5:57: the constant model of reference/text-to-image must not be 5',
      expect.stringMatching(/^s\.yaml:6:16: unknown target "reference\/text-to-imgae"/),
      's.yaml:9:5: the prompt is not a text: YAML reads "Poster:" as a key',
      's.yaml:10:34: cannot use none.png: there is no such file',
      's.yaml:12:10: "repeats" must be a whole number, not "many"',
      's.yaml:13:22: "concurrency" must be at least 1, not 0',
      's.yaml:14:41: cannot start none.sh: there is no such file',
      's.yaml:16:7: there is no metric "latency.totl"',
      's.yaml:17:27: error_rate is a share',
      'p.csv:1:1: no column "text"',
      'own.yaml:5:21: unknown key "bodi"',
    ]);
  });
});
