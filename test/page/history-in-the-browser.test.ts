import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { describeInBrowser, violationsOf } from '../fixtures/opened-page.ts';
import { historyPageOf, NIGHTS } from '../fixtures/rendered-page.ts';

describeInBrowser('history.html in a browser', (open) => {
  const stored = (lines: typeof NIGHTS): string => {
    const file = join(freshFolder(), 'history.html');
    writeFileSync(file, historyPageOf(lines));
    return pathToFileURL(file).href;
  };

  it.each([
    ['wide and light', {}],
    ['narrow and dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
    ['without script', { own: { javaScriptEnabled: false } }],
  ] as const)(
    'history.html in a browser fits its screen, loads nothing and complains about nothing: %s',
    async (name, shown) => {
      const url = stored(NIGHTS);
      await open(url, shown, async (page, { complaints, requests }) => {
        expect([...complaints, ...requests]).toEqual([url]);
        for (const summary of await page.locator('summary').all()) await summary.click();
        expect(await page.locator('.variant .chart').first().isVisible()).toBe(true);
        const box = await page.locator('main').boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
        if (name !== 'without script') expect(await violationsOf(page)).toEqual([]);
      });
    },
  );

  it("history.html in a browser tells days in the reader's time zone, also below its charts", async () => {
    const lines = NIGHTS.map((line, at) => ({
      ...line,
      startedAt: new Date(Date.UTC(2026, 10, 23, 18, 90 * at)).toISOString(),
    }));
    await open(stored(lines), { own: { timezoneId: 'America/New_York' } }, async (page, { complaints }) => {
      const ticks = await page.locator('.chart').first().locator('[data-instant]').allTextContents();
      expect(ticks.slice(0, 3)).toEqual(['11-23 13:00', '17:30', '22:00']);
      expect(ticks[3]).toBe('11-24 02:30');
      expect(await page.locator('#runs time').last().textContent()).toBe('2026-11-23 13:00');
      expect(complaints).toEqual([]);
    });
  });

  it('history.html in a browser shows every column of the last values and of the runs of one day on narrow screens, and never scrolls sideways', async () => {
    const startedAt = (run: number) => new Date(Date.UTC(2026, 10, 23, 8, 30 * run)).toISOString();
    const lines = NIGHTS.map((line, at) => ({
      ...line,
      run: `20261123T0830${at + 10}Z-7f3a`,
      startedAt: startedAt(at),
    }));
    await open(stored(lines), {}, async (page) => {
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
