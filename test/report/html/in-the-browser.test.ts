import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { html } from '../../../src/report/html/html.ts';
import { rendered } from '../../contracts/reporter.ts';
import { NO_CHROMIUM, startChromium } from '../../fixtures/chromium.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { mergedFrom } from '../../fixtures/merged-run.ts';
import { cachedRun } from '../../fixtures/probe-samples.ts';
import { illustrated, reported } from '../../fixtures/report-source.ts';
import { lateRun, openRun, sweepRun } from '../../fixtures/scripted-load.ts';
import { ATTACKED, FILMED, ORDINARY, scriptedRun, unsentRun } from '../../fixtures/scripted-run.ts';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

/** Everything that a page can show, with fewer prompts. */
const SMALL = { ...ORDINARY, prompts: ORDINARY.prompts.slice(3) };

/** What is read of axe-core's answer. */
interface Violations {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

// The reporter's short form hides the reason of a skip.
if (NO_CHROMIUM !== null) console.warn(`skipped: ${NO_CHROMIUM}`);

describe.skipIf(NO_CHROMIUM !== null)(
  `report.html in a browser${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`,
  () => {
    let browser: Browser;
    let folder: string;
    let axe: string;

    beforeAll(async () => {
      browser = await startChromium();
      folder = freshFolder();
      axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
      const sources = {
        ordinary: await illustrated(scriptedRun(ORDINARY)),
        hostile: await illustrated(scriptedRun(ATTACKED)),
        compared: reported(scriptedRun({ ...ORDINARY, concurrency: 1 })),
        small: await illustrated(scriptedRun(SMALL)),
        films: await illustrated(scriptedRun(FILMED)),
        open: reported(openRun()),
        sweep: reported(sweepRun()),
        late: reported(lateRun()),
        probed: reported(cachedRun()),
        merged: reported(mergedFrom(scriptedRun(ORDINARY), 3, { missing: [2] })),
        empty: reported(unsentRun(SMALL)),
      };
      for (const [name, source] of Object.entries(sources)) {
        await writeFile(join(folder, `${name}.html`), (await rendered(html, source)).get('report.html') ?? '');
      }
    });

    afterAll(async () => {
      await browser?.close();
    });

    /** Opens a report and hands it to the test, with everything that the console said and every request it made. */
    async function opened(
      name: string,
      options: BrowserContextOptions,
      look: (page: Page, heard: { complaints: string[]; requests: string[] }) => Promise<void>,
    ): Promise<void> {
      const context = await browser.newContext({ viewport: WIDE, ...options });
      try {
        const page = await context.newPage();
        const heard = { complaints: [] as string[], requests: [] as string[] };
        page.on('console', (message) => heard.complaints.push(message.text()));
        page.on('pageerror', (error) => heard.complaints.push(error.message));
        page.on('dialog', (dialog) => {
          heard.complaints.push(`dialog: ${dialog.message()}`);
          void dialog.dismiss();
        });
        page.on('request', (request) => heard.requests.push(request.url().slice(0, 5)));
        await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
        await look(page, heard);
      } finally {
        await context.close();
      }
    }

    async function violations(page: Page): Promise<readonly string[]> {
      await page.evaluate(axe);
      const found: Violations = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
      return found.violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map((node) => node.html)
            .join(' | ')}`,
      );
    }

    it.each(['ordinary', 'films', 'open', 'sweep', 'late', 'probed', 'merged', 'hostile', 'empty'])(
      'report.html in a browser opens without a complaint and loads nothing: %s',
      async (name) => {
        await opened(name, {}, async (page, { complaints, requests }) => {
          expect(complaints).toEqual([]);
          expect(requests.filter((scheme) => scheme !== 'file:' && scheme !== 'data:')).toEqual([]);
          expect(requests.filter((scheme) => scheme === 'file:')).toHaveLength(1);
          expect(await page.title()).toContain('Retake report');
        });
      },
    );

    it('report.html in a browser does not run a script, a handler or a style that was slipped in', async () => {
      const text = await readFile(join(folder, 'ordinary.html'), 'utf8');
      const slipped =
        '<script>document.title = "broken"</script><button id="slipped" onclick="document.title = \'broken\'">x</button><style>h1 { display: none }</style>';
      await writeFile(join(folder, 'slipped.html'), text.replace('</main>', `${slipped}</main>`));
      await opened('slipped', {}, async (page, { complaints }) => {
        await page.locator('#slipped').click();
        expect(await page.title()).not.toBe('broken');
        expect(await page.locator('h1').isVisible()).toBe(true);
        expect(complaints.length).toBeGreaterThanOrEqual(3);
        for (const complaint of complaints) expect(complaint).toContain('Content Security Policy');
      });
    });

    it.each([
      ['light', { colorScheme: 'light' }],
      ['dark', { colorScheme: 'dark' }],
      ['narrow', { viewport: NARROW }],
      ['narrow and dark', { viewport: NARROW, colorScheme: 'dark' }],
    ] as const)('report.html in a browser passes axe-core: %s', async (_, options) => {
      await opened('small', options, async (page) => {
        expect(await violations(page)).toEqual([]);
        await page.locator('#images button.pick').first().click();
        expect(await violations(page)).toEqual([]);
      });
    });

    it.each([
      ['open', {}],
      ['compared', { viewport: NARROW }],
      ['compared', { colorScheme: 'dark' }],
      ['sweep', { colorScheme: 'dark' }],
      ['sweep', { viewport: NARROW }],
      ['late', {}],
      ['probed', { viewport: NARROW, colorScheme: 'dark' }],
      ['merged', { viewport: NARROW }],
    ] as const)('report.html in a browser passes axe-core under another load: %s %j', async (name, options) => {
      await opened(name, options, async (page) => {
        expect(await violations(page)).toEqual([]);
      });
    });

    it('report.html in a browser passes axe-core for a run that sent nothing', async () => {
      await opened('empty', {}, async (page) => {
        expect(await violations(page)).toEqual([]);
      });
    });

    it.each(['ordinary', 'compared', 'open', 'sweep', 'late', 'hostile', 'empty'])(
      'report.html in a browser never scrolls sideways as a whole, at 390 and 320 pixels: %s',
      async (name) => {
        for (const width of [390, 320]) {
          await opened(name, { viewport: { width, height: 844 } }, async (page) => {
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
          });
        }
      },
    );

    it('report.html in a browser is whole without script', async () => {
      await opened('ordinary', { javaScriptEnabled: false }, async (page, { complaints }) => {
        for (const id of [
          'overview',
          'comparison',
          'variants',
          'latency',
          'timings',
          'timeline',
          'same-output',
          'images',
          'failures',
          'method',
        ]) {
          expect(await page.locator(`#${id}`).isVisible()).toBe(true);
        }
        expect(await page.locator('#images .image').first().boundingBox()).toMatchObject({ width: 200 });
        expect(await page.locator('button').filter({ visible: true }).count()).toBe(0);
        expect(complaints).toEqual([]);
      });
    });

    it('report.html in a browser opens, steers and closes the compare view by keyboard', async () => {
      await opened('ordinary', {}, async (page) => {
        const first = page.locator('#images button.pick').first();
        await first.focus();
        await page.keyboard.press('Enter');
        const dialog = page.locator('#compare');
        expect(await dialog.isVisible()).toBe(true);
        const [left, right] = [dialog.locator('select').first(), dialog.locator('select').last()];
        const words = async (side: typeof left): Promise<string | null> =>
          await side.locator('option:checked').textContent();
        expect(await words(left)).toBe('standard, seed 1, take 1');
        expect(await words(right)).toBe('fast, seed 1, take 1');
        await page.locator('#compare-close').focus();
        await page.keyboard.press('ArrowRight');
        expect(await words(right)).toBe('fast, seed 2, take 1');
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('ArrowLeft');
        expect(await words(right)).toBe('standard, seed 3, take 1');
        expect(await dialog.locator('.stage svg').count()).toBe(2);
        await page.keyboard.press('Escape');
        expect(await dialog.isVisible()).toBe(false);
        expect(await page.evaluate('document.activeElement === document.querySelector("#images button.pick")')).toBe(
          true,
        );
      });
    });

    it('report.html in a browser shows hostile labels in the compare view as they are', async () => {
      await opened('hostile', {}, async (page, { complaints }) => {
        await page.locator('#images button.pick').first().click();
        expect(await page.locator('#compare-title').textContent()).toContain(
          '<script>document.title="broken"</script>',
        );
        expect(await page.locator('#compare script').count()).toBe(0);
        expect(complaints).toEqual([]);
      });
    });

    /** What the video within `place` is at: null where there is none, else whether it plays. */
    async function videoIn(page: Page, place: string): Promise<{ plays: boolean; wide: number } | null> {
      return await page.evaluate(`(async () => {
        const video = document.querySelector('${place} video');
        if (!video) return null;
        const from = video.currentTime;
        for (let tries = 0; tries < 50 && video.currentTime === from; tries += 1) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return { plays: video.currentTime !== from && !video.paused, wide: video.videoWidth };
      })()`);
    }
    const PICK = '#images .pick[data-video="1"]';

    it('report.html in a browser plays a video while it is pointed at, or has the focus', async () => {
      await opened('films', {}, async (page, { complaints, requests }) => {
        expect(await videoIn(page, PICK)).toBeNull();
        await page.locator(PICK).hover();
        expect(await videoIn(page, PICK)).toEqual({ plays: true, wide: 160 });
        await page.mouse.move(2, 2);
        expect(await videoIn(page, PICK)).toBeNull();
        await page.locator(PICK).focus();
        expect(await videoIn(page, PICK)).toMatchObject({ plays: true });
        await page.locator('#images .pick[data-video="2"]').focus();
        expect(await videoIn(page, PICK)).toBeNull();
        expect(await page.locator('video').count()).toBe(1);
        expect(complaints).toEqual([]);
        expect(requests.filter((scheme) => scheme !== 'file:' && scheme !== 'data:')).toEqual([]);
      });
    });

    it('report.html in a browser plays a video at the first tap and compares at the second', async () => {
      await opened('films', { hasTouch: true, viewport: NARROW }, async (page) => {
        await page.locator(PICK).tap();
        expect(await videoIn(page, PICK)).toMatchObject({ plays: true });
        expect(await page.locator('#compare').isVisible()).toBe(false);
        await page.locator(PICK).tap();
        expect(await page.locator('#compare').isVisible()).toBe(true);
      });
    });

    it('report.html in a browser plays nothing by itself for those who want no motion', async () => {
      await opened('films', { reducedMotion: 'reduce' }, async (page) => {
        await page.locator(PICK).hover();
        await page.locator(PICK).focus();
        expect(await page.locator('video').count()).toBe(0);
        await page.locator(PICK).click();
        expect(await videoIn(page, '#compare')).toMatchObject({ plays: false });
      });
    });

    it('report.html in a browser compares videos side by side, with controls, and lets go of them', async () => {
      await opened('films', {}, async (page) => {
        await page.locator(PICK).click();
        const videos = page.locator('#compare video');
        expect(await videos.count()).toBe(2);
        expect(await page.locator('.pick video').count()).toBe(0);
        for (const video of await videos.all()) {
          expect(await video.getAttribute('controls')).not.toBeNull();
          expect(await video.getAttribute('poster')).toMatch(/^data:image\/webp/);
        }
        expect(await videoIn(page, '#compare')).toMatchObject({ plays: true });
        expect(await violations(page)).toEqual([]);
        await page.keyboard.press('Escape');
        // The browser tells of a closed dialog in its own time.
        await expect.poll(() => videos.count()).toBe(0);
      });
    });

    it('report.html in a browser shows the first frames of videos without script, and prints them', async () => {
      await opened('films', { javaScriptEnabled: false }, async (page, { complaints }) => {
        expect(await page.locator(`${PICK} .image`).boundingBox()).toMatchObject({ width: 200 });
        await page.emulateMedia({ media: 'print' });
        expect(await page.locator(`${PICK} .image`).isVisible()).toBe(true);
        expect(complaints).toEqual([]);
      });
    });

    it('report.html in a browser prints the whole page on white, without the navigation', async () => {
      await opened('ordinary', { colorScheme: 'dark' }, async (page) => {
        await page.emulateMedia({ media: 'print' });
        expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
        expect(await page.locator('nav').isVisible()).toBe(false);
        expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
      });
    });
  },
);
