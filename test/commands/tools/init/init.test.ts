import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { planCommand } from '../../../../src/commands/measuring/plan.ts';
import { validateCommand } from '../../../../src/commands/measuring/validate.ts';
import { withSpeech } from '../../../../src/commands/speech.ts';
import { ENCODINGS, REPLIES, SEED_PROMISES } from '../../../../src/commands/tools/init/new-suite.ts';
import { listTargets } from '../../../../src/run/declared-files.ts';
import { KINDS } from '../../../../src/suite/kind.ts';
import { freshFolder } from '../../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../../fixtures/memory-edge.ts';
import { filesBelow } from '../../../fixtures/retake-process.ts';
import { reviewed } from '../../../fixtures/reviewed.ts';
import { expectFaults } from '../../../fixtures/told-faults.ts';
import { ROOT } from '../../../test-options.ts';
import { type Given, init } from './initialised.ts';

const OWN: Given = { baseUrl: 'https://api.example.com' };

/** What `retake validate` and `retake plan` say of a written suite; empty where they accept it without a warning. */
async function faultsOf(cwd: string, files: readonly string[], suite = 'suite.yaml'): Promise<string> {
  const edge = memoryEdge(cwd);
  const codes = [
    await validateCommand({ files, quiet: false, allowOutside: false }, edge),
    await planCommand({ suite, set: [], bodies: true, json: false }, edge),
  ];
  return codes.every((code) => code === 0) ? edge.stderr() : `${codes}: ${edge.stderr()}`;
}

/** An image and its mask in `bench/art`, and beside that folder. */
async function withInputs(): Promise<string> {
  const cwd = freshFolder();
  const painted = (background: string) => sharp({ create: { width: 24, height: 8, channels: 3, background } });
  const mask = painted('white').resize(8, 8).extend({ right: 16, background: 'black' });
  for (const folder of ['art', 'bench/art']) {
    mkdirSync(join(cwd, folder), { recursive: true });
    await painted('red')
      .png()
      .toFile(join(cwd, folder, 'cat.png'));
    await mask
      .clone()
      .png()
      .toFile(join(cwd, folder, 'mask.png'));
  }
  return cwd;
}

/** Every kind and reply; encodings, keys, seeds and models in turn, so that each meets each kind. */
const CHOICES = KINDS.flatMap((kind) => REPLIES.map((reply) => ({ kind, reply })))
  .filter(({ kind, reply }) => reply !== 'openai' || !kind.endsWith('video'))
  .map((choice, index) => ({
    ...choice,
    encoding: ENCODINGS[index % ENCODINGS.length] ?? 'json',
    auth: ['bearer', 'none', 'header:x-api-key', 'query:key'][index % 4] ?? 'none',
    seed: SEED_PROMISES[index % 3] ?? 'none',
    model: [[], ['a/b:1'], ['1.5', 'true', 'a b', 'a-b', 'fast']][index % 3] ?? [],
    const: [['turbo=false,true', 'steps=4'], [], []][index % 3] ?? [],
  }));

