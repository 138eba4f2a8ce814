import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../src/commands/display/print.ts';
import { findChromium, takeScreenshot } from '../../../src/commands/display/screenshot.ts';
import { reportCommand } from '../../../src/commands/records/report.ts';
import { headPage } from '../../../src/page/still-pages.ts';
import { NO_CHROMIUM } from '../../fixtures/chromium.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { illustrated, reported } from '../../fixtures/report-source.ts';
import { startRetake } from '../../fixtures/retake-process.ts';
import { ORDINARY, scriptedRun, unsentRun } from '../../fixtures/scripted-run.ts';
import { storeRun } from '../../fixtures/stored-suite.ts';

if (NO_CHROMIUM !== null) console.warn(`skipped: ${NO_CHROMIUM}`);

/** A browser that is a script of ours. */
function browserOf(script: string): { readonly chromium: string; readonly path: string } {
  const chromium = join(freshFolder(), 'browser');
  writeFileSync(chromium, `#!/bin/sh\n${script}\n`);
  chmodSync(chromium, 0o755);
  return { chromium, path: process.env.PATH ?? '' };
}

describe('the screenshot of a report', () => {
  it.skipIf(NO_CHROMIUM !== null)(
    'the screenshot of a report shows its head and its images, light, on little more paper than it needs',
    async () => {
      const found = findChromium({ env: process.env });
      if (!found.ok) throw new Error('no Chromium');
      const whole = await takeScreenshot(headPage(await illustrated(scriptedRun(ORDINARY))), null, found.value);
      const plain = await takeScreenshot(headPage(reported(unsentRun(ORDINARY))), null, found.value);
      if (!whole.ok || !plain.ok) throw new Error('no screenshot');
      const { width, height, format } = await sharp(whole.value).metadata();
      expect(format).toBe('png');
      expect(width).toBeGreaterThan(1200);
      expect(width).toBeLessThan(1800);
      expect(height).toBeGreaterThan(1000);
      expect(height).toBeLessThan(6000);
      expect(height).toBeGreaterThan((await sharp(plain.value).metadata()).height);
      const { channels, dominant } = await sharp(whole.value).stats();
      expect(dominant.r).toBeGreaterThan(200);
      // Words are dark, and the strip has colours.
      for (const { min, stdev } of channels) {
        expect(min).toBeLessThan(60);
        expect(stdev).toBeGreaterThan(10);
      }
      const parts = Array.from({ length: Math.floor(height / 400) }, (_, at) => colourful(whole.value, 400 * at));
      expect(Math.max(...(await Promise.all(parts)))).toBeGreaterThan(0.2);
      expect(await colourful(whole.value, 0)).toBeLessThan(0.1);
    },
    60_000,
  );

  it('the screenshot of a report is refused with the remedy where the browser gives none, and leaves nothing behind', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('retake-screenshot-'));
    const refusal = await takeScreenshot(['<p>page</p>'], null, browserOf('exit 3'));
    expect(refusal).toMatchObject({
      ok: false,
      diagnostics: [
        {
          cause: expect.stringMatching(/ended with code 3, and gave no screenshot$/),
          remedy: expect.stringMatching(/^set CHROMIUM_PATH/),
        },
      ],
    });
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith('retake-screenshot-'));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  });

  it('the screenshot of a report ends the processes that the browser left', async () => {
    const note = join(freshFolder(), 'pid');
    await takeScreenshot(['<p>page</p>'], null, browserOf(`sleep 300 & echo $! > ${note}`));
    const pid = Number(readFileSync(note, 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('the screenshot of a report hides the keys of the environment from the browser', async () => {
    const note = join(freshFolder(), 'environment');
    process.env.RETAKE_TEST_KEY = 'secret';
    await takeScreenshot(['<p>page</p>'], null, browserOf(`env > ${note}`));
    delete process.env.RETAKE_TEST_KEY;
    expect(readFileSync(note, 'utf8')).not.toContain('secret');
  });
});

describe('retake report --format png', () => {
  it('retake report --format png without a Chromium says the remedy, writes nothing and ends with 2', async () => {
    const folder = freshFolder();
    const suite = storeRun(join(folder, 'results'), 'r1', '2026-11-20T15:45:00.000Z', { examined: true });
    for (const env of [{ PATH: '' }, { PATH: '', CHROMIUM_PATH: '/nowhere/chromium' }]) {
      const edge = memoryEdge(folder, env);
      const code = await exitCodeOf(
        () => reportCommand({ run: suite, format: ['png'], out: 'shots', quiet: true }, edge),
        edge,
      );
      expect(code).toBe(2);
      expect(edge.stderr()).toMatch(/CHROMIUM_PATH.*\n$/);
      expect(edge.stderr().split('\n')).toHaveLength(2);
      expect(existsSync(join(folder, 'shots', 'verdict.json'))).toBe(false);
    }
  });

  it('retake report --format png that is ended by a third interrupt leaves no process and no folder of the browser', async () => {
    const folder = freshFolder();
    const suite = storeRun(join(folder, 'results'), 'r1', '2026-11-20T15:45:00.000Z', { examined: true });
    const scratch = join(folder, 'scratch');
    mkdirSync(scratch);
    const note = join(folder, 'pid');
    const { chromium } = browserOf(`sleep 300 & echo $! > ${note}; wait`);
    const args = ['report', suite, '--format', 'png', '--out', 'shots'];
    const report = startRetake(args, folder, { CHROMIUM_PATH: chromium, TMPDIR: scratch });
    await expect.poll(() => existsSync(note) && readFileSync(note, 'utf8')).toMatch(/^\d+\n$/);
    for (let at = 0; at < 3; at += 1) {
      report.kill('SIGINT');
      // Signals that wait are one.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await report.ended;
    await expect.poll(() => isRunning(Number(readFileSync(note, 'utf8')))).toBe(false);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it.skipIf(NO_CHROMIUM !== null)('retake report --format png writes report.png beside the other formats', async () => {
    const folder = freshFolder();
    const suite = storeRun(join(folder, 'results'), 'r1', '2026-11-20T15:45:00.000Z', { examined: true });
    const edge = memoryEdge(folder, { PATH: process.env.PATH ?? '', CHROMIUM_PATH: process.env.CHROMIUM_PATH ?? '' });
    const code = await reportCommand({ run: suite, format: ['markdown', 'png'], out: 'shots', quiet: true }, edge);
    expect([code, edge.stderr()]).toEqual([0, '']);
    expect(readdirSync(join(folder, 'shots')).sort()).toEqual(['card.png', 'report.png', 'summary.md', 'verdict.json']);
    expect(edge.stdout()).toContain(join(folder, 'shots', 'report.png'));
  });
});

/** How many pixels of the 300 rows from there on have a colour, as those of images do and those of words do not. */
async function colourful(png: Uint8Array, top: number): Promise<number> {
  const { width } = await sharp(png).metadata();
  const { data, info } = await sharp(png)
    .extract({ left: 0, top, width, height: 300 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let found = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 40) found += 1;
  }
  return found / (info.width * info.height);
}

/** A zombie is not running: its parent has not read its end. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
