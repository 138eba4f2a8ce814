import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { html } from '../src/page/html.ts';
import type { ReportSource } from '../src/report/reporter.ts';
import { csv } from '../src/report/reporters/csv.ts';
import { rendered } from './contracts/reporter.ts';
import { describeInBrowser } from './fixtures/opened-page.ts';
import { illustrated } from './fixtures/report-source.ts';
import { ORDINARY, scriptedRun } from './fixtures/scripted-run.ts';

const FILES = ['report.html', 'samples.csv', 'measures.csv', 'verdict.json', 'summary.md'] as const;

/** Git stores files deflated. */
const MOST_BYTES = 1_500_000;

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../results/example/${name}`, import.meta.url));
}

const read = (name: string): string => readFileSync(pathOf(name), 'utf8');

/** What is written today, of another run with comparisons and images. */
async function today(): Promise<ReportSource> {
  return await illustrated(scriptedRun({ ...ORDINARY, concurrency: 1 }));
}

function sectionsOf(page: string): readonly string[] {
  return [...parseHTML(page).document.querySelectorAll('main section[id]')].map(({ id }) => id);
}

describe('the example report', () => {
  it('the example report has every file, small enough for the repository, and README leads to it', () => {
    const sizes = FILES.map((name) => gzipSync(readFileSync(pathOf(name))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    for (const [, linked = ''] of readme.matchAll(/\]\(results\/example\/([^)]+)\)/g)) {
      expect(existsSync(pathOf(linked))).toBe(true);
    }
    expect(readme).toContain('](results/example/report.html)');
  });

  it('the example report names no path of the machine that made it', () => {
    for (const name of FILES) {
      const text = read(name).replace(/data:[^"]*/g, '');
      expect(text).not.toMatch(/\/(home|root|tmp|Users|work)\//);
    }
  });

  it('the example report has the columns, the sections and the verdict format of today; else: npm run example', async () => {
    const source = await today();
    const tables = await rendered(csv, source);
    for (const name of ['samples.csv', 'measures.csv']) {
      expect(read(name).split('\n')[0]).toBe(tables.get(name)?.split('\n')[0]);
    }
    expect(JSON.parse(read('verdict.json'))).toMatchObject({ format: 1, verdict: 'pass', complete: true });
    const page = (await rendered(html, source)).get('report.html') ?? '';
    // A run without warnings or failures has no section of them.
    const expected = sectionsOf(page).filter((id) => !['warnings', 'failures'].includes(id));
    expect(sectionsOf(read('report.html'))).toEqual(expect.arrayContaining(expected));
  });

  it('the example report is fit for use: no warning stands above its verdict', () => {
    expect(parseHTML(read('report.html')).document.querySelectorAll('.warnings.unfit')).toHaveLength(0);
    expect(read('summary.md')).not.toContain('could not keep up');
  });
});

describeInBrowser('the example report in a browser', (open) => {
  it('the example report opens in a browser without a complaint, with every image it shows', async () => {
    await open(pathToFileURL(pathOf('report.html')).href, {}, async (page, heard) => {
      await page.evaluate('for (const image of document.images) image.loading = "eager"');
      await page.evaluate('Promise.all([...document.images].filter((i) => i.src !== "").map((i) => i.decode()))');
      const shown: number = await page.evaluate('[...document.images].filter((i) => i.naturalWidth > 0).length');
      const missing: number = await page.evaluate(
        '[...document.images].filter((i) => i.src !== "" && i.naturalWidth === 0).length',
      );
      expect(shown).toBeGreaterThan(20);
      expect(missing).toBe(0);
      expect(heard.complaints).toEqual([]);
      expect(heard.requests.filter((url) => !url.startsWith('data:') && !url.startsWith('file:'))).toEqual([]);
    });
  });
});
