import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_CHROMIUM, startChromium } from '../fixtures/chromium.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { openPage, violationsOf } from '../fixtures/opened-page.ts';
import { retake, type ServedService, serveReference, startRetake } from '../fixtures/retake-process.ts';
import { ATTACKED } from '../fixtures/scripted-run.ts';
import { storeRun } from '../fixtures/stored-suite.ts';
import { type ServedViewer, serveViewer } from '../fixtures/viewer-process.ts';

const suiteOf = (name: string, url: string, repeats: number) => `suite: 1
name: ${name}
variants:
  fast: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${url}' }
  other: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${url}' }
prompts:
  - { id: fox, text: A red fox in snow }
  - { id: barn, text: A barn in the rain }
seeds: [1]
repeats: ${repeats}
load: { warmup: 0, concurrency: 1 }
probes: []
gate: []
reports: [csv, json, html]
`;

// The reporter's short form hides the reason of a skip.
if (NO_CHROMIUM !== null) console.warn(`skipped: ${NO_CHROMIUM}`);

function journalSize(journal: string): number {
  return statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
}

describe.skipIf(NO_CHROMIUM !== null)('retake view in a browser', () => {
  let browser: Browser;
  let service: ServedService;
  let viewer: ServedViewer;
  let cwd: string;
  const measure = (suite: string, run: string) => ['run', `${suite}.yaml`, '--run', run, '--quiet', '--yes'];

  beforeAll(async () => {
    browser = await startChromium();
    service = await serveReference(['latency: { lognormal: { median: 150ms, sigma: 0.05 } }']);
    cwd = freshFolder();
    mkdirSync(join(cwd, 'results'));
    writeFileSync(join(cwd, 'nightly.yaml'), suiteOf('nightly', service.url, 2));
    writeFileSync(join(cwd, 'slow.yaml'), suiteOf('slow', service.url, 16));
    for (const run of ['first', 'second']) {
      const { code, stderr } = await retake(measure('nightly', run), cwd, service.env);
      if (code !== 0) throw new Error(stderr);
    }
    viewer = await serveViewer([], cwd);
  }, 120_000);

  afterAll(async () => {
    await viewer?.close();
    await service?.close();
    await browser?.close();
  });

  const PAGES = [
    '/',
    '/suites/nightly/',
    '/suites/nightly/history.html',
    '/runs/nightly/first/',
    '/compare',
    '/compare?a=nightly%2Ffirst&b=nightly%2Fsecond',
    '/runs/nightly/first/report.html',
    '/nothing',
  ];

  it.each(
    PAGES.flatMap((path) => [
      [path, { colorScheme: 'light' }] as const,
      [path, { colorScheme: 'dark', viewport: { width: 390, height: 844 } }] as const,
      [path, { javaScriptEnabled: false }] as const,
    ]),
  )('a page of the viewer is accessible, fits its screen and complains about nothing: %s %j', async (path, options) => {
    await openPage(browser, viewer.url + path, options, async (page, { complaints, requests }) => {
      expect(complaints.filter((text) => path !== '/nothing' || !text.includes('404'))).toEqual([]);
      expect(requests.filter((url) => url !== 'data:' && !url.startsWith(viewer.url))).toEqual([]);
      expect(await page.locator('h1').isVisible()).toBe(true);
      if ('javaScriptEnabled' in options) return;
      expect(await violationsOf(page)).toEqual([]);
      const width = 'viewport' in options ? options.viewport.width : 1280;
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });
  });

  it('the viewer leads from the list to a report with its images, and to the files and media of a run', async () => {
    await openPage(browser, viewer.url, {}, async (page, { complaints }) => {
      await page.getByRole('link', { name: 'second', exact: true }).click();
      expect(page.url()).toBe(`${viewer.url}/runs/nightly/second/report.html`);
      await page.goto(`${viewer.url}/runs/nightly/second/`);
      const image = page.locator('.media img').first();
      await image.scrollIntoViewIfNeeded();
      await expect.poll(() => page.evaluate('document.querySelector(".media img").naturalWidth')).toBeGreaterThan(0);
      const [original] = await Promise.all([
        page.waitForResponse(/\/media\/[0-9a-f]{2}\//),
        page
          .getByRole('link', { name: /^Original: fast, fox/ })
          .first()
          .click(),
      ]);
      expect(original.headers()['content-type']).toBe('image/png');
      expect(complaints).toEqual([]);
    });
  });

  it('two runs that are chosen are compared: a row for each variant, and their outputs side by side', async () => {
    await openPage(browser, `${viewer.url}/suites/nightly/`, {}, async (page, { complaints }) => {
      await page.getByRole('button', { name: 'Compare' }).click();
      expect(await page.locator('h1').textContent()).toBe('second against first');
      expect(await page.locator('[aria-label="Variants of both runs"] tbody tr').count()).toBe(2);
      expect(await page.locator('[data-label="Latency, later / earlier"]').first().textContent()).toMatch(/^[\d.]+x$/);
      expect(await page.locator('.pairs-of-outputs article').count()).toBe(4);
      const sources = await page.locator('.pairs-of-outputs article').first().locator('img').all();
      const shown = await Promise.all(sources.map((image) => image.getAttribute('src')));
      expect(shown).toEqual([
        expect.stringMatching(/^\/runs\/nightly\/first\/thumbs\//),
        expect.stringMatching(/^\/runs\/nightly\/second\/thumbs\//),
      ]);
      await page.getByText('In sentences').click();
      const said = await retake(['compare', 'results/nightly/first', 'results/nightly/second'], cwd);
      const sentences = await page.locator('details li').allTextContents();
      expect(sentences).toEqual(said.stdout.trimEnd().split('\n').slice(1));
      expect(complaints).toEqual([]);
    });
  });

  it('names and prompts that look like markup stay text', async () => {
    storeRun(join(cwd, 'results'), 'attack', '2026-11-20T15:45:00Z', { telling: { ...ATTACKED, suite: 'hostile' } });
    for (const path of ['/runs/hostile/attack/', '/suites/hostile/', '/']) {
      await openPage(browser, viewer.url + path, {}, async (page, { complaints }) => {
        expect(complaints).toEqual([]);
        if (path.startsWith('/runs/')) expect(await page.locator('figcaption').first().textContent()).toMatch(/[<"']/);
        expect(await page.locator('main script, main iframe, main object, main style').count()).toBe(0);
      });
    }
  });

  it('the page of a run in progress follows it, connects again to a viewer that was started again, and becomes the report', async () => {
    const running = startRetake(measure('slow', 'live'), cwd, service.env);
    const journal = join(cwd, 'results', 'slow', 'live', 'journal.jsonl');
    await expect.poll(() => existsSync(journal), { timeout: 20_000 }).toBe(true);
    const own = await serveViewer([], cwd);
    await openPage(browser, `${own.url}/runs/slow/live/`, {}, async (page, { complaints }) => {
      const images = page.locator('#latest img');
      await expect.poll(() => images.count(), { timeout: 20_000 }).toBeGreaterThan(2);
      await expect.poll(() => page.evaluate('document.querySelector("#latest img").naturalWidth')).toBeGreaterThan(0);
      expect(await page.locator('[data-live=ended]').textContent()).toMatch(/^\d+ of 64 requests ended$/);
      await expect.poll(() => page.locator('[data-live="0-p50"]').textContent()).toMatch(/^\d+ ms$/);
      expect(await violationsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await own.close();
      await expect.poll(() => page.locator('#connection').textContent()).toMatch(/connecting again/);
      const seen = await images.count();
      const again = await serveViewer(['--port', new URL(own.url).port], cwd);
      await expect.poll(() => images.count(), { timeout: 20_000 }).toBeGreaterThan(seen);
      expect(await page.locator('#connection').textContent()).toBe('');
      expect((await running.ended).code).toBe(0);
      await page.waitForURL(/\/runs\/slow\/live\/report\.html$/, { timeout: 20_000 });
      expect(await page.title()).toContain('Retake report');
      expect(complaints.filter((text) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED/.test(text))).toEqual([]);
      expect((await again.close()).code).toBe(0);
    });
  }, 120_000);

  it('the page of a run in progress is whole without script, and leads to itself', async () => {
    const running = startRetake(measure('slow', 'plain'), cwd, service.env);
    const journal = join(cwd, 'results', 'slow', 'plain', 'journal.jsonl');
    await expect.poll(() => journalSize(journal), { timeout: 20_000 }).toBeGreaterThan(5000);
    const options = { javaScriptEnabled: false, viewport: { width: 390, height: 844 } };
    await openPage(browser, `${viewer.url}/runs/slow/plain/`, options, async (page, { complaints }) => {
      expect(await page.locator('#latest figure').count()).toBeGreaterThan(0);
      await page.getByRole('link', { name: 'Load this page again' }).click();
      expect(page.url()).toBe(`${viewer.url}/runs/slow/plain/`);
      expect(complaints).toEqual([]);
      await page.goto(viewer.url);
      expect(await page.getByText('in progress').first().isVisible()).toBe(true);
    });
    running.kill('SIGKILL');
    await running.ended;
    await openPage(browser, `${viewer.url}/`, {}, async (page) => {
      expect(await page.getByText('killed').isVisible()).toBe(true);
    });
  }, 120_000);
});