describe('a suite for an endpoint without a preset', () => {
  it.each(CHOICES)(
    'a suite for $kind by $reply in $encoding with $auth, seed $seed, $model and $const: is valid unchanged',
    async (choice) => {
      const { code, cwd, stderr } = await init({ ...OWN, ...choice });
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(await faultsOf(cwd, ['suite.yaml', `targets/own/${choice.kind}.yaml`])).toBe('');
    },
  );

  it('a suite with an input image: writes it through no link', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'inputs'));
    symlinkSync('../elsewhere.jpg', join(cwd, 'inputs/fox.jpg'));
    const { code, stderr } = await init({ ...OWN, kind: 'image-to-video' }, cwd);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^inputs\/fox\.jpg exists; /);
    expect(existsSync(join(cwd, 'elsewhere.jpg'))).toBe(false);
  });

  it('two candidates of a suite get the prompts x seeds that tell one of them apart', async () => {
    const { cwd } = await init({ ...OWN, kind: 'text-to-video', model: ['a', 'b', 'c'] });
    const edge = memoryEdge(cwd);
    expect(await planCommand({ suite: 'suite.yaml', set: [], json: false, bodies: false }, edge)).toBe(0);
    expect(readFileSync(join(cwd, 'suite.yaml'), 'utf8')).toContain('seeds: [1, 2, 3]\n');
    expect(edge.stdout()).toMatch(/ {2}pairs of takes\n.*\n.* {2}27, needs 7\n/);
  });

  it('an image and a mask: are those of all prompts, and the mask is sent', async () => {
    const cwd = await withInputs();
    const given = { ...OWN, file: 'bench/s.yaml', kind: 'image-edit', name: 'e' };
    const refused = await init({ ...given, image: 'art/cat.png', mask: 'art/mask.png' }, cwd);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^--image: .*outside/) });
    const inputs = { image: 'bench/art/cat.png', mask: 'bench/art/mask.png' };
    const { stdout, stderr } = await init({ ...given, ...inputs }, cwd);
    expect(stderr).toBe('');
    expect(stdout).toContain('--image bench/art/cat.png --mask bench/art/mask.png');
    expect(await faultsOf(join(cwd, 'bench'), ['s.yaml', 'targets/own/e.yaml'], 's.yaml')).toBe('');
    const suite = readFileSync(join(cwd, 'bench/s.yaml'), 'utf8');
    expect(suite.match(/image: art\/cat\.png, mask: art\/mask\.png }/g)).toHaveLength(3);
    expect(suite).toContain('\n  - { metric: edit.outside, statistic: max, max: 10 }\n');
    expect(existsSync(join(cwd, 'bench/inputs'))).toBe(false);
  });
});

const FIFTEEN = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o'];

/** New suites, of which the whole text is worth a look. */
const NEW: Readonly<Record<string, Given>> = {
  'a key, named by the host': OWN,
  'a folder of its own, and an input': { ...OWN, file: 'bench/my-api.yaml', kind: 'image-to-video', name: 'My_API' },
  'edits, as OpenAI takes them': { ...OWN, file: 'bench/s.yaml', kind: 'image-edit', name: 'e', reply: 'openai' },
  'so many models that the gate needs more seeds': { ...OWN, model: FIFTEEN },
  'constants of several values': { ...OWN, model: ['flux'], const: ['turbo=false,true', 'steps=4'] },
  'a file behind a second path': { ...OWN, kind: 'text-to-video', reply: 'job-file' },
  'a preset at another server': { target: 'localai/images', baseUrl: 'http://gpu:8080/', model: ['sd', 'sd-turbo'] },
};

async function written(given: Given): Promise<readonly string[]> {
  const { code, stdout, stderr, cwd } = await init(given);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const files = filesBelow(cwd)
    .sort()
    .map((file) => `${relative(cwd, file)}${file.endsWith('.jpg') ? '' : `:\n${readFileSync(file, 'utf8')}`}`);
  return [stdout, ...files].flatMap((text) => text.trimEnd().split('\n'));
}

reviewed('new-suites', Object.fromEntries(Object.entries(NEW).map(([is, given]) => [is, () => written(given)])));

/** The model of a preset may end, or be deprecated, any day: that is a warning, not a fault of the suite. */
const withoutEnds = (said: string): string => said.replace(/^warning: .*: its model .*\n/gm, '');

const GENERATING = listTargets(freshFolder()).flatMap(({ name }) => (name.startsWith('judge/') ? [] : [name]));

