import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIBAV_PACKAGE } from '../../src/media/libav.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { withoutNodeAv, withoutOptional } from '../fixtures/no-node-av.ts';
import { journalOf, onlyRun, retakeHere, startRetake } from '../fixtures/retake-process.ts';

const ABSENT = `${LIBAV_PACKAGE}, the package for video, is not installed`;
const REASON = `the reference service makes no video here: ${ABSENT}`;
const VIDEOS = `
  video: { target: reference/text-to-video, const: { model: fast-lcm } }
  video-fast: { target: reference/text-to-video, const: { model: fast }, optional: true }`;

function suite(variants: string): string {
  return `suite: 1\nname: s\nprompts: [A red fox]\nrepeats: 1\nvariants:${variants}\n`;
}

describe('where node-av is not installed', () => {
  let program: string;
  beforeAll(() => {
    program = join(withoutNodeAv(), 'dist/main.js');
  });

  test('a run leaves video of the reference service out, says so, and reports the rest, also where a rule compares videos', async () => {
    const cwd = freshFolder();
    const image = '\n  image: { target: reference/text-to-image, const: { model: fast-lcm } }';
    const rule = 'gate: [{ metric: latency.total, max_increase: 5%, kinds: [text-to-video] }]\n';
    writeFileSync(join(cwd, 's.yaml'), suite(image + VIDEOS) + rule);
    const { code, stderr } = await startRetake(['run', 's.yaml'], cwd, {}, program).ended;
    expect(code).toBe(3);
    expect(stderr).toContain(`left out video and video-fast: ${REASON}`);
    expect(stderr).toContain(`the run is incomplete: left out video: ${REASON}`);
    const folder = onlyRun(join(cwd, 'results'));
    expect(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))).toMatchObject({
      leftOut: [
        { variant: 'video', reason: { code: 'no_video_package', fault: { code: 'package_missing' } }, optional: false },
        {
          variant: 'video-fast',
          reason: { code: 'no_video_package', fault: { code: 'package_missing' } },
          optional: true,
        },
      ],
      machine: { nodeAv: null },
    });
    expect(new Set(journalOf(folder).samples.map(({ trial }) => trial.variant))).toEqual(new Set(['image']));
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('2 variants of the suite left out');

    // What is optional alone leaves a run complete.
    const { leftOut, ...run } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
    const optional = leftOut.map((each: object) => ({ ...each, optional: true }));
    writeFileSync(join(folder, 'run.json'), JSON.stringify({ ...run, leftOut: optional }));
    expect(await retakeHere(['report', folder, '--format', 'json'], cwd)).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(readFileSync(join(folder, 'analysis.json'), 'utf8')).run).toMatchObject({ complete: true });
  });

  test('a suite of videos alone is refused before anything is sent without node-av', async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, 's.yaml'), suite(VIDEOS));
    const { code, stderr } = await startRetake(['run', 's.yaml'], cwd, {}, program).ended;
    expect(code).toBe(2);
    expect(stderr).toBe(
      `no variant of the suite can be measured: ${REASON}; run npm install --include=optional, or set base_url to a service with video\n`,
    );
  });
});

describe('without the binary of sharp', () => {
  let program: string;
  beforeAll(() => {
    program = join(withoutOptional(), 'dist/main.js');
  });

  test('a run without the binary of sharp: ends with one sentence before anything is done', async () => {
    const cwd = freshFolder();
    const { code, stderr } = await startRetake(['run', 'demo'], cwd, {}, program).ended;
    expect(stderr).toBe(
      'retake run needs sharp, the package for images, which does not load: its binary for this machine is not ' +
        'installed; run npm install --include=optional in the folder that has node_modules\n',
    );
    expect(code).toBe(2);
    expect(existsSync(join(cwd, 'results'))).toBe(false);
  });

  test('what needs no image works without the binary of sharp', async () => {
    const { code, stdout } = await startRetake(['plan', 'demo'], freshFolder(), {}, program).ended;
    expect(stdout).toContain('Suite demo');
    expect(code).toBe(0);
  });
});
