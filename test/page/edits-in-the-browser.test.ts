import sharp from 'sharp';
import { expect, it } from 'vitest';
import { violationsOf } from '../fixtures/opened-page.ts';
import { describeReports, pageOf } from '../fixtures/rendered-page.ts';
import { illustrated } from '../fixtures/report-source.ts';
import { ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const input = (role: 'image' | 'mask', letter: string) =>
  ({ role, sha256: letter.repeat(64), mime: 'image/png', bytes: 9, width: 64, height: 36 }) as const;
const [FOX, HAT, MASK] = [input('image', 'a'), input('image', 'b'), input('mask', 'c')];

function edits(variants: number): Telling {
  return {
    ...ORDINARY,
    variants: ORDINARY.variants.slice(0, 1).flatMap((first) =>
      Array.from({ length: variants }, (_, at) => ({
        ...first,
        name: `model-${at}`,
        kind: 'image-edit' as const,
        baseline: at === 0,
      })),
    ),
    prompts: ORDINARY.prompts.slice(0, 2).map((prompt, at) => ({
      ...prompt,
      kinds: ['image-edit'],
      media: at === 0 ? [FOX, HAT, MASK] : [FOX],
    })),
    seeds: [1, 2],
    repeats: 1,
    tell: () => ok(500),
  };
}

/** With thumbnails of the inputs; the mask is light in its right half. */
async function sourceOf(variants: number) {
  const source = await illustrated(scriptedRun(edits(variants)));
  const flat = sharp({ create: { width: 64, height: 36, channels: 3, background: 'teal' } });
  const light = await sharp({ create: { width: 32, height: 36, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  const black = sharp({ create: { width: 64, height: 36, channels: 3, background: 'black' } });
  const shown = new Map<string, Uint8Array>([
    [FOX.sha256, await flat.clone().webp().toBuffer()],
    [HAT.sha256, await flat.clone().negate().webp().toBuffer()],
    [
      MASK.sha256,
      await black
        .composite([{ input: light, left: 32, top: 0 }])
        .webp()
        .toBuffer(),
    ],
  ]);
  const facts = new Map([FOX, HAT, MASK].map((file) => [file.sha256, { ...file, video: null }]));
  return {
    ...source,
    isBeside: () => false,
    keptFact: (sha256: string) => facts.get(sha256) ?? null,
    thumbnail: (sha256: string) => shown.get(sha256) ?? source.thumbnail(sha256),
    bytesOf: (file: typeof FOX | typeof MASK) => Buffer.from(shown.get(file.sha256) ?? '').toString('base64'),
  };
}

const sources = async () => ({ edits: await sourceOf(3) });

describeReports('the page of edits in a browser', sources, (open) => {
  it('the input of 40 variants: is once in the strip and once in the sheet, each mask and further input once in the page', async () => {
    const { bytesOf, ...source } = await sourceOf(40);
    const { html, document } = await pageOf(source);
    expect([FOX, HAT, MASK].map((file) => html.split(bytesOf(file)).length - 1)).toEqual([2, 1, 1]);
    expect(document.querySelector('.strip figure')?.className).toBe('input');
    expect(document.querySelectorAll('#images td.input .outline')).toHaveLength(2);
    expect(document.querySelectorAll('#images td.input .outlined')).toHaveLength(2);
    expect(document.querySelectorAll('#images td.input .further use')).toHaveLength(2);
  });

  it('the input of an edit: is outlined where it may change, and a side of the comparison by keyboard alone', async () => {
    await open('edits.html', {}, async (page, { complaints }) => {
      expect(await page.locator('.strip figure.input').innerText()).toBe('input\noutlined: what may change');
      expect(await violationsOf(page)).toEqual([]);
      await page.locator('.strip figure.input button.pick').focus();
      await page.keyboard.press('Enter');
      const [left, right] = [
        page.getByLabel('Left image', { exact: true }),
        page.getByLabel('Right image', { exact: true }),
      ];
      await right.waitFor();
      const sides = async () => [await left.inputValue(), await right.inputValue()];
      expect(await sides()).toEqual(['input', 'model-0, seed 1, take 1']);
      expect(await page.locator('.sides .stage .outline').count()).toBe(1);
      expect(await page.locator('.between').innerText()).toContain('The input and an output made from it.');
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('ArrowRight');
      await expect.poll(sides).toEqual(['input', 'model-0, seed 2, take 1']);
      await page.keyboard.press('ArrowDown');
      await expect.poll(sides).toEqual(['input', 'model-1, seed 2, take 1']);
      // The address leads back.
      await expect.poll(() => new Set(/=(\d+)\.-1,(\d+)\.0/.exec(page.url())?.slice(1)).size).toBe(2);
      await page.reload();
      await expect.poll(sides).toEqual(['input', 'model-1, seed 2, take 1']);
      await page.keyboard.press('Escape');
      expect(await page.locator('#compare').isVisible()).toBe(false);
      // The second prompt has no mask.
      await page.locator('.strip select').selectOption({ index: 2 });
      expect(await page.locator('.strip figure.input').innerText()).toBe('input');
      expect(complaints).toEqual([]);
    });
  });
});
