import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_CHROMIUM, startChromium } from '../fixtures/chromium.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { goldenVideo } from '../fixtures/golden-video.ts';
import { openPage, violationsOf } from '../fixtures/opened-page.ts';
import { retake, type ServedService, serveReference, startRetake } from '../fixtures/retake-process.ts';
import { ATTACKED } from '../fixtures/scripted-run.ts';
import { storeChange } from '../fixtures/stored-change.ts';
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

/** Whether the one image or video of a page has come. */
const READY = `(() => {
  const [media] = document.querySelectorAll('img, video');
  return media instanceof HTMLVideoElement ? media.videoWidth > 0 : media?.naturalWidth > 0;
})()`;

/** What a page says that cannot be made true. */
const LOST = 'retake view does not answer; trying again.';

function journalSize(journal: string): number {
  return statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
}

describe.skipIf(NO_CHROMIUM !== null)('retake view in a browser', () => {
  let browser: Browser;
  let service: ServedService;
  let viewer: ServedViewer;
  let cwd: string;
  /** What is wrong with the page of a file that is opened by itself; nothing where its media is shown. */
  const openedAlone = async (path: string): Promise<readonly string[]> => {
    const complaints: string[] = [];
    await openPage(browser, viewer.url + path, {}, async (page, heard) => {
      await expect.poll(() => page.evaluate(READY)).toBe(true);
      complaints.push(...heard.complaints);
    });
    return complaints;
  };
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
  });

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

  const complaintsOf = (path: string, complaints: readonly string[]) =>
    complaints.filter((text) => path !== '/nothing' || !text.includes('404'));

  it.each(PAGES)(
    'a page of the viewer is accessible, fits its screen and complains about nothing, wide and light, narrow and dark: %s',
    async (path) => {
      await openPage(browser, viewer.url + path, { colorScheme: 'light' }, async (page, { complaints, requests }) => {
        expect(await violationsOf(page)).toEqual([]);
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 844 });
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        }
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await violationsOf(page)).toEqual([]);
        expect(complaintsOf(path, complaints)).toEqual([]);
        expect(requests.filter((url) => url !== 'data:' && !url.startsWith(viewer.url))).toEqual([]);
      });
    },
  );

  it('the pages of the viewer are whole without script, and a list leads to itself', async () => {
    await openPage(browser, viewer.url, { own: { javaScriptEnabled: false } }, async (page, { complaints }) => {
      for (const path of PAGES) {
        await page.goto(viewer.url + path);
        expect(await page.locator('h1').isVisible()).toBe(true);
        expect(complaintsOf(path, complaints.splice(0))).toEqual([]);
      }
      await page.goto(`${viewer.url}/suites/nightly/?sort=-run`);
      const loaded = page.waitForEvent('load');
      await page.getByRole('link', { name: 'Load this page again' }).click();
      await loaded;
      expect(page.url()).toBe(`${viewer.url}/suites/nightly/?sort=-run`);
    });
  });

  it('the viewer leads from the list to a report with its images, and to the files and media of a run', async () => {
    await openPage(browser, viewer.url, {}, async (page, { complaints }) => {
      await page.getByRole('link', { name: 'second', exact: true }).click();
      await page.waitForURL(`${viewer.url}/runs/nightly/second/report.html`);
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

  it('a report and a trend lead back to the lists they are in', async () => {
    await openPage(browser, `${viewer.url}/runs/nightly/first/report.html`, {}, async (page, { complaints }) => {
      const links = page.getByRole('navigation').getByRole('link');
      expect((await links.allTextContents()).slice(0, 5)).toEqual([
        'All suites',
        'nightly',
        'Trend',
        'Report',
        'Files and media',
      ]);
      await links.getByText('Trend').click();
      await page.waitForURL(`${viewer.url}/suites/nightly/history.html`);
      await page.getByRole('navigation').getByRole('link', { name: 'nightly' }).click();
      await page.waitForURL(`${viewer.url}/suites/nightly/`);
      expect(complaints).toEqual([]);
    });
  });

  it('an image and a video that are opened by themselves are shown', async () => {
    const run = join(cwd, 'results', 'nightly', 'first');
    const sha256 = 'ab'.repeat(32);
    mkdirSync(join(run, 'media', 'ab'), { recursive: true });
    writeFileSync(join(run, 'media', 'ab', `${sha256}.mp4`), goldenVideo('plain.mp4'));
    expect(await openedAlone(`/runs/nightly/first/media/ab/${sha256}.mp4`)).toEqual([]);
    const [output] = readdirSync(join(run, 'media'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.png'),
    );
    expect(await openedAlone(`/runs/nightly/first/media/${output}`)).toEqual([]);
  });

  it('a suite and a run are found by a part of their names', async () => {
    await openPage(browser, viewer.url, {}, async (page) => {
      await page.getByRole('searchbox').fill('SECO');
      await page.keyboard.press('Enter');
      await page.waitForURL(/find=SECO/);
      expect(await page.locator('.listed tbody th').allTextContents()).toEqual(['second']);
      await page.getByRole('link', { name: 'Show all' }).first().click();
      await page.waitForURL(`${viewer.url}/`);
      await page.goto(`${viewer.url}/suites/nightly/`);
      await page.locator('select[name=gate]').selectOption('failed');
      await page.getByRole('button', { name: 'Find' }).click();
      expect(await page.getByText('No run is like this.').isVisible()).toBe(true);
      await page.locator('select[name=gate]').selectOption('no gate');
      await page.getByRole('button', { name: 'Find' }).click();
      expect(await page.locator('.listed tbody th').allTextContents()).toEqual(['second', 'first']);
    });
  });

  it('the runs of a suite are sorted by a head of their table, and the address keeps it', async () => {
    await openPage(browser, `${viewer.url}/suites/nightly/`, {}, async (page, { complaints }) => {
      const names = () => page.locator('.listed tbody th').allTextContents();
      const sortedBy = () => page.locator('th[aria-sort]').allTextContents();
      expect([await names(), await sortedBy()]).toEqual([['second', 'first'], ['Began']]);
      await page.getByRole('columnheader', { name: 'Run' }).getByRole('link').click();
      await page.waitForURL(/\?sort=run$/);
      expect([await names(), await sortedBy()]).toEqual([['first', 'second'], ['Run']]);
      await page.getByRole('columnheader', { name: 'Took' }).getByRole('link').click();
      await page.waitForURL(/\?sort=-took$/);
      expect(await page.locator('[data-label=Took]').allTextContents()).toEqual([
        expect.stringMatching(/ s$/),
        expect.stringMatching(/ s$/),
      ]);
      // What is found stays sorted.
      await page.getByRole('button', { name: 'Find' }).click();
      await page.waitForURL((url) => url.searchParams.has('find'));
      expect(new URL(page.url()).searchParams.get('sort')).toBe('-took');
      expect(complaints).toEqual([]);
    });
  });

  it('the page of the first run and of the last one each offer to compare both', async () => {
    for (const run of ['first', 'second']) {
      await openPage(browser, `${viewer.url}/runs/nightly/${run}/`, {}, async (page) => {
        expect(await page.getByLabel('Earlier run').inputValue()).toBe('nightly/first');
        expect(await page.getByLabel('Later run').inputValue()).toBe('nightly/second');
      });
    }
  });

  it('two runs that are chosen are compared: a row for each variant, and their outputs side by side', async () => {
    await openPage(browser, `${viewer.url}/suites/nightly/`, {}, async (page, { complaints }) => {
      await page.getByRole('button', { name: 'Compare' }).click();
      expect(await page.locator('h1').textContent()).toBe('second against first');
      expect(await page.locator('[aria-label="Variants of both runs"] tbody tr').count()).toBe(2);
      expect(await page.locator('[data-label="Latency, later / earlier"]').first().textContent()).toMatch(/^[\d.]+x$/);
      expect(await page.locator('[data-label="Latency p50"]').first().textContent()).toMatch(
        /^[\d.]+\u00a0m?s( → [\d.]+\u00a0m?s)?$/,
      );
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
      // What the numbers do not decide stands above them.
      const printed = said.stdout
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('No verdict: '));
      expect(sentences).toEqual(printed.slice(1));
      expect(await page.locator('section .note').first().textContent()).toContain('No verdict: whatever changed');
      expect(complaints).toEqual([]);
    });
  });

  it('the outputs of two runs open in the compare view, with both originals, by an address that can be passed on', async () => {
    const address = `${viewer.url}/compare?a=nightly%2Ffirst&b=nightly%2Fsecond`;
    const dialog = '#compare[open]';
    await openPage(browser, address, {}, async (page, { complaints, requests }) => {
      await page.locator('button.pick').nth(1).click();
      const captions = page.locator(`${dialog} figcaption`).filter({ hasText: 'Shown: the original' });
      await expect.poll(() => captions.count()).toBe(2);
      expect(await page.locator('#compare-title').textContent()).toMatch(/^Compare: \w+, fast$/);
      const chosen = page.locator(`${dialog} .sides select`);
      expect(await chosen.nth(0).textContent()).toMatch(/first, seed 1, take 1/);
      const names = await chosen.evaluateAll((all) =>
        all.map((each) => (each as HTMLSelectElement).selectedOptions[0]?.textContent),
      );
      expect(names.slice(0, 2)).toEqual(['first, seed 1, take 1', 'second, seed 1, take 1']);
      expect(await page.locator(`${dialog} .sides figure`).nth(2).isVisible()).toBe(false);
      expect(await page.locator(`${dialog} .between`).textContent()).toBe('Two runs: byte-identical.');
      expect(requests.filter((url) => /\/first\/media\//.test(url))).not.toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      await page.locator('.views label', { hasText: 'Difference' }).click();
      await expect.poll(() => page.url()).toMatch(/#compare\?outputs=0\.0,1\.0&view=difference$/);
      const link = page.url();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.url()).toBe(address);
      await page.goto(link);
      await expect.poll(() => page.locator(`${dialog} canvas`).count()).toBe(1);
      expect(complaints).toEqual([]);
    });
  });

  it('two outputs of two runs with other bytes are compared when they are looked at, and how alike they are is said', async () => {
    await storeChange(join(cwd, 'results'));
    const address = `${viewer.url}/compare?a=changed%2Fbefore&b=changed%2Fafter`;
    await openPage(browser, address, {}, async (page, { complaints, requests }) => {
      await page.locator('button.pick').first().click();
      const between = page.locator('#compare[open] .between');
      await expect
        .poll(() => between.textContent())
        .toMatch(
          /^Two runs: visually similar; largest difference 8 of 255, PSNR [\d.]+ dB, SSIM 0\.\d+.*\. Similarity says nothing about quality\.$/,
        );
      await page.locator('.views label', { hasText: 'Difference' }).click();
      await expect.poll(() => page.locator('#compare[open] canvas').count()).toBe(1);
      expect(await between.textContent()).toMatch(/^Two runs: visually similar/);
      expect(requests.filter((url) => url.includes('/compare/difference'))).toHaveLength(1);
      expect(await violationsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
    });
    rmSync(join(cwd, 'results', 'changed'), { recursive: true });
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

  const startLive = async () => {
    const running = startRetake(measure('slow', 'live'), cwd, service.env);
    const journal = join(cwd, 'results', 'slow', 'live', 'journal.jsonl');
    await expect.poll(() => journalSize(journal)).toBeGreaterThan(5000);
    return running;
  };

  it('a list that is left open shows a run once it begins, and once it ends; its page follows it and becomes the report', async () => {
    await openPage(browser, viewer.url, {}, async (list, { complaints: ofList }) => {
      await list.evaluate('window.wasLoaded = "once"');
      await list.getByRole('searchbox').fill('typed');
      await list.getByRole('link', { name: 'second', exact: true }).focus();
      const running = await startLive();
      const row = list.locator('tr[data-key="slow/live"]');
      await expect.poll(() => row.getByText('in progress').count()).toBe(1);
      await expect
        .poll(() => list.locator('.running li').textContent())
        .toMatch(/of 64 requests, began .*, about \d+ s left$/);
      expect(await list.evaluate('document.activeElement.textContent')).toBe('second');
      expect(await list.getByRole('searchbox').inputValue()).toBe('typed');
      await followed(running);
      await expect.poll(() => row.getByText('complete').count()).toBe(1);
      expect(await list.locator('.running').count()).toBe(0);
      expect(await list.getByRole('searchbox').inputValue()).toBe('typed');
      expect(await list.evaluate('window.wasLoaded')).toBe('once');
      expect(ofList).toEqual([]);
    });
  });

  /** Looks at the page of the run in progress to its end. */
  const followed = async (running: ReturnType<typeof startRetake>) => {
    const own = await serveViewer([], cwd);
    const address = `${own.url}/runs/slow/live/`;
    const plain = { own: { javaScriptEnabled: false }, viewport: { width: 390, height: 844 } };
    await openPage(browser, address, plain, async (page, { complaints }) => {
      expect(await page.locator('#latest figure').count()).toBeGreaterThan(0);
      const loaded = page.waitForEvent('load');
      await page.getByRole('link', { name: 'Load this page again' }).click();
      await loaded;
      expect(page.url()).toBe(address);
      expect(complaints).toEqual([]);
    });
    await openPage(browser, address, {}, async (page, { complaints }) => {
      const images = page.locator('#latest img');
      await expect.poll(() => images.count()).toBeGreaterThan(2);
      await expect.poll(() => page.evaluate('document.querySelector("#latest img").naturalWidth')).toBeGreaterThan(0);
      expect(await page.getByText(/^\d+ of 64 requests ended$/).count()).toBe(1);
      await expect.poll(() => page.locator('[data-label="p50 so far"]').first().textContent()).toMatch(/^\d+ ms$/);
      await expect.poll(() => page.getByText(/^about \d+ s left$/).count()).toBe(1);
      expect(await page.title()).toMatch(/^\d+ % · live, slow · Retake$/);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violationsOf(page)).toEqual([]);
      }
      // What somebody points at stays where it is.
      await images.first().hover();
      const pointedAt = await images.first().getAttribute('src');
      await expect.poll(() => page.locator('#waiting').textContent()).toMatch(/^\d+ new\.$/);
      expect(await images.first().getAttribute('src')).toBe(pointedAt);
      await page.mouse.move(5, 5);
      await expect.poll(() => page.locator('#waiting').textContent()).toBe('');
      expect(complaints).toEqual([]);
      await own.close();
      await expect.poll(() => page.locator('#connection').textContent()).toBe(LOST);
      const ended = async () => Number.parseInt((await page.getByText('requests ended').textContent()) ?? '', 10);
      const seen = await ended();
      const again = await serveViewer(['--port', new URL(own.url).port], cwd);
      await expect.poll(ended).toBeGreaterThan(seen);
      expect(await page.locator('#connection').textContent()).toBe('');
      expect((await running.ended).code).toBe(0);
      await page.waitForURL(/\/runs\/slow\/live\/report\.html$/);
      expect(await page.title()).toContain('Retake report');
      expect(complaints.filter((text) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED/.test(text))).toEqual([]);
      expect((await again.close()).code).toBe(0);
    });
  };

  it('the page of a run in progress is rarely asked for while nobody sees it, and at once when somebody does', async () => {
    const suite = storeRun(join(cwd, 'results'), 'unseen', '2026-11-20T15:45:00Z');
    const lock = join(suite, 'unseen', 'lock');
    // This process uses the run.
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: null, startedAt: null }));
    await openPage(browser, viewer.url, {}, async (page, { requests }) => {
      await page.addInitScript('Object.defineProperty(document, "hidden", { get: () => window.unseen === true })');
      const asked = () => requests.filter((url) => url.endsWith('/unseen/')).length;
      await page.goto(`${viewer.url}/runs/image-variants/unseen/`);
      expect(await page.title()).toMatch(/^\d+ % /);
      await expect.poll(asked).toBeGreaterThan(2);
      await page.evaluate('window.unseen = true');
      const before = asked();
      await sleep(1200);
      const unseen = asked() - before;
      // One was waited for already.
      expect(unseen).toBeLessThan(2);
      await page.evaluate('window.unseen = false; document.dispatchEvent(new Event("visibilitychange")); undefined');
      await expect.poll(asked).toBeGreaterThan(before + unseen + 1);
    });
    rmSync(lock);
  });

  it('a run that was killed is called so, and its page says how the rest is measured', async () => {
    const suite = storeRun(join(cwd, 'results'), 'killed', '2026-11-20T15:45:00Z');
    const journal = join(suite, 'killed', 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    writeFileSync(journal, `${lines.slice(0, -1).join('\n')}\n`);
    await openPage(browser, `${viewer.url}/suites/image-variants/`, {}, async (page) => {
      expect(await page.getByText('killed', { exact: true }).first().isVisible()).toBe(true);
      await page.goto(`${viewer.url}/runs/image-variants/killed/`);
      expect(await page.locator('code').first().textContent()).toBe(
        'retake run --resume results/image-variants/killed',
      );
    });
  });

  it('a list asks for nothing while nobody sees it, says when the viewer does not answer, and goes on once it does', async () => {
    const own = await serveViewer([], cwd);
    await openPage(browser, viewer.url, {}, async (page, { complaints, requests }) => {
      await page.addInitScript('Object.defineProperty(document, "hidden", { get: () => window.unseen === true })');
      await page.goto(`${own.url}/suites/nightly/`);
      const asked = () => requests.filter((url) => url.endsWith('/suites/nightly/')).length;
      // The second look finds nothing new.
      await expect.poll(asked).toBe(3);
      expect(complaints).toEqual([]);
      await page.evaluate('window.unseen = true');
      const before = asked();
      await sleep(3500);
      expect(asked() - before).toBeLessThan(2);
      await own.close();
      await page.evaluate('window.unseen = false; document.dispatchEvent(new Event("visibilitychange")); undefined');
      const status = page.locator('#connection');
      await expect.poll(() => status.textContent()).toBe(LOST);
      const again = await serveViewer(['--port', new URL(own.url).port], cwd);
      await expect.poll(() => status.textContent()).toBe('');
      await again.close();
    });
  });
});
