import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { CARD, cardPage } from '../../src/page/still-pages.ts';
import type { ReportSource } from '../../src/report/reporter.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { likened } from '../fixtures/likened-run.ts';
import { describeInBrowser } from '../fixtures/opened-page.ts';
import { illustrated, reported } from '../fixtures/report-source.ts';
import { lateRun, openRun, sweepRun } from '../fixtures/scripted-load.ts';
import { ATTACKED, FILMED, failed, ORDINARY, scriptedRun, unsentRun } from '../fixtures/scripted-run.ts';
import { mergedFrom } from '../fixtures/stored-suite.ts';

const LONE = { ...ORDINARY, variants: ORDINARY.variants.slice(0, 1) };

/** Three variants stand on a card: the baseline variant and two others. */
const FORTY = {
  ...ORDINARY,
  repeats: 1,
  variants: ORDINARY.variants.slice(3).flatMap((each, at) => {
    if (at !== 2) return [each];
    return Array.from({ length: 38 }, (_, index) => ({ ...each, name: `model-${index + 1}-with-a-long-name` }));
  }),
};

const LATE = failed('http_500', 'no memory', 500);

/** How many images, and words of the card that must be there. */
const CARDS: Readonly<Record<string, readonly [() => Promise<ReportSource>, number, readonly (string | RegExp)[]]>> = {
  likened: [likened, 3, ['another picture', 'fast-lcm', 'market, seed 2']],
  'two kinds': [() => illustrated(scriptedRun(ORDINARY)), 3, [/as fast/, 'Text to image, 1 more kind']],
  videos: [() => illustrated(scriptedRun(FILMED)), 2, ['fast']],
  'a lone variant': [() => illustrated(scriptedRun(LONE)), 3, [/standard takes/, 'lighthouse, seed 1']],
  'forty variants': [() => illustrated(scriptedRun(FORTY)), 3, ['37 more variants']],
  'no images': [async () => reported(scriptedRun(ORDINARY)), 0, [/as fast/]],
  'open load': [async () => reported(openRun()), 0, [/Speed is not compared/]],
  'a sweep': [async () => reported(sweepRun()), 0, [/concurrency 2/]],
  'late timestamps': [async () => reported(lateRun()), 0, [/as fast/]],
  'an incomplete run': [
    () => illustrated(mergedFrom(scriptedRun(ORDINARY), 3, { missing: [2] })),
    3,
    ['Incomplete', 'have no result'],
  ],
  'nothing delivered': [
    async () => reported(scriptedRun({ ...ORDINARY, tell: () => LATE })),
    0,
    ['Nothing delivered', 'no memory'],
  ],
  'nothing sent': [async () => reported(unsentRun(ORDINARY)), 0, ['Incomplete']],
  'hostile text': [() => illustrated(scriptedRun(ATTACKED)), 3, ['<script>']],
};

/** What reaches over the card or over what it stands in, and type that cannot be read at half size. */
const FAULTS = `[...document.querySelectorAll('.card *')].flatMap((node) => {
  if (!node.checkVisibility()) return [];
  const { bottom, right } = node.getBoundingClientRect();
  const style = getComputedStyle(node);
  const says = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== '');
  return [
    ...(bottom > 631 || (right > 1201 && node.closest('.trouble, .where, .run-head, figcaption') === null) ? ['beyond the card: ' + node.className] : []),
    ...(says && parseFloat(style.fontSize) < 22 ? ['small: ' + node.textContent] : []),
  ];
})`;

describeInBrowser('the card of a report', (open) => {
  const folder = freshFolder();

  it.each(Object.entries(CARDS))(
    'the card of a report shows verdict, sentences and images within 1,200 x 630 pixels, in type for half its size: %s',
    async (_, [source, images, words]) => {
      const file = join(folder, 'card.html');
      writeFileSync(file, [...cardPage(await source())].join(''));
      await open(pathToFileURL(file).href, { viewport: CARD }, async (page, { complaints, requests }) => {
        expect(await page.evaluate(FAULTS)).toEqual([]);
        const text = await page.innerText('body');
        for (const each of words) expect(text).toMatch(each);
        const heights: number[] = await page.$$eval('.strip .image', (all) =>
          all.map((image) => image.getBoundingClientRect().height),
        );
        expect(heights).toHaveLength(images);
        for (const height of heights) expect(height).toBeGreaterThan(140);
        expect(complaints).toEqual([]);
        expect(requests.filter((url) => url !== 'data:')).toEqual([page.url()]);
      });
    },
  );
});
