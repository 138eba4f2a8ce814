import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_CHROMIUM, startChromium } from '../../fixtures/chromium.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { NIGHTS, pageOf } from '../../fixtures/history-page.ts';
import { openPage } from '../../fixtures/opened-page.ts';

// The reporter's short form hides the reason of a skip.
if (NO_CHROMIUM !== null) console.warn(`skipped: ${NO_CHROMIUM}`);

describe.skipIf(NO_CHROMIUM !== null)('history.html in a browser', () => {
  let browser: Browser;
  let url: string;
  let axe: string;

  beforeAll(async () => {
    browser = await startChromium();
    const file = join(freshFolder(), 'history.html');
    writeFileSync(file, pageOf(NIGHTS));
    url = pathToFileURL(file).href;
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });

  afterAll(async () => {
    await browser?.close();
  });

  it.each([
    ['light', { viewport: { width: 1280, height: 900 } }],
    ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
    ['narrow and dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
    ['without script', { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false }],
  ] as const)(
    'history.html in a browser fits its screen, loads nothing and complains about nothing: %s',
    async (_, options) => {
      const context = await browser.newContext(options);
      try {
        const tab = await context.newPage();
        const heard: string[] = [];
        tab.on('console', (message) => heard.push(message.text()));
        tab.on('request', (request) => heard.push(request.url()));
        await tab.goto(url);
        expect(heard).toEqual([url]);
        for (const summary of await tab.locator('summary').all()) await summary.click();
        expect(await tab.locator('.variant table').first().isVisible()).toBe(true);
        const box = await tab.locator('main').boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(options.viewport.width);
        if ('javaScriptEnabled' in options) return;
        await tab.evaluate(axe);
        const found: { violations: readonly { id: string }[] } = await tab.evaluate(
          'axe.run(document, { resultTypes: ["violations"] })',
        );
        expect(found.violations.map(({ id }) => id)).toEqual([]);
      } finally {
        await context.close();
      }
    },
  );

  it('history.html in a browser shows every column of the last values and of the runs of one day on narrow screens, and never scrolls sideways', async () => {
    const startedAt = (run: number) => new Date(Date.UTC(2026, 10, 23, 8, 30 * run)).toISOString();
    const lines = NIGHTS.map((line, at) => ({
      ...line,
      run: `20261123T0830${at + 10}Z-7f3a`,
      startedAt: startedAt(at),
    }));
    const file = join(freshFolder(), 'history.html');
    writeFileSync(file, pageOf(lines));
    await openPage(browser, pathToFileURL(file).href, {}, async (page) => {
      for (const width of [320, 390, 480, 740, 1220, 2560]) {
        await page.setViewportSize({ width, height: 844 });
        const beyond = await page.evaluate(() => ({
          page: document.documentElement.scrollWidth - window.innerWidth,
          cells: [...document.querySelectorAll('#overview td, #runs td, #runs th[scope=row]')]
            .filter((cell) => cell.getBoundingClientRect().right > window.innerWidth)
            .map(({ textContent }) => textContent),
        }));
        expect(beyond).toEqual({ page: 0, cells: [] });
      }
    });
  });
});