describe('a suite for a preset', () => {
  it.each(GENERATING)('a suite for %s: is valid unchanged', async (target) => {
    const { code, stderr, cwd } = await init({ target });
    expect(withoutEnds(stderr)).toBe('');
    expect(code).toBe(0);
    expect(withoutEnds(await faultsOf(cwd, ['suite.yaml']))).toBe('');
    expect(existsSync(join(cwd, 'targets'))).toBe(false);
  });

  it.each([
    ['reference/text-to-image', 'standard', 'fast', false],
    ['stability/sd3', 'sd3.5-large', 'sd3.5-medium', true],
  ])(
    'a suite for a replaced model of %s: is valid unchanged, the old one the baseline variant',
    async (target, old, successor, paid) => {
      const { code, cwd } = await init({ target, swap: `${old}=${successor}` });
      expect(code).toBe(0);
      expect(await faultsOf(cwd, ['suite.yaml'])).toBe('');
      const text = readFileSync(join(cwd, 'suite.yaml'), 'utf8');
      expect(text).toMatch(new RegExp(`  ${old}: .*baseline: true.*\\n  ${successor}: `));
      for (const metric of ['latency.total', 'error_rate', 'block_rate', 'score.votes']) expect(text).toContain(metric);
      expect(text.includes('cost.per_output')).toBe(paid);
    },
  );

  it('a suite for a preset with a price: limits the dollars to what its plan costs at most, with room for repeats', async () => {
    const limitOf = async (target: string, model: readonly string[] = []) => {
      const { cwd } = await init({ target, model });
      const edge = memoryEdge(cwd);
      expect(await planCommand({ suite: 'suite.yaml', set: [], bodies: false, json: false }, edge)).toBe(0);
      const planned = /^Cost: (?:\$[\d.]+ to )?\$([\d.]+) by/m.exec(edge.stdout())?.[1] ?? null;
      const line =
        /^ {2}usd: ([\d.]+) # in US dollars; this plan costs at most \$([\d.]+) by the prices of the target$/m;
      const [, limit = null, most = null] = line.exec(readFileSync(join(cwd, 'suite.yaml'), 'utf8')) ?? [];
      expect(edge.stdout()).not.toContain('limits.usd');
      return { limit, most, planned };
    };
    // 25 requests of 0.04.
    expect(await limitOf('bfl/flux-pro-1.1')).toEqual({ limit: '1.20', most: '1.00', planned: '1.00' });
    // 25 of 0.0404 and 25 of 0.10.
    expect(await limitOf('luma/uni-1', ['uni-1', 'uni-1-max'])).toEqual({
      limit: '4.22',
      most: '3.51',
      planned: '3.51',
    });
    // 19 of 5 seconds at 0.12.
    expect(await limitOf('runway/text-to-video')).toEqual({ limit: '13.68', most: '11.40', planned: '11.40' });
    expect(await limitOf('reference/text-to-image')).toEqual({ limit: null, most: null, planned: '0.00' });
    expect(await limitOf('openai/images')).toEqual({ limit: null, most: null, planned: null });
  });
});

describe('options that cannot be used', () => {
  it('options that cannot be used are refused with a remedy, and nothing is written', async () => {
    await expectFaults('init', async (line, section) => {
      const given: Given = { ...(section === 'an endpoint' ? OWN : {}), ...parse(line) };
      const { code, stderr, stdout, cwd } = await init(given);
      expect({ code, stdout, files: filesBelow(cwd) }).toEqual({ code: 2, stdout: '', files: [] });
      expect(stderr).not.toContain('sk-1234');
      return stderr.replaceAll(ROOT, '/').trimEnd().split('\n');
    });
  });

  it('a file that exists is not overwritten, also the target file of a new suite', async () => {
    const { cwd } = await init(OWN);
    writeFileSync(join(cwd, 'suite.yaml'), 'mine');
    expect(await init(OWN, cwd)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^suite\.yaml exists; .*\n$/),
    });
    expect(readFileSync(join(cwd, 'suite.yaml'), 'utf8')).toBe('mine');
    const other = await init({ ...OWN, file: 'other.yaml', name: 'text-to-image' }, cwd);
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^targets\/own\/text-to-image\.yaml exists; /),
    });
    expect(existsSync(join(cwd, 'other.yaml'))).toBe(false);
  });
});

