import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { journalOf, onlyRun, startRetake } from '../fixtures/retake-process.ts';
import { withoutNodeAv } from '../fixtures/without-node-av.ts';

const REASON = 'the reference service makes no video here: node-av, the package for video, is not installed';
const CLIPS = `
  clip: { target: reference/text-to-video, const: { model: fast-lcm } }
  clip-fast: { target: reference/text-to-video, const: { model: fast }, optional: true }`;

function suite(variants: string): string {
  return `suite: 1\nname: s\nprompts: [A red fox]\nrepeats: 1\nvariants:${variants}\n`;
}

describe('where node-av is not installed', () => {
  test('a run leaves video of the reference service out, says so, and reports the rest', async () => {
    const program = join(withoutNodeAv(), 'dist/main.js');
    const cwd = freshFolder();
    const image = '\n  image: { target: reference/text-to-image, const: { model: fast-lcm } }';
    writeFileSync(join(cwd, 's.yaml'), suite(image + CLIPS));
    const { code, stderr } = await startRetake(['run', 's.yaml'], cwd, {}, program).ended;
    expect(code).toBe(3);
    expect(stderr).toContain(`left out clip, clip-fast: ${REASON}`);
    expect(stderr).toContain(`the run is incomplete: left out clip: ${REASON}`);
    const folder = onlyRun(join(cwd, 'results'));
    expect(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))).toMatchObject({
      leftOut: [
        { variant: 'clip', reason: { code: 'no_video_package', fault: { code: 'package_missing' } }, optional: false },
        {
          variant: 'clip-fast',
          reason: { code: 'no_video_package', fault: { code: 'package_missing' } },
          optional: true,
        },
      ],
      machine: { nodeAv: null },
    });
    expect(new Set(journalOf(folder).samples.map(({ trial }) => trial.variant))).toEqual(new Set(['image']));
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('2 variants of the suite left out');
  });

  test('a run that leaves out optional variants alone ends in 0', async () => {
    const program = join(withoutNodeAv(), 'dist/main.js');
    const cwd = freshFolder();
    const image = '\n  image: { target: reference/text-to-image, const: { model: fast-lcm } }';
    const clip = '\n  clip: { target: reference/text-to-video, optional: true }';
    writeFileSync(join(cwd, 's.yaml'), suite(image + clip));
    const { code, stderr } = await startRetake(['run', 's.yaml'], cwd, {}, program).ended;
    expect(stderr).toContain(`left out clip: ${REASON}`);
    expect(code).toBe(0);
  });

  test('a suite of nothing else is refused before anything is sent', async () => {
    const program = join(withoutNodeAv(), 'dist/main.js');
    const cwd = freshFolder();
    writeFileSync(join(cwd, 's.yaml'), suite(CLIPS));
    const { code, stderr } = await startRetake(['run', 's.yaml'], cwd, {}, program).ended;
    expect(code).toBe(2);
    expect(stderr).toBe(
      `no variant of the suite can be measured: ${REASON}; install it (npm install node-av), or name a service that has it in base_url\n`,
    );
  });

  test('a clip cannot be inspected', async () => {
    const program = join(withoutNodeAv(), 'dist/main.js');
    const clip = fileURLToPath(new URL('../golden/video/plain.mp4', import.meta.url));
    const { code, stderr } = await startRetake(['inspect', clip, clip], freshFolder(), {}, program).ended;
    expect(code).toBe(2);
    expect(stderr).toBe(
      `cannot inspect ${clip}: node-av, the package for video, is not installed; npm install node-av, or inspect it where it decodes\n`,
    );
  });
});
