import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { coloursWrongIn, violationsOf } from '../fixtures/opened-page.ts';
import { cachedRun } from '../fixtures/probe-samples.ts';
import { describeReports } from '../fixtures/rendered-page.ts';
import { illustrated, reported } from '../fixtures/report-source.ts';
import { commandScorer, fileScorer, scored } from '../fixtures/scored-run.ts';
import { lateRun, sweepRun } from '../fixtures/scripted-load.ts';
import { ATTACKED, chance, FILMED, failed, ORDINARY, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';
import { mergedFrom } from '../fixtures/stored-suite.ts';

/** What A4 leaves between margins of 1 cm, in CSS pixels. */
const A4 = { width: 718, height: 1000 };

/** What is wider than the page or than the frame that it stands in. */
const CUT_OFF = `[...document.querySelectorAll('main table, main .chart, main p, main li')]
  .filter((node) => node.checkVisibility() && node.closest('.quiet') === null)
  .filter((node) => node.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((node) => node.tagName + ' ' + node.className + ' ' + node.textContent.slice(0, 60))`;

/** Makes the outputs of strips as tall as square ones. */
const SQUARE = `for (const image of document.querySelectorAll('.strip .image')) image.style.aspectRatio = '1'`;

/** The sizes of all type that is shown. */
const TYPE_SIZES = `(() => {
  const sizes = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: element } = texts.currentNode;
    if (data.trim() === '' || !element.checkVisibility({ contentVisibilityAuto: false })) continue;
    sizes.add(getComputedStyle(element).fontSize);
  }
  return [...sizes].sort();
})()`;

const UNFOLD = `for (const fold of document.querySelectorAll('details')) fold.open = true`;

/** How many controls the Tab key should reach. */
const CONTROLS = `[...document.querySelectorAll('a[href], button, select, input, summary, [tabindex="0"], video[controls]')]
  .filter((node) => !node.disabled && node.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false })).length`;

/** Notes each element that takes the focus, and whether a reader sees so. */
const NOTE_FOCUS = `window.focused = [];
addEventListener('focusin', ({ target }) => {
  const { outlineStyle, outlineWidth } = getComputedStyle(target);
  focused.push([target, outlineStyle !== 'none' && outlineWidth !== '0px']);
});`;

/** Everything that a page can show, with fewer prompts. */
const SMALL = { ...ORDINARY, prompts: ORDINARY.prompts.slice(3) };

const NO_MEMORY = failed('http_500', 'no memory', 500);

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

/** Scores of every kind: told apart and not, with a failed control, from a file that lacks some. */
function scoredRun(): StoredRun {
  const controls = (hits: number) =>
    (['blurred', 'jpeg'] as const).map((control) => ({
      control,
      found: Array.from({ length: 16 }, (_, at) => at < hits),
    }));
  const says =
    (name: string, drop: number): Parameters<typeof scored>[2] =>
    ({ trial: { variant, prompt, seed } }) => ({
      [name]: 0.3 + 0.02 * chance(variant, prompt, Number(seed)) - (variant.endsWith('lcm') ? drop : 0),
    });
  const meaning = 'How much people would like it. '.repeat(12);
  const hps = scored(scriptedRun(SMALL), commandScorer('hps', { meaning }), says('hps', 0.05), controls(16));
  const weak = scored(hps, commandScorer('weak'), says('weak', 0.1), controls(9));
  return scored(weak, fileScorer('marks-of-two-of-us', { range: [0, 1], unit: '1' }), (sample) =>
    sample.trial.seed === 3 ? null : says('marks-of-two-of-us', -0.2)(sample),
  );
}

/** Widths from the narrowest phone to a wide screen: the least at which the page is laid out otherwise, and some between. */
const WIDTHS = [1600, 1260, 1217, 1100, 961, 765, 737, 736, 390, 320];

const FEW_WIDTHS = [1217, 737, 320];

/** Pages that differ in what they show. */
const sources = async () => ({
  ordinary: await illustrated(scriptedRun(ORDINARY)),
  hostile: await illustrated(scriptedRun({ ...ATTACKED, seeds: [1] })),
  compared: reported(scriptedRun(PAIRED)),
  scored: await illustrated(scoredRun()),
  small: await illustrated(scriptedRun(SMALL)),
  films: await illustrated(scriptedRun(FILMED)),
  forty: reported(priced(scriptedRun(FORTY))),
  sweep: reported(priced(sweepRun())),
  late: reported(lateRun()),
  probed: reported(cachedRun()),
  merged: reported(mergedFrom(scriptedRun(SMALL), 3, { missing: [2] })),
  partly: await illustrated(
    scriptedRun({ ...SMALL, tell: (name, ...of) => (name === 'fast-lcm' ? NO_MEMORY : SMALL.tell(name, ...of)) }),
  ),
  nothing: reported(scriptedRun({ ...SMALL, tell: () => NO_MEMORY })),
});

describeReports('report.html in a browser', sources, (open, folder) => {
  /** Pages with parts that others lack; axe-core looks at all of the first, at what is not folded of the others. */
  const LOOKED_AT = ['scored', 'films', 'sweep', 'compared', 'nothing'];

  /** Where outputs cost something, or are blocked: the widest tables. */
  const PRICED = ['sweep', 'forty'];

  /** Where the first screen, the height and the sizes of type are looked at too. */
  const ILLUSTRATED = ['ordinary', 'films', 'partly'];

  it.each([...LOOKED_AT, 'ordinary', 'partly', 'late', 'probed', 'merged', 'hostile', 'forty'])(
    'report.html in a browser opens without a complaint, loads nothing, passes axe-core, never scrolls sideways, and is printed whole: %s',
    async (name) => {
      await open(`${name}.html`, { viewport: { width: 1280, height: 800 } }, async (page, { complaints, requests }) => {
        expect(await page.title()).toContain('Retake report');
        if (ILLUSTRATED.includes(name)) await expectFirstScreen(page);
        if (name === 'scored' || name === 'sweep') expect(await coloursWrongIn(page)).toEqual([]);
        const heads = await page.locator('.board thead').allTextContents();
        if (PRICED.includes(name)) expect(heads[0]).toContain('Cost per accepted output');
        if (name === 'forty') expect(heads[0]).toContain('Blocked');
        for (const width of PRICED.includes(name) ? WIDTHS : FEW_WIDTHS) {
          await page.setViewportSize({ width, height: 844 });
          expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
          if (width >= 390) expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(20_000);
        }
        await page.emulateMedia({ colorScheme: 'dark' });
        if (name === 'scored') await page.evaluate(UNFOLD);
        if (LOOKED_AT.includes(name)) expect(await violationsOf(page)).toEqual([]);
        if (name === 'scored') await page.evaluate(UNFOLD.replace('true', 'false'));
        if (['scored', 'sweep', 'hostile', 'forty'].includes(name)) await expectPrinted(page);
        if (ILLUSTRATED.includes(name)) {
          // Where a variant of a kind delivered nothing, its place is as tall as the images beside it.
          expect(await page.locator('.strip .blank').count()).toBe(name === 'partly' ? 1 : 0);
          await page.evaluate(SQUARE);
          for (const width of [1280, 390]) {
            await page.setViewportSize({ width, height: 844 });
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
          }
        }
        expect(complaints).toEqual([]);
        expect(requests.filter((url) => url !== 'data:')).toEqual([page.url()]);
      });
    },
  );

  it('report.html in a browser does not run a script, a handler or a style that was slipped in', async () => {
    const text = await readFile(join(folder, 'small.html'), 'utf8');
    const slipped =
      '<script>document.title = "broken"</script><button id="slipped" onclick="document.title = \'broken\'">x</button><style>h1 { display: none }</style>';
    await writeFile(join(folder, 'slipped.html'), text.replace('</main>', `${slipped}</main>`));
    await open('slipped.html', {}, async (page, { complaints }) => {
      await page.locator('#slipped').click();
      expect(await page.title()).not.toBe('broken');
      expect(await page.locator('h1').isVisible()).toBe(true);
      expect(complaints.length).toBeGreaterThanOrEqual(3);
      for (const complaint of complaints) expect(complaint).toContain('Content Security Policy');
    });
  });

  it('report.html in a browser is whole without script', async () => {
    await open('ordinary.html', { own: { javaScriptEnabled: false } }, async (page, { complaints }) => {
      const ids = 'outcome looks comparison latency timings timeline same-output images failures method';
      for (const id of ids.split(' ')) {
        expect(await page.locator(`#${id}`).isVisible()).toBe(true);
      }
      const image = await page.locator('#images .image').first().boundingBox();
      expect(image?.width).toBeGreaterThan(150);
      expect(await page.locator('button').filter({ visible: true }).count()).toBe(0);
      expect(complaints).toEqual([]);
    });
  });

  it('report.html in a browser reaches every control by the Tab key, and shows where the focus is', async () => {
    await open('small.html', {}, async (page) => {
      await page.evaluate(NOTE_FOCUS);
      const reachable = Number(await page.evaluate(CONTROLS));
      for (let at = 0; at < reachable; at += 1) await page.keyboard.press('Tab');
      expect(
        await page.evaluate('focused.filter(([, isShown]) => !isShown).map(([{ outerHTML }]) => outerHTML)'),
      ).toEqual([]);
      expect(await page.evaluate('new Set(focused.map(([target]) => target)).size')).toBe(reachable);
    });
  });
});

/** The first images whole on the first screen, at most 11,000 pixels and at most seven sizes of type. */
async function expectFirstScreen(page: Page): Promise<void> {
  const image = page.locator('main .image').filter({ visible: true }).first();
  const box = await image.boundingBox();
  expect((box?.y ?? 800) + (box?.height ?? 800)).toBeLessThanOrEqual(800);
  expect(box?.height).toBeGreaterThan(150);
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(11_000);
  const sizes: readonly string[] = await page.evaluate(TYPE_SIZES);
  expect(sizes.length).toBeGreaterThan(3);
  // In tables of contents, titles and folded parts too.
  await page.evaluate(UNFOLD);
  expect((await page.evaluate<readonly string[]>(TYPE_SIZES)).length).toBeLessThanOrEqual(7);
  await page.evaluate(UNFOLD.replace('true', 'false'));
}

/** Tables and charts on white and as wide as A4, with what was folded and without what only a screen can use. */
async function expectPrinted(page: Page): Promise<void> {
  await page.setViewportSize(A4);
  await page.emulateMedia({ media: 'print' });
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  expect(await page.evaluate(CUT_OFF)).toEqual([]);
  expect(await page.locator('nav:not(.kinds), select, input').filter({ visible: true }).count()).toBe(0);
  expect(await page.locator('.board thead').first().isVisible()).toBe(true);
  const folded = page.locator('#warnings li:not([data-kind=anime-image]) > details > dl');
  expect(await folded.filter({ visible: false }).count()).toBe(0);
}
