import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { html } from '../../../src/report/html/html.ts';
import { rendered } from '../../contracts/reporter.ts';
import { NO_CHROMIUM, startChromium } from '../../fixtures/chromium.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { type Heard, openPage, violationsOf } from '../../fixtures/opened-page.ts';
import { illustrated } from '../../fixtures/report-source.ts';
import { ATTACKED, FILMED, ORDINARY, scriptedRun } from '../../fixtures/scripted-run.ts';

const NARROW = { width: 390, height: 844 };

// The reporter's short form hides the reason of a skip.
if (NO_CHROMIUM !== null) console.warn(`skipped: ${NO_CHROMIUM}`);

describe.skipIf(NO_CHROMIUM !== null)(
  `the images of a report in a browser${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`,
  () => {
    let browser: Browser;
    let folder: string;

    beforeAll(async () => {
      browser = await startChromium();
      folder = freshFolder();
      const pages = { ordinary: ORDINARY, hostile: ATTACKED, films: FILMED };
      for (const [name, telling] of Object.entries(pages)) {
        const source = await illustrated(scriptedRun(telling));
        await writeFile(join(folder, `${name}.html`), (await rendered(html, source)).get('report.html') ?? '');
      }
    });

    afterAll(async () => {
      await browser?.close();
    });

    const opened = (
      name: string,
      options: BrowserContextOptions,
      look: (page: Page, heard: Heard) => Promise<void>,
    ): Promise<void> => openPage(browser, pathToFileURL(join(folder, `${name}.html`)).href, options, look);

    it('the compare view opens, steers and closes by keyboard', async () => {
      await opened('ordinary', {}, async (page) => {
        const first = page.locator('#images button.pick').first();
        await first.focus();
        await page.keyboard.press('Enter');
        const dialog = page.locator('#compare');
        expect(await dialog.isVisible()).toBe(true);
        const [left, right] = [dialog.locator('select').first(), dialog.locator('select').last()];
        const words = async (side: typeof left): Promise<string | null> =>
          await side.locator('option:checked').textContent();
        expect(await words(left)).toBe('fox, standard, seed 1, take 1');
        expect(await words(right)).toBe('fox, fast, seed 1, take 1');
        await page.locator('#compare-close').focus();
        await page.keyboard.press('ArrowRight');
        expect(await words(right)).toBe('fox, fast-lcm, seed 1, take 1');
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('ArrowLeft');
        expect(await words(right)).toBe('fox, standard, seed 1, take 1');
        expect(await dialog.locator('.stage img').count()).toBe(2);
        await page.keyboard.press('Escape');
        expect(await dialog.isVisible()).toBe(false);
        expect(await page.evaluate('document.activeElement === document.querySelector("#images button.pick")')).toBe(
          true,
        );
      });
    });

    it('the compare view shows hostile labels as they were sent', async () => {
      await opened('hostile', {}, async (page, { complaints }) => {
        await page.locator('#images button.pick').first().click();
        expect(await page.locator('#compare-title').textContent()).toContain(
          '<script>document.title="broken"</script>',
        );
        expect(await page.locator('#compare script').count()).toBe(0);
        expect(complaints).toEqual([]);
      });
    });

    /** What the video within `place` is at: whether it plays, and how wide it is. */
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
    const FILM = '#images [data-cell="1"][data-output="0"]';
    const OTHER_FILM = '#images [data-cell="0"]';

    it('a video plays while it is pointed at, or has the focus', async () => {
      await opened('films', {}, async (page, { complaints, requests }) => {
        expect(await videoIn(page, FILM)).toMatchObject({ plays: false });
        await page.locator(FILM).hover();
        expect(await videoIn(page, FILM)).toEqual({ plays: true, wide: 160 });
        await page.mouse.move(2, 2);
        expect(await videoIn(page, FILM)).toMatchObject({ plays: false });
        await page.locator(FILM).focus();
        expect(await videoIn(page, FILM)).toMatchObject({ plays: true });
        await page.locator(OTHER_FILM).focus();
        expect(await videoIn(page, FILM)).toMatchObject({ plays: false });
        expect(
          await page.evaluate('[...document.querySelectorAll("video")].filter((each) => !each.paused).length'),
        ).toBe(1);
        expect(complaints).toEqual([]);
        expect(requests.filter((url) => !url.startsWith('data:'))).toHaveLength(1);
      });
    });

    it('a video plays at the first tap and is compared at the second', async () => {
      await opened('films', { hasTouch: true, viewport: NARROW }, async (page) => {
        await page.locator(FILM).tap();
        expect(await videoIn(page, FILM)).toMatchObject({ plays: true });
        expect(await page.locator('#compare').isVisible()).toBe(false);
        await page.locator(FILM).tap();
        expect(await page.locator('#compare').isVisible()).toBe(true);
      });
    });

    it('a video does not play by itself for those who want no motion', async () => {
      await opened('films', { reducedMotion: 'reduce' }, async (page) => {
        await page.locator(FILM).hover();
        await page.locator(FILM).focus();
        expect(await videoIn(page, FILM)).toMatchObject({ plays: false });
        await page.locator(FILM).click();
        expect(await videoIn(page, '#compare')).toMatchObject({ plays: false });
      });
    });

    it('videos are compared side by side, with controls, and let go when the view closes', async () => {
      await opened('films', {}, async (page) => {
        await page.locator(FILM).click();
        const videos = page.locator('#compare video');
        expect(await videos.count()).toBe(2);
        for (const video of await videos.all()) {
          expect(await video.getAttribute('controls')).not.toBeNull();
          expect(await video.getAttribute('poster')).toMatch(/^data:image\/webp/);
        }
        expect(await videoIn(page, '#compare')).toMatchObject({ plays: true });
        expect(await violationsOf(page)).toEqual([]);
        await page.keyboard.press('Escape');
        // The browser tells of a closed dialog in its own time.
        await expect.poll(() => videos.count()).toBe(0);
      });
    });

    it('videos have controls and show their first frames without script, and are printed', async () => {
      await opened('films', { javaScriptEnabled: false }, async (page, { complaints }) => {
        const video = page.locator('#images video').first();
        expect(await video.boundingBox()).toMatchObject({ width: 200 });
        expect(await video.getAttribute('controls')).not.toBeNull();
        await page.emulateMedia({ media: 'print' });
        expect(await video.isVisible()).toBe(true);
        expect(complaints).toEqual([]);
      });
    });

    it('an image whose bytes stand elsewhere in the page is a link without script, and an image with it', async () => {
      const source = await illustrated(scriptedRun({ ...ORDINARY, prompts: ORDINARY.prompts.slice(3) }));
      const [one] = source.analysis.cells;
      const cells = source.analysis.cells.map((cell) => ({
        ...cell,
        takes: cell.takes.map((take) =>
          take.sha256 === null ? take : { ...take, sha256: one?.takes[0]?.sha256 ?? '' },
        ),
      }));
      const text = (await rendered(html, { ...source, analysis: { ...source.analysis, cells } })).get('report.html');
      await writeFile(join(folder, 'same.html'), text ?? '');
      await opened('same', { javaScriptEnabled: false }, async (page) => {
        expect(await page.locator('#images img').count()).toBe(1);
        expect(await page.locator('#images a.blank').first().textContent()).toBe('the same bytes as an image above');
      });
      await opened('same', {}, async (page) => {
        expect(await page.locator('#images img').count()).toBeGreaterThan(10);
        expect(await page.locator('#images a.blank').count()).toBe(0);
        expect(await page.evaluate('document.querySelectorAll("#images img[id]").length')).toBe(1);
      });
    });
  },
);
