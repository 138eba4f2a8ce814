import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { coloursWrongIn, describeInBrowser, violationsOf } from '../fixtures/opened-page.ts';
import { beginRun, storeRun } from '../fixtures/stored-suite.ts';
import { type ServedViewer, serveViewer } from '../fixtures/viewer-process.ts';

/* Pages that keep themselves fresh. Time goes by for them only while a test waits for what they do. */

const TIMELESS = { own: { isTimeless: true } } as const;

/** What a page says that cannot be made true. */
const LOST = 'retake view does not answer; trying again.';

/** Longer than any page in sight waits before it asks again. */
const WAIT_MS = 4000;

/** Lets time go by for a page until what is read of it is as expected. */
const after = (page: Page, read: () => unknown, ms = WAIT_MS) =>
  expect.poll(async () => {
    await page.clock.runFor(ms);
    return read();
  });

describeInBrowser('pages that retake view keeps fresh in a browser', (open) => {
  const cwd = freshFolder();
  const results = join(cwd, 'results');
  let viewer: ServedViewer;
  let image: Uint8Array;

  beforeAll(async () => {
    mkdirSync(results);
    storeRun(results, 'first', '2026-11-20T15:45:00Z');
    storeRun(results, 'zeroth', '2026-11-19T15:45:00Z');
    image = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#234' } })
      .png()
      .toBuffer();
    viewer = await serveViewer([], cwd);
  });

  afterAll(async () => {
    await viewer?.close();
  });

  /** Ends the viewer until the page says so, then serves again where it was. */
  const restart = async (page: Page): Promise<void> => {
    await viewer.close();
    const status = page.locator('#connection');
    await after(page, () => status.textContent()).toBe(LOST);
    viewer = await serveViewer(['--port', new URL(viewer.url).port], cwd);
    await after(page, () => status.textContent()).toBe('');
  };

  /** The window is behind others, or in front of them again. */
  const hide = (page: Page, isHidden: boolean): Promise<unknown> =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);

  const askedOnceShown = async (page: Page, asked: () => number): Promise<number> => {
    await hide(page, false);
    return asked();
  };

  it('the page of a run in progress is whole without script, leads to itself, and is accessible', async () => {
    const run = beginRun(results, 'plain');
    run.grow(3, image);
    const address = `${viewer.url}/runs/slow/plain/`;
    const plain = { own: { javaScriptEnabled: false }, viewport: { width: 390, height: 844 } };
    await open(address, plain, async (page, { complaints }) => {
      expect(await page.locator('#latest figure').count()).toBe(3);
      const loaded = page.waitForEvent('load');
      await page.getByRole('link', { name: 'Load this page again' }).click();
      await loaded;
      expect(page.url()).toBe(address);
      expect(complaints).toEqual([]);
    });
    await open(address, {}, async (page) => {
      expect(await violationsOf(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await coloursWrongIn(page)).toEqual([]);
    });
    run.end();
  });

  it('the page of a run in progress follows it, also over a restart of the viewer, and becomes the report', async () => {
    const run = beginRun(results, 'followed');
    run.grow(12, image);
    await open(`${viewer.url}/runs/slow/followed/`, TIMELESS, async (page, { complaints }) => {
      const images = page.locator('#latest img');
      const ended = page.getByText(/^\d+ of 66 requests ended$/);
      expect(await images.count()).toBe(12);
      await expect.poll(() => page.evaluate('document.querySelector("#latest img").naturalWidth')).toBe(96);
      expect(await ended.textContent()).toMatch(/^12 of/);
      expect(await page.locator('[data-label="p50 so far"]').first().textContent()).toMatch(/^\d+ ms$/);
      expect(await page.getByText(/^about \d+ s left$/).count()).toBe(1);
      expect(await page.title()).toBe('18 % · followed, slow · Retake');
      // What somebody points at stays where it is.
      await images.first().hover();
      const pointedAt = await images.first().getAttribute('src');
      run.grow(2, image);
      const waiting = page.locator('#waiting');
      await after(page, () => waiting.textContent()).toBe('2 new.');
      expect(await images.first().getAttribute('src')).toBe(pointedAt);
      await page.mouse.move(5, 5);
      await after(page, () => waiting.textContent()).toBe('');
      expect(await images.count()).toBe(14);
      expect(complaints).toEqual([]);
      await restart(page);
      run.grow(52, image);
      await after(page, () => ended.textContent()).toMatch(/^66 of/);
      run.end();
      await after(page, () => page.url()).toMatch(/\/runs\/slow\/followed\/report\.html$/);
      await expect.poll(() => page.title()).toContain('Retake report');
      expect(
        complaints.filter((text) => !/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED/.test(text)),
      ).toEqual([]);
    });
  });

  it('the page of a run in progress is rarely asked for while nobody sees it, and at once when somebody does', async () => {
    const run = beginRun(results, 'unseen');
    const address = `${viewer.url}/runs/slow/unseen/`;
    await open(address, TIMELESS, async (page, { requests }) => {
      const asked = () => requests.filter((url) => url === address).length;
      await after(page, asked, 500).toBeGreaterThan(2);
      await hide(page, true);
      const before = asked();
      let seconds = 0;
      const asksThenAfter = async () => {
        seconds += 1;
        return asked();
      };
      await after(page, asksThenAfter, 1000).toBeGreaterThan(before + 2);
      expect(seconds).toBeGreaterThan(15);
      const unseen = asked();
      await expect.poll(() => askedOnceShown(page, asked)).toBeGreaterThan(unseen);
    });
    run.end();
  });

  it('a run that was killed was not reported, and its report says how the rest is measured', async () => {
    const suite = storeRun(results, 'killed', '2026-11-20T15:45:00Z');
    const journal = join(suite, 'killed', 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    writeFileSync(journal, `${lines.slice(0, -9).join('\n')}\n`);
    await open(viewer.url, {}, async (page) => {
      const row = page.locator('tr:has([value="image-variants/killed"])');
      expect(await row.locator('[data-label=State]').textContent()).toBe('Not reported');
      await row.locator('.name').click();
      await page.waitForURL(/report\.html$/);
      expect(await page.locator('main').textContent()).toContain('retake run --resume results/image-variants/killed');
    });
  });
});
