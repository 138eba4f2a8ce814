import { describe, expect, it } from 'vitest';
import type { ReportSource } from '../../src/report/reporter.ts';
import { distinctTelling } from '../fixtures/distinct-images.ts';
import { once } from '../fixtures/once-for.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { ORDINARY, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

/**
 * What noisy images weigh: 11 KB as a thumbnail, 4 KB as a small one, 130 KB as a copy; told apart by their first byte.
 */
const THUMBNAIL = new Uint8Array(11_000).fill(1);
const SMALL = new Uint8Array(4000).fill(2);
const COPY = new Uint8Array(130_000).fill(3);

const thumbnails = { thumbnail: () => THUMBNAIL, smallThumbnail: () => SMALL, copy: () => COPY };

/** About 1,000 images, each of its own. */
const THOUSAND = distinctTelling({ variants: 4, prompts: 50, seeds: 5 });

const sourceOf = (telling: Telling, images: Partial<ReportSource> = thumbnails): ReportSource => ({
  ...reported(scriptedRun(telling)),
  ...images,
});

const THOUSAND_IMAGES = once(() => sourceOf(THOUSAND));

async function page(source: ReportSource) {
  const { html: text, document } = await pageOf(source);
  const urls = (selector: string): readonly string[] =>
    [...document.querySelectorAll(selector)].map((image) => image.getAttribute('src') ?? '');
  /** How many images of each size stand there. */
  const sizes = (selector: string) => {
    const count = (bytes: Uint8Array) => urls(selector).filter((url) => url === urlOf(bytes)).length;
    return { large: count(THUMBNAIL), small: count(SMALL), copies: count(COPY) };
  };
  return { text, document, sizes };
}

function urlOf(bytes: Uint8Array): string {
  return `data:image/webp;base64,${Buffer.from(bytes).toString('base64')}`;
}

describe('report.html of 1,000 distinct images', () => {
  it('report.html of 1,000 distinct images weighs less than 8 MB, with every image and with the copies of its strip', async () => {
    const { text, sizes } = await page(THOUSAND_IMAGES());
    expect(Buffer.byteLength(text)).toBeLessThan(8_000_000);
    const { small, large, copies } = sizes('#images img');
    expect(small + copies).toBeGreaterThan(950);
    expect(large).toBe(0);
    expect(sizes('.strip .image')).toEqual({ large: 0, small: 0, copies: 4 });
    expect(text).not.toContain('did not fit into this page');
  });

  it('report.html of 1,000 distinct images keeps the alternative text, the shape and the original of every image', async () => {
    const { document } = await page(THOUSAND_IMAGES());
    const images = [...document.querySelectorAll('#images .output')];
    const texts = images.map((each) => each.querySelector('img')?.getAttribute('alt') ?? '');
    expect(new Set(texts).size).toBe(images.length);
    expect(texts[0]).toBe('fox-1, standard, seed 1, take 1');
    for (const each of images) {
      expect(each.querySelector('a.original')?.getAttribute('href')).toMatch(/^media\/..\/[0-9a-f]{64}\.png$/);
      expect(each.querySelector('img')?.getAttribute('height')).toBe('576');
    }
  });

  it('report.html of 1,000 distinct images says below each with one take how long that took, and no more', async () => {
    const { document } = await page(THOUSAND_IMAGES());
    expect(document.querySelector('#images td small')?.textContent).toMatch(/^\d\.\d+ s$/);
  });
});

describe('report.html of more images than a page can hold', () => {
  it('report.html of more images than a page can hold says which are left out, and links to their originals', async () => {
    const { document, text } = await page(
      sourceOf(ORDINARY, { thumbnail: () => new Uint8Array(1_000_000), smallThumbnail: () => new Uint8Array(900_000) }),
    );
    const left = [...document.querySelectorAll('#images .output')].filter((each) =>
      each.textContent?.includes('left out of this page: too many images'),
    );
    expect(left.length).toBeGreaterThan(10);
    for (const each of left) expect(each.querySelector('a.original')).not.toBeNull();
    expect(text).toContain(`${left.length} more images did not fit into this page`);
  });
});