describe('questions on a terminal', () => {
  function answer(lines: readonly string[], args: Given = {}) {
    const cwd = freshFolder();
    const input = Readable.from(lines.map((line) => `${line}\n`));
    return init(args, cwd, withSpeech({ ...memoryEdge(cwd), asks: true, input }));
  }

  it('the answers make the same files as the options', async () => {
    const asked = await answer([
      'https://api.example.com/v2',
      'image-to-video',
      '/jobs',
      '5',
      'multipart',
      'header:x-key',
      'MY_KEY',
      '1',
      'a, b',
      'mine',
    ]);
    expect(asked.code).toBe(0);
    const options = {
      kind: 'image-to-video',
      reply: 'job',
      encoding: 'multipart',
      path: '/jobs',
      auth: 'header:x-key',
      secret: 'MY_KEY',
      seed: 'exact',
    };
    const given = await init({
      baseUrl: 'https://api.example.com/v2',
      ...options,
      model: ['a', 'b'],
      name: 'mine',
    });
    for (const file of ['suite.yaml', 'targets/own/mine.yaml']) {
      expect(readFileSync(join(asked.cwd, file), 'utf8')).toBe(readFileSync(join(given.cwd, file), 'utf8'));
    }
  });

  it('a server on this machine needs no key, and none is no name of a key elsewhere', async () => {
    const targetOf = ({ cwd }: { cwd: string }) => readFileSync(join(cwd, 'targets/own/mine.yaml'), 'utf8');
    const local = await answer(['http://127.0.0.1:8000', '', '', '', '', '', '', '', 'mine']);
    expect(local.stderr).toContain('[none]: ');
    expect([targetOf(local).includes('\nauth:'), local.stdout.includes('export ')]).toEqual([false, false]);
    const elsewhere = await answer(['https://api.example.com', '', '', '', '', '', 'none', '', '', 'mine']);
    expect([elsewhere.code, targetOf(elsewhere).includes('\nauth:')]).toEqual([0, false]);
    const ofVideos = await answer(['https://api.example.com', 'text-to-video', '', '', '', '', '', '', '', 'mine']);
    expect(targetOf(ofVideos)).toContain('path: /v1/videos ');
  });

  it('the path is asked before the reply, and repeats no version that the base URL ends in', async () => {
    const { stderr, cwd } = await answer(['https://api.example.com/v1', '', '', 'url', '', '', '', '', '', 'mine']);
    expect(stderr).toContain('(OpenAI: /images/generations) [/generate]: ');
    expect(stderr.indexOf('Path of the request')).toBeLessThan(stderr.indexOf('How does the reply'));
    expect(readFileSync(join(cwd, 'targets/own/mine.yaml'), 'utf8')).toContain('path: /generate ');
    const other = await answer(['https://api.example.com', '', '/v1/images/generations', '']);
    expect(other.stderr).toContain('[openai]: ');
  });

  it('a wrong answer is asked for again, with its remedy; an empty one takes the value in brackets', async () => {
    const { code, stderr, cwd } = await answer(['', 'fats', 'fast', '']);
    expect(code).toBe(0);
    expect(stderr).toContain('[reference/text-to-image]: ');
    expect(stderr).toContain(
      '  the constant model of reference/text-to-image must not be "fats"; did you mean "fast"?\n',
    );
    expect(stderr.match(/Models to compare/g)).toHaveLength(2);
    expect(readFileSync(join(cwd, 'suite.yaml'), 'utf8')).toContain('name: text-to-image #');
  });

  it('suite and CI file of answers that come all at once: the questions of both are answered, in their order', async () => {
    const { code, cwd } = await answer(['mine\nhttps://in-use.example.com\nserver/**'], {
      target: 'openai/images',
      model: ['gpt-image-2'],
      ci: 'github',
    });
    expect(code).toBe(0);
    expect(readFileSync(join(cwd, 'suite.yaml'), 'utf8')).toContain('name: mine');
    const workflow = readFileSync(join(cwd, '.github/workflows/retake.yml'), 'utf8');
    expect(workflow).toContain('RETAKE_IN_USE: https://in-use.example.com');
    expect(workflow).toContain('server/**');
  });

  it('an end of the input, though all questions but those of CI were answered, writes nothing and ends with 2', async () => {
    const { code, stderr, cwd } = await answer(['', '', 'mine'], { ci: 'github' });
    expect(code).toBe(2);
    expect(stderr).toContain('not all questions were answered; nothing was written; or give --in-use');
    expect(filesBelow(cwd)).toEqual([]);
  });

  it('a question that an option answers is not asked', async () => {
    const { stderr } = await answer(['', ''], { target: 'openai/images', model: ['gpt-image-2'] });
    expect(stderr).toBe('Name of the suite [images]: ');
  });
});
