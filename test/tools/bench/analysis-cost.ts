import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { assess } from '../../../src/gate/assess.ts';
import { html } from '../../../src/page/html.ts';
import { NO_CHROMIUM, startChromium } from '../../fixtures/chromium.ts';
import { reported } from '../../fixtures/report-source.ts';
import { largeTelling, scriptedRun } from '../../fixtures/scripted-run.ts';
import { medianOf, type Row } from './figures.ts';
import { scratchFolder } from './scratch.ts';

const OPENINGS = 5;

/** How long a record of 10,000 samples takes to analyse, to show and to open, and how large its page is. */
export async function analysisRows(): Promise<readonly Row[]> {
  const record = scriptedRun(largeTelling(10_000));
  const start = performance.now();
  assess(record, METRICS);
  const analysed = performance.now();
  const source = reported(record);
  const before = process.cpuUsage();
  const pieces: string[] = [];
  for (const { content } of html.render(source)) pieces.push(...(content as Iterable<string>));
  const { user, system } = process.cpuUsage(before);
  const text = pieces.join('');
  return [
    {
      what: 'analysis and comparison of 10,000 samples',
      measured: `${(analysed - start).toFixed(0)} ms`,
      bar: 'none: of 100,000 see many-samples',
    },
    {
      what: 'HTML of 10,000 samples, without thumbnails',
      measured: `${((user + system) / 1000).toFixed(0)} ms of this process, ${(Buffer.byteLength(text) / 1e6).toFixed(1)} MB`,
      bar: '<= 2000 ms, <= 5 MB',
    },
    {
      what: `that page in Chromium: until it answers a click, median of ${OPENINGS}`,
      measured: NO_CHROMIUM ?? `${(await opening(text)).toFixed(0)} ms`,
      bar: '<= 3000 ms',
    },
  ];
}

const MARK = `addEventListener('click', () => requestAnimationFrame(() => setTimeout(() => { globalThis.answeredMs = performance.now(); })), true);`;

/** From the beginning of the navigation to the first frame after a click that is made as soon as the page is loaded. */
async function opening(text: string): Promise<number> {
  const file = join(scratchFolder(), 'page.html');
  writeFileSync(file, text);
  const browser = await startChromium();
  const took: number[] = [];
  for (let round = 0; round < OPENINGS; round += 1) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.addInitScript({ content: MARK });
    await page.goto(pathToFileURL(file).href);
    await page.mouse.click(4, 450);
    await page.waitForFunction('globalThis.answeredMs !== undefined');
    took.push(await page.evaluate('globalThis.answeredMs'));
    await page.close();
  }
  await browser.close();
  return medianOf(took);
}
