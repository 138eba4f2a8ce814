import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';

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
  it('a plan names the prompts that no variant takes and the probes that have nothing to test, sends nothing and leaves nothing', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const prompts = 'prompts=[{id: fox, text: a fox}, {id: film, text: a film, kinds: [text-to-video]}]';
    const ended = await retakeHere(['plan', 'suite.yaml', '--set', prompts, '--set', 'probes=[load]'], folder);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/prompt film is unused/) });
    expect(ended.stdout.replace(/\s+/g, ' ')).toContain(
      'load: nothing to test for fast: load.concurrency is 1, so requests never run together',
    );
    expect(existsSync(join(folder, 'results'))).toBe(false);
  });

  it('an option with a single value counts the last time it is given; plan is named where a run is asked for --dry-run', async () => {
    const folder = freshFolder();
    const twice = await retakeHere(['serve', '--port', '0', '--port', '99999'], folder);
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringMatching(/65535/) });
    expect(await retakeHere(['run', 'suite.yaml', '--dry-run'], folder)).toMatchObject({
      code: 2,
      stderr: 'retake: unknown option --dry-run; write retake plan in place of retake run\n',
    });
  });
});
