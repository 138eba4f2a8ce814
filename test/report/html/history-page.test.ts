import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseHTML } from 'linkedom';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { trendOf } from '../../../src/compare/history/trend.ts';
import type { HistoryLine } from '../../../src/record/model/history-line.ts';
import { historyPage } from '../../../src/report/html/history-page.ts';
import { NO_CHROMIUM, startChromium } from '../../fixtures/chromium.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { nightLine, twoVariants } from '../../fixtures/history-lines.ts';

function page(lines: readonly HistoryLine[], reportOf: (run: string) => string | null = () => null): string {
  const trend = trendOf('nightly', lines, { metrics: METRICS, baseFrom: null });
  return [...historyPage({ trend, reportOf })].join('');
}

function read(text: string) {
  const { document } = parseHTML(text);
  const all = (selector: string): readonly string[] =>
    [...document.querySelectorAll(selector)].map((node) => (node.textContent ?? '').replace(/\s+/g, ' ').trim());
  return { document, all, count: (selector: string) => document.querySelectorAll(selector).length };
}

/** Fourteen nights; `fast` is slower from the eleventh on, whose run failed its gate, and one run is incomplete. */
const NIGHTS: readonly HistoryLine[] = [
  ...twoVariants(14, 10).map((line, night): HistoryLine => (night === 10 ? { ...line, verdict: 'fail' } : line)),
  nightLine(14, { fast: { cellsMs: [1] } }, { complete: false, verdict: 'inconclusive' }),
];

describe('history.html', () => {
  it('history.html says what changed, with which run, and what is left out', () => {
    const { all } = read(page(NIGHTS));
    const [change] = all('#overview .results li');
    expect(change).toMatch(/^Worse latency\.total of fast rose to 1\.\d\dx .* with run night-10, the 11th of 14\.$/);
    expect(all('#overview summary')).toEqual(['1 change of other metrics']);
    expect(all('#overview .note')).toEqual(['Left out of fast: 1 incomplete run (night-14).']);
  });

  it('history.html draws each variant, names the drawing, and has every number as a table behind it', () => {
    const { all, count, document } = read(page(NIGHTS));
    const [standard, fast] = [...document.querySelectorAll('.variant')];
    const figure = fast?.querySelector('svg.chart');
    expect(figure?.getAttribute('role')).toBe('img');
    expect(figure?.getAttribute('aria-label')).toBe(
      'fast: latency.total, error_rate of 14 runs; the numbers are in the table below',
    );
    expect(figure?.textContent).toMatch(/1\.\d\dx/);
    expect(standard?.querySelectorAll('details').length).toBe(1);
    expect(fast?.querySelectorAll('details').length).toBe(2);
    expect(all('.variant:last-child table thead th')).toEqual([
      'Run',
      'latency.total',
      'latency.download',
      'error_rate',
    ]);
    expect(count('.variant:last-child tbody tr')).toBe(14);
    expect(all('.variant:last-child tbody tr:nth-child(4) td')[0]).toMatch(/^1\.\d\d s 1\.\d\dx$/);
  });

  it('history.html lists every run with its verdict, the latest first, and links to the reports that are there', () => {
    const text = page(NIGHTS, (run) => (run === 'night-10' ? 'night-10/report.html' : null));
    const { all, document } = read(text);
    const rows = all('#runs tbody tr');
    expect(rows).toHaveLength(15);
    expect(rows[0]).toMatch(/^night-14 ?2026-01-15 00:00 UTC ?incomplete ?inconclusive$/);
    expect(rows[4]).toMatch(/^night-10 ?2026-01-11 00:00 UTC ?complete ?failed$/);
    const links = [...document.querySelectorAll('#runs a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(['night-10/report.html']);
  });

  it('history.html has its sections in the table of contents, one for each kind', () => {
    const { document } = read(page(NIGHTS));
    const sections = [...document.querySelectorAll('main > section')].map(({ id }) => id);
    expect(sections).toEqual(['overview', 'text-to-image', 'runs', 'method']);
    const links = [...document.querySelectorAll('nav a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(sections.map((id) => `#${id}`));
  });

  it('history.html has a policy that allows its style sheet and nothing else', () => {
    const { document } = read(page(NIGHTS));
    const style = document.querySelector('style')?.textContent ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    expect(document.querySelector('meta[http-equiv]')?.getAttribute('content')).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`,
    );
    expect(document.querySelectorAll('script').length).toBe(0);
  });

  it('history.html is the same for the same history, whatever the order of its lines', () => {
    expect(page(NIGHTS.toReversed())).toBe(page(NIGHTS));
  });

  it('history.html shows hostile names as text', () => {
    const hostile = '<script>alert(1)</script>';
    const text = page([nightLine(0, { [hostile]: { cellsMs: [1] } }, { run: '"><img src=x>' })]);
    expect(read(text).count('script, img')).toBe(0);
    expect(text).toContain('&lt;script&gt;');
  });

  it('history.html of runs without a series says why', () => {
    const { all } = read(page(twoVariants(2, Infinity).map((line) => ({ ...line, complete: false }))));
    expect(all('#overview .empty')).toEqual(['No complete run has a value to follow; a sweep has none.']);
    expect(all('.variant .empty')).toHaveLength(2);
  });

  it('history.html of a year of nights stays below 2 MB, and draws lines without a dot for each run', () => {
    const text = page(twoVariants(365, 300));
    expect(text.length).toBeLessThan(2_000_000);
    expect(read(text).count('.variant:first-of-type .plot.wide circle')).toBeLessThan(10);
    expect(text).toContain('run night-300, the 301st of 365');
  });
});

// The reporter's short form hides the reason of a skip.
if (NO_CHROMIUM !== null) console.warn(`skipped: ${NO_CHROMIUM}`);

describe.skipIf(NO_CHROMIUM !== null)('history.html in a browser', () => {
  let browser: Browser;
  let url: string;
  let axe: string;

  beforeAll(async () => {
    browser = await startChromium();
    const file = join(freshFolder(), 'history.html');
    writeFileSync(file, page(NIGHTS));
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
});
