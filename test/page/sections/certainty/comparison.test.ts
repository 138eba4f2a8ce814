import { describe, expect, it } from 'vitest';
import type { StoredRun } from '../../../../src/record/kept-run.ts';
import { dotsIn, linesIn } from '../../../fixtures/drawn-marks.ts';
import { pageOf } from '../../../fixtures/rendered-page.ts';
import { reported } from '../../../fixtures/report-source.ts';
import { ORDINARY, ok, scriptedRun, type Telling, timedOut } from '../../../fixtures/scripted-run.ts';

const IMAGES: Telling = { ...ORDINARY, variants: ORDINARY.variants.slice(0, 3), concurrency: 1 };

async function page(record: StoredRun) {
  const { words, document } = await pageOf(reported(record));
  return { document, textsOf: words, count: (selector: string) => document.querySelectorAll(selector).length };
}

describe('the comparison on the page', () => {
  it('the comparison on the page has a row for each variant against its baseline variant, with interval and pairs', async () => {
    const { textsOf } = await page(scriptedRun(IMAGES));
    const rows = textsOf('#comparison .chart p');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^fast 3\.\d\dx as fast \[2\.\d\d, 3\.\d\d\] +36 pairs of takes/);
  });

  it('the comparison on the page draws a dot for each block and a line at 1', async () => {
    const tell: Telling['tell'] = (variant, _, seed, repeat) => ok((variant === 'fast' ? 500 : 1000) + seed + repeat);
    const { document, textsOf } = await page(scriptedRun({ ...IMAGES, tell }));
    expect(textsOf('#comparison .chart').join(' ')).toContain('36 pairs of takes');
    expect(textsOf('#numbers .about')[0]).toContain('Hodges-Lehmann');
    const chart = document.querySelector(
      '#comparison .chart[aria-label^="Speed against the baseline variant in 72 pairs of takes"]',
    );
    expect(dotsIn(chart)).toHaveLength(72);
    expect(linesIn(chart, '[stroke-dasharray]')).toHaveLength(2);
  });

  it('the comparison on the page leaves out pairs that timed out on one side, and says how many', async () => {
    const tell: Telling['tell'] = (variant, prompt) => (variant === 'fast' && prompt === 'fox' ? timedOut() : ok(1000));
    const { document, textsOf } = await page(scriptedRun({ ...IMAGES, variants: IMAGES.variants.slice(0, 2), tell }));
    expect(dotsIn(document.querySelector('#comparison .chart'))).toHaveLength(27);
    expect(textsOf('#comparison .chart').join(' ')).toContain('9 timed out');
  });

  it('the comparison on the page is left out where nothing is compared', async () => {
    const { count } = await page(scriptedRun({ ...IMAGES, variants: IMAGES.variants.slice(0, 1) }));
    expect(count('#comparison')).toBe(0);
    expect(count('nav a[href="#comparison"]')).toBe(0);
  });
});
