import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { freshFolder, retake } from '../fixtures/retake-process.ts';

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
  test('lists every preset once, with its seed claim and what is measured', async () => {
    const { code, stdout } = await retake(['targets'], freshFolder());
    expect(code).toBe(0);
    const files = readdirSync(PRESETS, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => file.slice(0, -'.yaml'.length));
    const listed = [...stdout.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(files.toSorted());
    expect(stdout).toMatch(
      /^ {2}reference\/text-to-video +exact +submit, queue, run, detect, download; polls every 100 ms; it says its time, its seed$/m,
    );
    expect(stdout).toMatch(/^ {2}reference\/text-to-image +exact +first byte, done; it says its time, its seed$/m);
  });

  test('finds those of the working folder, of one kind, by a part of the name', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
    writeFileSync(join(cwd, 'targets', 'own', 'images.yaml'), OWN);
    const { stdout } = await retake(['targets', 'image', '--kind', 'anime-image'], cwd);
    expect(stdout).toContain('  own/images');
    expect(stdout).toContain('  reference/anime-image');
    expect(stdout).not.toContain('Text to image');

    const described = await retake(['targets', 'own/images'], cwd);
    expect(described.stdout).toBe(`own/images (anime-image)
file      targets/own/images.yaml
at        http://127.0.0.1:9
key       none
measured  first byte, done
seed      not sent
const     steps: 4

A server of our own.
Not known: much.
`);
  });

  test('says what is wrong with a target, and shows the others', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
    writeFileSync(join(cwd, 'targets', 'own', 'images.yaml'), OWN.replace('base_url', 'base_ulr'));
    const { code, stdout, stderr } = await retake(['targets'], cwd);
    expect(code).toBe(2);
    expect(stderr).toContain('targets/own/images.yaml:6:1: unknown key "base_ulr"; did you mean "base_url"?');
    expect(stdout).toContain('  reference/text-to-video');
  });

  test.each([
    [['nothing-like-it'], 'retake targets: no target has "nothing-like-it" in its name; see retake targets\n'],
    [
      ['--kind', 'video'],
      'retake: --kind takes "text-to-image", "anime-image", "image-to-video", "text-to-video", not "video"; see retake --help\n',
    ],
  ])('says what it cannot show: %j', async (args, stderr) => {
    expect(await retake(['targets', ...args], freshFolder())).toEqual({ code: 2, stdout: '', stderr });
  });
});
