import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retakeHere } from '../fixtures/retake-process.ts';

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

  test('retake targets --check of a faulty target and others checks the others', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
    writeFileSync(join(cwd, 'targets', 'own', 'images.yaml'), OWN.replace('base_url', 'base_ulr'));
    const old = OWN.replace('own/images', 'own/old').replace('steps: 4', 'steps: a');
    const ends = 'const_types: { steps: { known: [b], retires: { a: { on: 2026-01-02, to: b } } } }\n';
    writeFileSync(join(cwd, 'targets', 'own', 'old.yaml'), old + ends);
    const { code, stdout, stderr } = await retakeHere(['targets', 'own/', '--check'], cwd);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('targets/own/images.yaml:6:1: unknown key "base_ulr"; did you mean'),
    ]);
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
