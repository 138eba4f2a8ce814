import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredRun } from '../../../src/record/model/stored-run.ts';
import { html } from '../../../src/report/html/html.ts';
import { rendered } from '../../contracts/reporter.ts';
import { NO_CHROMIUM, startChromium } from '../../fixtures/chromium.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { mergedFrom } from '../../fixtures/merged-run.ts';
import { cachedRun } from '../../fixtures/probe-samples.ts';
import { illustrated, reported } from '../../fixtures/report-source.ts';
import { lateRun, openRun, sweepRun } from '../../fixtures/scripted-load.ts';
import { ATTACKED, FILMED, ORDINARY, scriptedRun, type Telling, unsentRun } from '../../fixtures/scripted-run.ts';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

/** What A4 leaves between margins of 1 cm, in CSS pixels. */
const A4 = { width: 718, height: 1000 };

/** What is wider than the page or than the frame that it stands in. */
const CUT_OFF = `[...document.querySelectorAll('main table, main svg.chart, main p, main li')]
  .filter((node) => node.checkVisibility() && node.closest('.quiet') === null)
  .filter((node) => node.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((node) => node.tagName + ' ' + node.className + ' ' + node.textContent.slice(0, 60))`;

/** Makes the outputs of strips as tall as square ones. */
const SQUARE = `for (const image of document.querySelectorAll('.strip .image')) image.style.aspectRatio = '1'`;

/** How many controls the Tab key should reach. */
const CONTROLS = `[...document.querySelectorAll('a[href], button, select, input, summary, [tabindex="0"], video[controls]')]
  .filter((node) => !node.disabled && node.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false })).length`;

/** What has the focus, and whether a reader sees so. */
const FOCUSED = `(() => {
  const node = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(node);
  const all = [...document.querySelectorAll('*')];
  return { place: node.tagName + all.indexOf(node), shown: outlineStyle !== 'none' && outlineWidth !== '0px' };
})()`;

/** Everything that a page can show, with fewer prompts. */
const SMALL = { ...ORDINARY, prompts: ORDINARY.prompts.slice(3) };

/** The record with a price for every output. */
function priced(record: StoredRun): StoredRun {
  const variants = record.run.variants.map((each) => ({ ...each, price: { per: 'output', usd: 0.012345 } as const }));
  return { ...record, run: { ...record.run, variants } };
}

/** As many cell pairs as an interval needs. */
const PAIRED: Telling = { ...ORDINARY, prompts: ORDINARY.prompts.slice(2), concurrency: 1 };

/** 40 variants of one kind; outputs of one of them are blocked. */
const FORTY: Telling = {
  ...PAIRED,
  repeats: 1,
  variants: ORDINARY.variants.slice(3).flatMap((each, at) => {
    if (at !== 2) return [each];
    return Array.from({ length: 38 }, (_, index) => ({ ...each, name: `model-${index + 1}-with-a-long-name` }));
  }),
};

