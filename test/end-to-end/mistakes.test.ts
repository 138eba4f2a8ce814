import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshFolder, retake, type ServedService, serveReference } from '../fixtures/retake-process.ts';

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
    service = await serveReference();
  });
  afterAll(() => service.close());

  it.each([
    {
      what: 'a misspelt key',
      suite: SUITE.replace('limits:', 'limit:'),
      says: /^suite\.yaml:7:1: .*"limit".*did you mean "limits"\?$/,
    },
    {
      what: 'a misspelt key below',
      suite: SUITE.replace('timeout: 20s', 'timeuot: 20s'),
      says: /^suite\.yaml:7:11: .*"timeuot".*did you mean "timeout"\?$/,
    },
    {
      what: 'an unset variable',
      suite: SUITE.replace('A red fox', '"A red ${env.ANIMAL}"'),
      says: /^suite\.yaml:6:\d+: .*ANIMAL.* not set.*; .+$/,
    },
    {
      what: 'a missing image',
      suite: SUITE.replace('text: A red fox', 'text: A red fox, image: pictures/fox.png'),
      says: /^suite\.yaml:6:\d+: .*pictures\/fox\.png.*; .+$/,
    },
    {
      what: 'a wrong duration',
      suite: SUITE.replace('20s', '20 parsecs'),
      says: /^suite\.yaml:7:\d+: .*duration.*; .+$/,
    },
    {
      what: 'an unknown target',
      suite: SUITE.replace('reference/text-to-image', 'reference/text-to-imge'),
      says: /^suite\.yaml:4:\d+: unknown target "reference\/text-to-imge".*; did you mean "reference\/text-to-image"\?$/,
    },
    {
      what: 'a seed the target does not take',
      suite: `${SUITE}seeds: [-1]\n`,
      says: /^suite\.yaml:\d+:\d+: .*seed.*; .+$/,
    },
    {
      what: 'what is not supported yet',
      suite: `${SUITE}probes: [seed]\n`,
      says: /^suite\.yaml:8:\d+: .*not yet supported.*; .+$/,
    },
  ])('$what is one sentence with place and remedy', async ({ suite, says }) => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), suite);
    for (const command of [['run'], ['plan'], ['validate']]) {
      const ended = await retake([...command, 'suite.yaml'], folder, service.env);
      expect(ended.code).toBe(2);
      expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(ended.stderr.trimEnd()).toMatch(says);
    }
    const asked = (await service.stats()).requests.filter(({ route }) => route.startsWith('POST'));
    expect(asked).toEqual([]);
    expect(existsSync(join(folder, 'results'))).toBe(false);
  });

  it('without its key names the variable and sends nothing', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const ended = await retake(['run', 'suite.yaml'], folder, { RETAKE_BASE_URL: service.url });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/RETAKE_API_KEY.*; .+/);
    expect(existsSync(join(folder, 'results'))).toBe(false);
  });
});

describe('wrong arguments', () => {
  it.each([
    { args: [], says: /name a command/ },
    { args: ['rnu', 'suite.yaml'], says: /run/ },
    { args: ['run'], says: /not enough/i },
    { args: ['run', 'suite.yaml', '--sett', 'a=b'], says: /sett/ },
    { args: ['run', 'nowhere.yaml'], says: /nowhere\.yaml/ },
    { args: ['run', 'nowhere.yaml', '--set'], says: /set/ },
    { args: ['report', 'nowhere'], says: /nowhere.*; .+/ },
    { args: ['serve', '--port', '99999'], says: /65535/ },
    { args: ['serve', '--behaviour', 'nowhere.yaml'], says: /nowhere\.yaml/ },
    { args: ['try', 'reference/txt-to-image'], says: /reference\/text-to-image/ },
  ])('$args', async ({ args, says }) => {
    const ended = await retake(args, freshFolder());
    expect(ended.code).toBe(2);
    expect(ended.stdout).toBe('');
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr).not.toMatch(/defect|at .*\.js:/);
  });
});

describe('options', () => {
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
    const ended = await retake(args, folder);
    expect(ended.code).toBe(0);
    const trials = ended.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(trials.map(({ seed, repeat }) => `${seed}#${repeat}`).sort()).toEqual(['5#1', '5#2', '6#1', '6#2']);
    const twice = await retake(['serve', '--port', '0', '--port', '99999'], folder);
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringMatching(/65535/) });
  });

  it('--dry-run sends nothing and leaves nothing', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const ended = await retake(['run', 'suite.yaml', '--dry-run'], folder);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/Requests: 4 \(3 trials and 1 warm-up\)/);
    expect(existsSync(join(folder, 'results'))).toBe(false);
  });
});
