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
          'outcome',
          'looks',
          'comparison',
          'latency',
          'timings',
          'timeline',
          'numbers',
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
