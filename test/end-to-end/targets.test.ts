import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadPreset } from '../fixtures/called-preset.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { RECORDINGS, recordingOf, repliesOf } from '../fixtures/preset-recording.ts';
import { MEDIA, serveRecorded } from '../fixtures/recorded-provider.ts';
import { filesBelow, journalOf, onlyRun, retakeHere } from '../fixtures/retake-process.ts';

const PRESETS = fileURLToPath(new URL('../../suites/targets', import.meta.url));
const OWN = `# A server of our own.
# Not known: much.
target: 1
id: own/images
kind: anime-image
base_url: http://127.0.0.1:9
submit: { path: /g, body: { prompt: "\${case.prompt}", steps: "\${const.steps}" } }
const: { steps: 4 }
result: { from: body }
`;

describe('retake targets', () => {
  test('retake targets lists every preset once in 80 columns, with its key and how it is called', async () => {
    const { code, stdout } = await retakeHere(['targets'], freshFolder(), { BFL_API_KEY: 'x' });
    expect(code).toBe(0);
    const files = readdirSync(PRESETS, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => file.slice(0, -'.yaml'.length));
    const listed = [...stdout.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(files.toSorted());
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/^Text to video +key +call$/m);
    expect(stdout).toMatch(/^ {2}reference\/text-to-video +none +job$/m);
    expect(stdout).toMatch(/^ {2}reference\/text-to-image +none +one request$/m);
    expect(stdout).toMatch(/^ {2}bfl\/flux-dev +set +job$/m);
    expect(stdout).toMatch(/^ {2}openai\/images +not set +one request$/m);
    expect(stdout).toMatch(/^ {2}openai\/images-stream +not set +events$/m);
    expect(stdout).toMatch(
      /^Judge of outputs .*\n {2}judge\/ollama +none +one request\n {2}judge\/openai-chat +not set +one request$/m,
    );
  });

  test('retake targets NAME says which of its keys are set', async () => {
    const unset = await retakeHere(['targets', 'bfl/flux-dev'], freshFolder());
    expect(unset.stdout).toMatch(/^key {3}BFL_API_KEY \(not set\)$/m);
    const set = await retakeHere(['targets', 'bfl/flux-dev'], freshFolder(), { BFL_API_KEY: 'x' });
    expect(set.stdout).toMatch(/^key {3}BFL_API_KEY \(set\)$/m);
  });

  test('retake targets finds the targets of the working folder, by kind and by part of the name', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
    writeFileSync(join(cwd, 'targets', 'own', 'images.yaml'), OWN);
    const { stdout } = await retakeHere(['targets', 'image', '--kind', 'anime-image'], cwd);
    expect(stdout).toContain('  own/images');
    expect(stdout).toContain('  reference/anime-image');
    expect(stdout).not.toContain('Text to image');

    const described = await retakeHere(['targets', 'own/images'], cwd);
    expect(described.stdout).toBe(`file  targets/own/images.yaml\nkey   none\n\n${OWN}`);
  });

  test('retake targets says what is wrong with a target, and shows the others', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
    writeFileSync(join(cwd, 'targets', 'own', 'images.yaml'), OWN.replace('base_url', 'base_ulr'));
    const { code, stdout, stderr } = await retakeHere(['targets'], cwd);
    expect(code).toBe(2);
    expect(stderr).toContain('targets/own/images.yaml:6:1: unknown key "base_ulr"; did you mean "base_url"?');
    expect(stdout).toContain('  reference/text-to-video');
  });

  test('retake targets --check of a faulty target and others checks the others', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
    writeFileSync(join(cwd, 'targets', 'own', 'images.yaml'), OWN.replace('base_url', 'base_ulr'));
    const old = OWN.replace('own/images', 'own/old').replace('steps: 4', 'steps: a');
    const ends = 'const_types: { steps: { known: [b], retires: { a: { on: 2026-01-02, to: b } } } }\n';
    writeFileSync(join(cwd, 'targets', 'own', 'old.yaml'), old + ends);
    const { code, stdout, stderr } = await retakeHere(['targets', 'own/', '--check'], cwd);
    expect([code, stderr]).toEqual([2, expect.stringContaining('unknown key "base_ulr"')]);
    expect(stdout).toContain('own/old: its default steps a ended on 2026-01-02; use b\n');
  });

  test.each([
    [['nothing-like-it'], 'retake targets: no target has "nothing-like-it" in its name; see retake targets\n'],
    [
      ['--kind', 'video'],
      'retake: --kind does not take "video"; write one of "text-to-image", "anime-image", "image-to-video", "text-to-video", "image-edit", "judge"\n',
    ],
  ])('retake targets says what it cannot show: %j', async (args, stderr) => {
    expect(await retakeHere(['targets', ...args], freshFolder())).toEqual({ code: 2, stdout: '', stderr });
  });
});