/** Widths from the narrowest phone to a wide screen, and both sides of each at which the page is laid out otherwise. */
const WIDTHS = [
  320, 390, 480, 600, 736, 737, 740, 752, 765, 850, 960, 961, 1100, 1215, 1217, 1225, 1240, 1260, 1600, 2560,
];

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
        priced: reported(priced(scriptedRun(PAIRED))),
        forty: reported(priced(scriptedRun(FORTY))),
        'priced sweep': reported(priced(sweepRun())),
        open: reported(openRun()),
        sweep: reported(sweepRun()),
        late: reported(lateRun()),
        probed: reported(cachedRun()),
        merged: reported(mergedFrom(scriptedRun(ORDINARY), 3, { missing: [2] })),
        empty: reported(unsentRun(SMALL)),
        partly: await illustrated(
          scriptedRun({
            ...SMALL,
            tell: (variant, ...of) =>
              variant === 'fast-lcm'
                ? { outcome: 'error', totalMs: 90, code: 'http_500', message: 'no memory', httpStatus: 500 }
                : SMALL.tell(variant, ...of),
          }),
        ),
        nothing: reported(
          scriptedRun({
            ...SMALL,
            tell: () => ({ outcome: 'error', totalMs: 90, code: 'http_500', message: 'no memory', httpStatus: 500 }),
          }),
        ),
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

    it.each(['ordinary', 'films', 'open', 'sweep', 'late', 'probed', 'merged', 'hostile', 'empty', 'nothing'])(
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
      ['nothing', { viewport: NARROW, colorScheme: 'dark' }],
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

    it.each(['ordinary', 'compared', 'open', 'sweep', 'late', 'hostile', 'empty', 'nothing'])(
      'report.html in a browser never scrolls sideways as a whole, at any width: %s',
      async (name) => {
        await opened(name, { viewport: NARROW }, async (page) => {
          for (const width of [1216, 1000, 780, 390, 320]) {
            await page.setViewportSize({ width, height: 844 });
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
          }
        });
      },
    );

    it.each([
      ['ordinary', true],
      ['priced', false],
      ['forty', false],
      ['priced sweep', false],
    ] as const)(
      'report.html in a browser never scrolls sideways with what is blocked and what outputs cost, and shows the drawing that it describes: %s',
      async (name, isDrawn) => {
        await opened(name, {}, async (page) => {
          const [heads, notes] = [page.locator('.board').first().locator('thead'), page.locator('#looks .note.fine')];
          if (!isDrawn) expect(await heads.textContent()).toContain('Cost per output');
          if (name === 'priced' || name === 'forty') expect(await heads.textContent()).toContain('Blocked');
          const isDescribed = (await notes.allTextContents()).join(' ').includes('In the drawing');
          expect(isDescribed).toBe(isDrawn);
          const seen: [number, number, boolean][] = [];
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 844 });
            const drawings = page.locator('.board tbody .ratio-line').filter({ visible: true });
            const scrolls = Number(await page.evaluate('document.documentElement.scrollWidth'));
            seen.push([width, scrolls, (await drawings.count()) > 0]);
          }
          expect(seen).toEqual(WIDTHS.map((width) => [width, width, isDescribed]));
        });
      },
    );

    it('report.html in a browser never scrolls sideways where a variant of a kind delivered nothing', async () => {
      await opened('partly', {}, async (page) => {
        expect(await page.locator('.strip .blank').count()).toBe(1);
        await page.evaluate(SQUARE);
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 844 });
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        }
      });
    });

    it('report.html in a browser is whole without script', async () => {
      await opened('ordinary', { javaScriptEnabled: false }, async (page, { complaints }) => {
        for (const id of [
          'outcome',
          'looks',
          'comparison',
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

    it('report.html in a browser prints the whole page on white, without the navigation and what only a screen can use', async () => {
      await opened('small', { colorScheme: 'dark' }, async (page) => {
        await page.emulateMedia({ media: 'print' });
        expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
        for (const selector of ['nav', 'select', 'input', '.quiet-button', 'details.every']) {
          expect(await page.locator(selector).filter({ visible: true }).count()).toBe(0);
        }
        expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
      });
    });

    it.each(['small', 'sweep', 'hostile'])(
      'report.html in a browser prints tables and charts whole, as wide as A4, with what was folded: %s',
      async (name) => {
        await opened(name, { viewport: A4 }, async (page) => {
          await page.emulateMedia({ media: 'print' });
          expect(await page.evaluate(CUT_OFF)).toEqual([]);
          expect(await page.locator('.plot.narrow').filter({ visible: true }).count()).toBe(0);
          expect(await page.locator('.board thead').first().isVisible()).toBe(true);
          for (const cause of await page.locator('#warnings dl, #comparison .fold td').all()) {
            expect(await cause.isVisible()).toBe(true);
          }
        });
      },
    );

    it('report.html in a browser sorts its tables at 390 pixels, where their heads stand above them', async () => {
      await opened('compared', { viewport: NARROW }, async (page) => {
        const board = page.locator('.board').first();
        const names = () => board.locator('.name').allTextContents();
        const before = await names();
        await board.locator('.sort', { hasText: 'Latency p50' }).click();
        const ascending = await names();
        await board.locator('.sort', { hasText: 'Latency p50' }).click();
        expect(await names()).toEqual(ascending.toReversed());
        expect([...ascending].sort()).toEqual([...before].sort());
        expect(await board.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');
      });
    });

    it('report.html in a browser reaches every control by the Tab key, and shows where the focus is', async () => {
      await opened('compared', {}, async (page) => {
        const reachable = Number(await page.evaluate(CONTROLS));
        const reached = new Set<string>();
        // Two questions to the browser for each of some hundred controls.
        for (let at = 0; at < reachable; at += 1) {
          await page.keyboard.press('Tab');
          const { place, shown } = (await page.evaluate(FOCUSED)) as { place: string; shown: boolean };
          expect([place, shown]).toEqual([place, true]);
          reached.add(place);
        }
        expect(reached.size).toBe(reachable);
      });
    });
  },
);
