// @ts-check
import { chromium } from 'playwright-core';
import sharp from 'sharp';

/*
 * Takes the README's screenshot, .assets/report.webp, from a report: `npm run screenshot -- results/example/report.html`. Parts of the page one
 * below the other, in light mode, as a browser shows them: the system's Chromium, CHROMIUM_PATH or Debian's.
 */

/** In CSS pixels: the page without its side column, about as wide as forges show a README. */
const WIDTH = 960;
const SCALE = 1.2;
const MARGIN = 14;
const BETWEEN = { height: 10, background: '#d8dee4' };
const MOST_BYTES = 204_800;

/** What each part shows: from the top of one element to the bottom of another. */
const PARTS = [
  { from: '.run-head', to: '#looks .rows >> visible=true' },
  { from: '#numbers-title', to: '#looks .board >> visible=true >> nth=0' },
  { from: '#comparison-title', to: '#comparison .chart >> nth=0' },
];

const [report] = process.argv.slice(2);
if (report === undefined) throw new Error('name a report.html');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
try {
  const page = await browser.newPage({
    colorScheme: 'light',
    deviceScaleFactor: SCALE,
    viewport: { width: WIDTH, height: 900 },
  });
  await page.goto(new URL(report, `file://${process.cwd()}/`).href);
  const parts = [];
  for (const { from, to } of PARTS) parts.push(await shotOf(page, from, to));
  await write(parts);
} finally {
  await browser.close();
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} from
 * @param {string} to
 */
async function shotOf(page, from, to) {
  const [first, last] = await Promise.all([from, to].map((selector) => page.locator(selector).first().boundingBox()));
  if (first === null || last === null) throw new Error(`the page has no ${first === null ? from : to}`);
  const y = Math.max(0, first.y - MARGIN);
  const clip = { x: 0, y, width: WIDTH, height: last.y + last.height - y };
  return await page.screenshot({ clip, fullPage: true });
}

/** @param {readonly Buffer[]} parts */
async function write(parts) {
  const sizes = await Promise.all(parts.map(async (part) => await sharp(part).metadata()));
  const gap = Math.round(BETWEEN.height * SCALE);
  let top = 0;
  const placed = parts.map((input, at) => {
    const place = { input, left: 0, top };
    top += (sizes[at]?.height ?? 0) + gap;
    return place;
  });
  const canvas = {
    width: Math.round(WIDTH * SCALE),
    height: top - gap,
    channels: /** @type {const} */ (3),
    background: BETWEEN.background,
  };
  const { size } = await sharp({ create: canvas })
    .composite(placed)
    .webp({ quality: 60, effort: 6, smartSubsample: true })
    .toFile('.assets/report.webp');
  if (size > MOST_BYTES) throw new Error(`the screenshot has ${size} bytes, more than ${MOST_BYTES}`);
}