test('presets of several providers run in one suite, each at a server of its own', async () => {
  const presets = ['automatic1111/text-to-image', 'comfyui/text-to-image', 'imagine/text-to-video'];
  const served = await Promise.all(
    presets.map(async (preset) => {
      const recording = recordingOf(preset);
      const provider = await serveRecorded(repliesOf(recording), recording.media);
      return { preset, provider, name: preset.replace(/\/.*/, '') };
    }),
  );
  const variants = served.map(
    ({ preset, name }) => `  ${name}: { target: ${preset}, base_url: "\${env.SERVER_${name}}" }`,
  );
  const cwd = freshFolder();
  writeFileSync(
    join(cwd, 's.yaml'),
    `suite: 1\nname: s\nprompts: [A red fox]\nrepeats: 2\nload: { warmup: 0 }\nvariants:\n${variants.join('\n')}\n`,
  );
  const key = 'vk-very-secret-0123456789';
  const env = Object.fromEntries(served.map(({ name, provider }) => [`SERVER_${name}`, provider.api.url]));
  const ended = await retakeHere(['run', 's.yaml'], cwd, { ...env, VYRO_API_KEY: key });
  expect([ended.code, ended.stderr.match(/error|failure/i)]).toEqual([0, null]);

  const run = onlyRun(join(cwd, 'results'));
  const { samples } = journalOf(run);
  expect(samples.map(({ trial, outcome }) => `${trial.variant} ${outcome}`).toSorted()).toEqual(
    served.flatMap(({ name }) => [`${name} ok`, `${name} ok`]),
  );
  const recorded = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'));
  expect(recorded.variants.map(({ baseUrl }: { baseUrl: string }) => baseUrl)).toEqual(
    served.map(({ provider }) => provider.api.url),
  );
  // The graph that was sent can be read again where the presets are not at hand.
  const [, comfyui] = recorded.targets;
  expect(Object.keys(comfyui.storedBody.prompt)).toContain('3');
  for (const file of filesBelow(run)) expect(readFileSync(file, 'latin1')).not.toContain(key);
});

test('video presets of jobs: retake try saves the video, and gives its host no key', async () => {
  // test/presets/every-preset.test.ts calls all.
  const jobs = ['openrouter', 'alibaba'].map((provider) =>
    RECORDINGS.find(({ preset, poll }) => preset.startsWith(provider) && poll !== null),
  );
  const ends = jobs.map(async (recording) => {
    if (recording === undefined) throw new Error('no recording of a video that is a job');
    const { preset, polls = [], later, images, secrets } = recording;
    const { api, media } = await serveRecorded(repliesOf(recording), recording.media);
    const base = new URL(new URL((await loadPreset(preset)).baseUrl).pathname, api.url).href;
    const cwd = freshFolder();
    writeFileSync(join(cwd, 'in.png'), MEDIA.png.bytes);
    const args = ['--base-url', base, '--download-origin', media.url, ...(images > 0 ? ['--image', 'in.png'] : [])];
    const { code, stderr } = await retakeHere(['try', preset, ...args, '--out', 'fox.mp4'], cwd, secrets);
    expect([code, stderr], preset).toEqual([0, '']);
    expect(readFileSync(join(cwd, 'fox.mp4')).equals(MEDIA.mp4.bytes), preset).toBe(true);
    expect(api.seen.length, preset).toBe(1 + polls.length + Object.keys(later).length);
    for (const key of Object.values(secrets)) expect(JSON.stringify(media.seen), preset).not.toContain(key);
    return preset;
  });
  expect(await Promise.all(ends)).toHaveLength(2);
});
