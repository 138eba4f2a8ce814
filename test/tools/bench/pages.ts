import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { html } from '../../../src/page/html.ts';
import type { ReportSource } from '../../../src/report/reporter.ts';
import { NO_CHROMIUM, startChromium } from '../../fixtures/chromium.ts';
import { distinctTelling } from '../../fixtures/distinct-images.ts';
import { reported } from '../../fixtures/report-source.ts';
import { largeTelling, scriptedRun, type Telling } from '../../fixtures/scripted-run.ts';
import { medianOf, type Row } from './figures.ts';
import { noisyImages, type SmallImages } from './page-images.ts';
import { scratchFolder } from './scratch.ts';

const ROUNDS = 5;

/** Images made; outputs share them, though each stands in the page for itself. */
const IMAGES = 64;

interface BenchPage {
  readonly what: string;
  readonly telling: Telling;
  readonly bar: string;
}

const PAGES: readonly BenchPage[] = [
  {
    what: 'page of 1,000 distinct noisy images',
    telling: distinctTelling({ variants: 4, prompts: 50, seeds: 5 }),
    bar: '<= 8 MB, answers a click within 1 s',
  },
  { what: 'page of 10,000 samples with such images', telling: largeTelling(10_000), bar: 'answers a click within 3 s' },
  {
    what: 'page of 40 variants and 200 prompts with such images',
    telling: distinctTelling({ variants: 40, prompts: 200 }),
    bar: 'answers a click within 3 s',
  },
];

/**
 * What pages of very many images weigh, and how long they take to make and to open in Chromium, each beside a plain
 * page of as many bytes with the same images: that is what the machine needs today for reading and showing so much.
 * Both are opened by turns.
 */
export async function pageRows(): Promise<readonly Row[]> {
  const images = await noisyImages(IMAGES);
  const folder = scratchFolder();
  const browser = NO_CHROMIUM === null ? await startChromium() : null;
  const rows: Row[] = [];
  try {
    for (const { what, telling, bar } of PAGES) {
      const { text, ms } = made({ ...reported(scriptedRun(telling)), ...shown(images) });
      const weight = `${(Buffer.byteLength(text) / 1e6).toFixed(2)} MB, made in ${ms.toFixed(0)} ms`;
      const opening = browser === null ? NO_CHROMIUM : await openings(browser, text, folder);
      rows.push({ what, measured: `${weight}; ${opening}`, bar });
    }
  } finally {
    await browser?.close();
  }
  return rows;
}

/** The page, and the time of this process for it. */
function made(source: ReportSource): { readonly text: string; readonly ms: number } {
  const before = process.cpuUsage();
  const pieces: string[] = [];
  for (const { content } of html.render(source)) pieces.push(...(content as Iterable<string>));
  const { user, system } = process.cpuUsage(before);
  return { text: pieces.join(''), ms: (user + system) / 1000 };
}

function shown(images: readonly SmallImages[]): Pick<ReportSource, 'thumbnail' | 'smallThumbnail' | 'copy'> {
  const of = (sha256: string) => images[Number.parseInt(sha256.slice(0, 8), 16) % images.length];
  return {
    thumbnail: (sha256) => of(sha256)?.thumbnail ?? null,
    smallThumbnail: (sha256) => of(sha256)?.smallThumbnail ?? null,
    copy: (sha256) => of(sha256)?.copy ?? null,
  };
}

async function openings(browser: Browser, text: string, folder: string): Promise<string> {
  const [page, plain] = [join(folder, 'page.html'), join(folder, 'plain.html')];
  writeFileSync(page, text);
  writeFileSync(plain, plainPage(text));
  const own: Opening[] = [];
  const yardstick: Opening[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    own.push(await opening(browser, page));
    yardstick.push(await opening(browser, plain));
  }
  const words = (all: readonly Opening[]) =>
    `loaded in ${medianOf(all.map(({ loadMs }) => loadMs)).toFixed(0)} ms, answers after ${medianOf(all.map(({ answerMs }) => answerMs)).toFixed(0)} ms`;
  return `${words(own)}; a plain page of as many bytes with the same images: ${words(yardstick)}`;
}

/** As many bytes, with the same images, one after the other, and text in paragraphs. */
function plainPage(text: string): string {
  const images = (text.match(/data:image\/webp;base64,[^"]+/g) ?? []).map(
    (url) => `<img loading="lazy" width="200" height="112" alt="" src="${url}">\n`,
  );
  const left = text.length - images.reduce((sum, { length }) => sum + length, 0);
  const paragraph = `<p>${'a word of eight '.repeat(32)}</p>\n`;
  return `<!doctype html><title>plain</title>\n${images.join('')}${paragraph.repeat(Math.max(0, Math.floor(left / paragraph.length)))}`;
}

interface Opening {
  /** From the beginning of the navigation to the load event. */
  readonly loadMs: number;
  /** From there to the first frame after a click that is made as soon as the page is loaded. */
  readonly answerMs: number;
}

const MARKS = `addEventListener('load', () => { globalThis.loadMs = performance.now(); });
addEventListener('click', () => requestAnimationFrame(() => setTimeout(() => { globalThis.answerMs = performance.now(); })), true);`;

async function opening(browser: Browser, file: string): Promise<Opening> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript({ content: MARKS });
    await page.goto(pathToFileURL(file).href);
    await page.mouse.click(4, 450);
    await page.waitForFunction('globalThis.answerMs !== undefined');
    return await page.evaluate('({ loadMs, answerMs })');
  } finally {
    await context.close();
  }
}
