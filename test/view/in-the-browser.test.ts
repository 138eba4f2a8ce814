import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { goldenVideo } from '../fixtures/golden-video.ts';
import { once } from '../fixtures/once-for.ts';
import { coloursWrongIn, describeInBrowser, violationsOf } from '../fixtures/opened-page.ts';
import { retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';
import { ATTACKED } from '../fixtures/scripted-run.ts';
import { storeChange, storeRun, storeShown } from '../fixtures/stored-suite.ts';
import { ask, type ServedViewer, serveViewer } from '../fixtures/viewer-process.ts';

const suiteOf = (name: string, url: string) => `suite: 1
name: ${name}
variants:
  fast: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${url}' }
  other: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${url}' }
prompts:
  - { id: fox, text: A red fox in snow }
  - { id: barn, text: A barn in the rain }
seeds: [1]
repeats: 2
load: { warmup: 0, concurrency: 1 }
probes: []
gate: []
reports: [csv]
`;

/** Whether the one image or video of a page has come. */
const READY = `(() => {
  const [media] = document.querySelectorAll('img, video');
  return media instanceof HTMLVideoElement ? media.videoWidth > 0 : media?.naturalWidth > 0;
})()`;

describeInBrowser('retake view in a browser', (open) => {
  let service: ServedService;
  let viewer: ServedViewer;
  let cwd: string;
  /** What is wrong with the page of a file that is opened by itself; nothing where its media is shown. */
  const openedAlone = async (path: string): Promise<readonly string[]> => {
    const complaints: string[] = [];
    await open(viewer.url + path, {}, async (page, heard) => {
      await expect.poll(() => page.evaluate(READY)).toBe(true);
      complaints.push(...heard.complaints);
    });
    return complaints;
  };
  const changed = once(() => storeChange(join(cwd, 'results')));
  const measure = (suite: string, run: string) => ['run', `${suite}.yaml`, '--run', run, '--quiet', '--yes'];

  beforeAll(async () => {
    service = await serveHere(['latency: { lognormal: { median: 150ms, sigma: 0.05 } }']);
    cwd = freshFolder();
    mkdirSync(join(cwd, 'results'));
    for (const name of ['nightly', 'other']) writeFileSync(join(cwd, `${name}.yaml`), suiteOf(name, service.url));
    for (const run of ['first', 'second']) {
      const { code, stderr } = await retakeHere(measure('nightly', run), cwd, service.env);
      if (code !== 0) throw new Error(stderr);
    }
    viewer = await serveViewer([], cwd);
  });

  afterAll(async () => {
    await viewer?.close();
    await service?.close();
  });

  const PAGES = [
    '/',
    '/suites/nightly/history.html',
    '/compare?run=nightly%2Ffirst&run=nightly%2Fsecond',
    '/runs/nightly/first/report.html',
    '/nothing',
  ];

  const complaintsOf = (path: string, complaints: readonly string[]) =>
    complaints.filter((text) => path !== '/nothing' || !text.includes('404'));

  it('the pages of the viewer fit their screen and complain about nothing, wide and light, narrow and dark, and pass axe-core where the tests of their sections do not see to it', async () => {
    await open('about:blank', {}, async (page, { complaints, requests }) => {
      for (const path of PAGES) {
        await page.goto(viewer.url + path);
        await expectFits(page, path === '/' || path.startsWith('/compare') ? ':root' : null);
        expect([path, complaintsOf(path, complaints.splice(0))]).toEqual([path, []]);
      }
      expect(requests.filter((url) => !/^(data|about):/.test(url) && !url.startsWith(viewer.url))).toEqual([]);
    });
  });

  it('the list, the trend and the comparison are whole without script', async () => {
    await open(viewer.url, { own: { javaScriptEnabled: false } }, async (page, { complaints }) => {
      for (const path of PAGES.slice(0, 3)) {
        await page.goto(viewer.url + path);
        expect(await page.locator('h1').isVisible()).toBe(true);
        expect(complaintsOf(path, complaints.splice(0))).toEqual([]);
      }
    });
  });

  it('the list leads to a report with its images, which leads back to it, to the trend, and to its runs', async () => {
    await open(viewer.url, {}, async (page, { complaints }) => {
      await page.getByRole('link', { name: 'second', exact: true }).click();
      await page.waitForURL(`${viewer.url}/runs/nightly/second/report.html`);
      await page.locator('main img').first().scrollIntoViewIfNeeded();
      await expect.poll(() => page.evaluate('document.querySelector("main img").naturalWidth')).toBeGreaterThan(0);
      const links = page.getByRole('navigation').getByRole('link');
      const titles = ['All runs', 'nightly', 'Trend', 'Report'];
      expect((await links.allTextContents()).slice(0, 4)).toEqual(titles);
      await links.getByText('Trend').click();
      await page.waitForURL(`${viewer.url}/suites/nightly/history.html`);
      await links.getByText('nightly').click();
      await page.waitForURL(`${viewer.url}/?find=nightly`);
      expect(await page.getByRole('searchbox').inputValue()).toBe('nightly');
      expect(complaints).toEqual([]);
    });
  });

  it("a report and the list tell times in the reader's time zone, and UTC in their hint", async () => {
    storeRun(join(cwd, 'results'), 'told', '2026-11-20T15:45:00.000Z', { examined: true });
    await open(viewer.url, { own: { timezoneId: 'Asia/Tokyo' } }, async (page, { complaints }) => {
      for (const path of ['/runs/image-variants/told/report.html', '/?find=told']) {
        await page.goto(viewer.url + path);
        const time = page.locator('main section time:visible, .run-head time').first();
        expect([await time.textContent(), await time.getAttribute('title')]).toEqual([
          '2026-11-21 00:45',
          '2026-11-20 15:45 UTC',
        ]);
      }
      expect(complaints).toEqual([]);
    });
    rmSync(join(cwd, 'results', 'image-variants'), { recursive: true });
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

  it('a run that is being measured is in progress on the list and on its page, and has its answer in the end', async () => {
    const measured = retakeHere(measure('other', 'now'), cwd, service.env);
    const textOf = async (path: string) => (await ask(viewer.url, path)).body;
    await expect.poll(() => textOf('/runs/other/now/'), { interval: 200 }).toMatch(/[1-7] of 8 requests ended/);
    expect(await textOf('/')).toContain('In progress');
    expect((await measured).code).toBe(0);
    await expect.poll(() => textOf('/')).not.toContain('In progress');
    expect(await textOf('/')).toMatch(/other\/now.*No gate<.*Is it worth it\?<\/b> /);
    rmSync(join(cwd, 'results', 'other'), { recursive: true });
  });

  it('the list finds runs by parts of what their rows say, keeps that in its address, and is sorted by its heads', async () => {
    await open(viewer.url, {}, async (page, { complaints }) => {
      const names = () => page.locator('.all-runs .name:visible').allTextContents();
      expect(await names()).toEqual(['second', 'first']);
      await page.getByRole('searchbox').fill('nightly SECO');
      expect([await names(), await page.locator('#found').textContent()]).toEqual([['second'], '1 of 2 found']);
      await page.reload();
      expect(await names()).toEqual(['second']);
      await page.getByRole('searchbox').fill('');
      expect(page.url()).toBe(`${viewer.url}/`);
      for (const order of [
        ['first', 'second'],
        ['second', 'first'],
      ]) {
        await page.getByRole('button', { name: 'Run', exact: true }).click();
        expect(await names()).toEqual(order);
      }
      expect(complaints).toEqual([]);
    });
  });

  it('two runs that are chosen are compared: in the rows that retake compare prints, equal outputs folded', async () => {
    await open(viewer.url, { own: { javaScriptEnabled: false } }, async (page) => {
      for (const run of ['first', 'second']) await page.getByRole('checkbox', { name: run, exact: false }).check();
      await page.getByRole('button', { name: 'Compare two chosen runs' }).click();
      expect(await page.locator('h1').textContent()).toBe('second against first');
    });
    await open(viewer.url, {}, async (page, { complaints }) => {
      for (const run of ['second', 'first']) {
        await page.getByRole('checkbox', { name: `Compare ${run}` }).focus();
        await page.keyboard.press('Space');
      }
      await page.getByRole('button', { name: 'Compare two chosen runs' }).press('Enter');
      expect(await page.locator('h1').textContent()).toBe('second against first');
      expect(await page.locator('#outputs-title').textContent()).toBe('All 4 outputs are equal');
      await page.getByText('4 equal outputs').click();
      const source = await page.locator('.equal-pairs img').first().getAttribute('src');
      expect(source).toMatch(/^\/runs\/nightly\/first\/thumbs\//);
      const { stdout } = await retakeHere(['compare', 'results/nightly/first', 'results/nightly/second'], cwd);
      const printed = stdout.replaceAll(/\s+/g, ' ');
      const rows = await page.locator('#numbers tbody tr').all();
      expect(rows).toHaveLength(6);
      for (const row of rows) {
        const [variant, ...values] = await row
          .locator('th, td')
          .evaluateAll((cells) => cells.map((cell) => cell.firstChild?.textContent ?? ''));
        const line = values.filter((value) => value !== '').join(' ');
        expect(printed).toContain(`${variant} ${line}`.replaceAll(/\s+/g, ' '));
      }
      for (const note of await page.locator('#notes li').allTextContents())
        expect(printed).toContain(note.replace(/\.$/, ''));
      expect(complaints).toEqual([]);
    });
  });

  it('outputs of two runs open in the compare view, with both originals, how alike they are, and an address to pass on', async () => {
    await changed();
    const address = `${viewer.url}/compare?run=changed%2Fbefore&run=changed%2Fafter`;
    const dialog = '#compare[open]';
    await open(address, {}, async (page, { complaints, requests }) => {
      await page.locator('button.pick').nth(1).click();
      const captions = page.locator(`${dialog} figcaption`).filter({ hasText: 'Shown: the original' });
      await expect.poll(() => captions.count()).toBe(2);
      const names = await page
        .locator(`${dialog} .sides select`)
        .evaluateAll((all) => all.map((each) => (each as HTMLSelectElement).selectedOptions[0]?.textContent));
      expect(names).toEqual(['before, seed 1, take 1', 'after, seed 1, take 1']);
      const between = page.locator(`${dialog} .between`);
      const said = /^Two runs: visually similar; largest difference 8 of 255, PSNR [\d.]+ dB, SSIM 0\.\d+.* quality\.$/;
      await expect.poll(() => between.textContent()).toMatch(said);
      expect(requests.filter((url) => /\/before\/media\//.test(url))).not.toEqual([]);
      expect(await violationsOf(page, '#compare')).toEqual([]);
      await page.locator('.views label', { hasText: 'Difference' }).click();
      await expect.poll(() => page.url()).toMatch(/#compare\?outputs=0\.0,1\.0&view=difference$/);
      expect(await between.textContent()).toMatch(said);
      const link = page.url();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.url()).toBe(address);
      await page.goto(link);
      await expect.poll(() => page.locator(`${dialog} canvas`).count()).toBe(1);
      expect(complaints).toEqual([]);
    });
  });

  it('retake compare --html writes one file: what changed, the difference with its key, and no request', async () => {
    await changed();
    const path = join(cwd, 'two.html');
    const runs = ['results/changed/before', 'results/changed/after'];
    const { code, stdout } = await retakeHere(['compare', ...runs, '--html', 'two.html', '--quiet'], cwd);
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, path]);
    await open(`file://${path}`, {}, async (page, heard) => {
      expect(await page.locator('h1').textContent()).toBe('after against before');
      expect(await page.locator('#outputs-title').textContent()).toBe('1 of 2 outputs changed');
      expect(await page.locator('article:has(.difference) figcaption').allTextContents()).toEqual([
        'earlier: before',
        'later: after',
        expect.stringMatching(/^difference 0 .*64 or more of 255 levels$/),
      ]);
      expect(await page.evaluate('document.querySelector(".difference").naturalWidth')).toBeGreaterThan(0);
      expect(await page.locator('#page-data').textContent()).toContain('"Two runs: visually similar;');
      await expectFits(page, null);
      expect(heard.complaints).toEqual([]);
      expect(heard.requests.filter((url) => url !== 'data:' && !url.startsWith('file:'))).toEqual([]);
    });
  });

  it('the list shows of each run its state, its p50 beside the run before, and what changed since the stored baseline', async () => {
    const own = freshFolder();
    const results = join(own, 'results');
    mkdirSync(results);
    await storeShown(results, 'passes', 'pass', '2026-11-22T15:45:00.000Z');
    await storeShown(results, 'undecided', 'inconclusive', '2026-11-20T15:45:00.000Z');
    await storeShown(results, 'fails', 'fail', '2026-11-19T15:45:00.000Z', { isChanged: true });
    const { url, close } = await serveViewer([], own);
    const textsOf = async (page: Page, label: string) =>
      (await page.locator(`[data-label="${label}"]`).allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
    const look = async (page: Page): Promise<void> => {
      expect(await textsOf(page, 'State')).toEqual(['Gate passed', 'Gate not decided', 'Gate failed']);
      expect((await textsOf(page, 'p50'))[0]).toBe('standard 402 ms 1.00x fast 218 ms 1.04x');
      const images = page.locator('.all-runs img');
      expect(await images.evaluateAll((all) => all.map((each) => each.getAttribute('alt')))).toEqual([
        'fast, fox, seed 1, before',
        'fast, fox, seed 1, now',
      ]);
      await images.last().scrollIntoViewIfNeeded();
      const widths = '[...document.querySelectorAll(".all-runs img")].map((each) => each.naturalWidth)';
      await expect.poll(() => page.evaluate(widths)).toEqual([64, 64]);
    };
    await open(url, {}, async (page, { complaints }) => {
      await look(page);
      await expectFits(page, null);
      expect(await coloursWrongIn(page, 'main')).toEqual([]);
      expect(complaints).toEqual([]);
      await page.getByRole('button', { name: 'State' }).click();
      expect(await textsOf(page, 'State')).toEqual(['Gate failed', 'Gate not decided', 'Gate passed']);
      await page.getByRole('img', { name: 'fast, fox, seed 1, now' }).click();
      await page.waitForURL(`${url}/runs/fails/last/report.html`);
      await page.goto(url);
      await page.getByRole('searchbox').focus();
      const passed: string[] = [];
      for (const _ of Array.from({ length: 9 })) {
        await page.keyboard.press('Tab');
        passed.push(await page.evaluate('document.activeElement.textContent'));
      }
      expect(passed.slice(6)).toEqual(['last', 'passes', 'trend']);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${url}/suites/passes/history.html`);
    });
    await close();
  });

  it('names and prompts that look like markup stay text', async () => {
    const telling = { ...ATTACKED, suite: 'hostile', seeds: [1] };
    storeRun(join(cwd, 'results'), 'attack', '2026-11-20T15:45:00Z', { telling });
    for (const path of ['/runs/hostile/attack/report.html', '/suites/hostile/history.html', '/']) {
      const { document } = parseHTML((await ask(viewer.url, path)).body);
      expect(document.querySelector('main')?.textContent).toContain(path === '/' ? 'hostile' : '<script>');
      expect(document.querySelectorAll('main :is(script, iframe, object, style), main [onerror]')).toHaveLength(0);
    }
  });
});

/** Wide and light, then narrow and dark: nothing is wider than the screen, and axe finds nothing in the part. */
async function expectFits(page: Page, part: string | null): Promise<void> {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    // A narrow screen shows all that a wide one does.
    if (part !== null) expect(await (width === 390 ? violationsOf : coloursWrongIn)(page, part)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
}
