import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VoteLine } from '../../src/record/score.ts';
import type { ShownBallot } from '../../src/view/shown-ballot.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { goldenVideo } from '../fixtures/golden-video.ts';
import { type ImageServer, serveImages, smallImage, writePainter } from '../fixtures/image-server.ts';
import { NO_NODE_AV, withoutNodeAv } from '../fixtures/no-node-av.ts';
import { coloursWrongIn, describeInBrowser, violationsOf } from '../fixtures/opened-page.ts';
import { retakeHere, startRetake } from '../fixtures/retake-process.ts';
import { type ServedViewer, served, serveVotes } from '../fixtures/viewer-process.ts';
import { nextBallot } from '../fixtures/voter.ts';

/* The page to vote in, of a run of images and videos. */

const SUITE = `suite: 1
name: voted
variants:
  careful-one: { target: ./painter.yaml, const: { model: careful }, baseline: true }
  hasty-one: { target: ./painter.yaml, const: { model: hasty } }
  careful-film: { target: ./filmer.yaml, const: { model: careful }, baseline: true }
  hasty-film: { target: ./filmer.yaml, const: { model: hasty } }
prompts:
  - { id: prompt-fox, text: 'A red fox </script><img src=x onerror=alert(1)> in snow' }
  - { id: prompt-cat, text: 'The cat walks away', image: cat.png }
seeds: [71017101]
repeats: 1
load: { concurrency: 2 }
reports: [csv]
`;

/** A pair of images and one of videos, each shown twice. */
const BALLOTS = 4;

const EVE = 'e'.repeat(32);

const placeOf = (turn: number) => `${turn} of ${BALLOTS}: 2 pairs and 2 checks`;

/** Its pictures and choices, row by row. */
const BESIDE = [
  ['Left', 'Right'],
  ['Left', 'Equally good', 'Right'],
];
const ABOVE = [['Upper'], ['Upper'], ['Equally good'], ['Lower'], ['Lower']];

/** Names in the font of the page, as they are seen. */
const layoutOf = (page: Page): Promise<readonly (readonly string[])[]> =>
  page.evaluate(() => {
    const rows = new Map<number, string[]>();
    const font = getComputedStyle(document.body).fontFamily;
    for (const button of document.querySelectorAll<HTMLElement>('.sides > button')) {
      const { top } = button.getBoundingClientRect();
      const [name = ''] = /Left|Right|Upper|Lower|Equally good/.exec(button.innerText) ?? [];
      rows.set(top, [...(rows.get(top) ?? []), getComputedStyle(button).fontFamily === font ? name : 'another font']);
    }
    return [...rows].toSorted(([a], [b]) => a - b).map(([, names]) => names);
  });

const READY = 'main:not([aria-busy]) .ballot:not([hidden])';

describe.skipIf(NO_NODE_AV)('votes on images and videos', () =>
  describeInBrowser('the page of retake vote', (open) => {
    let images: ImageServer;
    let folder: string;
    let server: ServedViewer;
    const run = () => join(folder, 'results', 'voted', 'evening-run');
    const lines = (): readonly VoteLine[] =>
      readFileSync(join(run(), 'votes.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const votes = () => lines().flatMap((line) => (line.line === 'vote' ? [line] : []));
    const choicesSince = (before: number) =>
      votes()
        .slice(before)
        .map(({ choice }) => choice);
    const countOf = (page: Page) => page.textContent('.count');

    beforeAll(async () => {
      images = await serveImages(async (body) => {
        if (!body.includes('"image"')) return await smallImage(body);
        return body.includes('careful')
          ? { type: 'video/mp4', bytes: goldenVideo('plain.mp4') }
          : { type: 'video/webm', bytes: goldenVideo('vp9.webm') };
      });
      folder = freshFolder();
      writePainter(folder, images.url);
      writePainter(folder, images.url, 'image-to-video');
      writeFileSync(join(folder, 'cat.png'), (await smallImage('cat')).bytes);
      writeFileSync(join(folder, 'suite.yaml'), SUITE);
      const measured = await retakeHere(['run', 'suite.yaml', '--run', 'evening-run', '--quiet'], folder);
      expect(measured).toMatchObject({ code: 0 });
      server = await serveVotes(['results/voted'], folder);
    });
    afterAll(async () => {
      await server?.close();
      await images?.close();
    });

    it('the page of votes in dark, 390 pixels wide, has no violation and no bar to scroll sideways, and each button under its picture', async () => {
      const shown = { colorScheme: 'dark', viewport: { width: 390, height: 800 }, own: {} } as const;
      await open(server.url, shown, async (page, { complaints }) => {
        const seen = new Set<string>();
        for (let turn = 1; turn <= BALLOTS && seen.size < 2; turn += 1) {
          await page.waitForSelector(READY);
          const title = (await page.textContent('h1')) ?? '';
          const isVideo = title === 'Which video is better?';
          expect(await page.isVisible('.player')).toBe(isVideo);
          expect(await page.isVisible('.input img')).toBe(isVideo);
          expect(await page.locator('.side video:visible').count()).toBe(isVideo ? 2 : 0);
          expect(await page.locator('.side img:visible').count()).toBe(isVideo ? 0 : 2);
          expect(await page.textContent('.prompt')).toBe(
            isVideo ? 'The cat walks away' : 'A red fox </script><img src=x onerror=alert(1)> in snow',
          );
          if (!seen.has(title)) {
            expect(await violationsOf(page)).toEqual([]);
            expect(await layoutOf(page)).toEqual(ABOVE);
            for (const pressed of ['true', 'false']) {
              await page.keyboard.press('z');
              expect(await page.getAttribute('.zoom', 'aria-pressed')).toBe(pressed);
              expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
            }
          }
          seen.add(title);
          await page.keyboard.press('s');
          await expect.poll(() => countOf(page)).not.toBe(placeOf(turn));
        }
        expect(seen.size).toBe(2);
        expect(complaints).toEqual([]);
      });
    });

    it('somebody votes at the server by keyboard alone, goes on after a reload, and is told nothing of the sides', async () => {
      const before = votes().length;
      const said: string[] = [];
      const replies: Promise<void>[] = [];
      let current: ShownBallot | null = null;
      const lengths: [left: number, right: number][] = [];
      const chosen: string[] = [];
      await open('about:blank', { own: {} }, async (page, { complaints }) => {
        page.on('response', (reply) => {
          replies.push(
            (async () => {
              const body = await reply.text().catch(() => '');
              const [asked, answered] = [await reply.request().allHeaders(), await reply.allHeaders()];
              said.push([reply.url(), reply.request().postData(), JSON.stringify([asked, answered]), body].join('\n'));
              if (!reply.url().endsWith('/ballot')) return;
              current = JSON.parse(body).ballot;
              if (current !== null) lengths.push([current.left.length, current.right.length]);
            })(),
          );
        });
        await page.goto(server.url);
        for (let turn = 0; turn < BALLOTS; turn += 1) {
          await expect.poll(() => countOf(page)).toBe(placeOf(turn + 1));
          if (turn === 2) {
            await page.reload();
            await expect.poll(() => countOf(page)).toBe(placeOf(3));
          }
          await page.waitForSelector(READY);
          if (turn === 0) expect(await coloursWrongIn(page)).toEqual([]);
          expect(await layoutOf(page)).toEqual(BESIDE);
          await Promise.all(replies);
          const key = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 's'][turn % 4] ?? '';
          const choice = ['left', 'right', 'neither', 'skip'][turn % 4];
          chosen.push(JSON.stringify([(current as ShownBallot | null)?.ballot, choice]));
          await page.keyboard.press(key);
        }
        await page.waitForSelector('.end:not([hidden])');
        expect(await page.textContent('h1')).toBe(`All ${BALLOTS} are done`);
        await page.keyboard.press('b');
        await page.waitForSelector(READY);
        await page.keyboard.press('ArrowLeft');
        await page.waitForSelector('.end:not([hidden])');
        chosen.push(chosen.at(-1)?.replace('skip', 'left') ?? '');
        expect(await countOf(page)).toBe(placeOf(BALLOTS));
        said.push(await page.content());
        expect(complaints).toEqual([]);
        await Promise.all(replies);
      });
      for (const [left, right] of lengths) expect(left).toBe(right);
      const added = votes().slice(before);
      expect(added.map(({ ballot, choice }) => JSON.stringify([ballot, choice]))).toEqual(chosen);
      expect(new Set(added.map(({ voter }) => voter)).size).toBe(1);
      const names = 'careful hasty prompt-fox prompt-cat 71017101 evening-run voted cat.png';
      const secrets = [...names.split(' '), folder];
      for (const line of lines())
        if (line.line === 'ballot') secrets.push(line.block, line.left.sha256, line.right.sha256);
      expect(said.length).toBeGreaterThan(2 * BALLOTS);
      // Digits and letters of the media are not words.
      const texts = said.map((text) => text.replaceAll(/;base64,[\w+/=]*/g, ''));
      for (const secret of secrets)
        expect(
          texts.some((text) => text.includes(secret)),
          secret,
        ).toBe(false);
    });

    it('the space bar plays both videos in step from the start, but on a button it presses the button', async () => {
      await open(server.url, { own: {} }, async (page) => {
        while ((await page.waitForSelector(READY)) && (await page.textContent('h1')) !== 'Which video is better?') {
          await page.keyboard.press('s');
        }
        const times = (): Promise<readonly (readonly [number, boolean])[]> =>
          page.evaluate('[...document.querySelectorAll("video")].map((video) => [video.currentTime, video.paused])');
        await page.click('.play');
        await expect.poll(async () => (await times()).map(([, isPaused]) => isPaused)).toEqual([true, true]);
        await page.focus('.player input');
        const count = await countOf(page);
        await page.keyboard.press('End');
        await page.keyboard.press('ArrowLeft');
        expect(await countOf(page)).toBe(count);
        expect(Math.min(...(await times()).map(([atS]) => atS))).toBeGreaterThan(0.8);
        // The focus is on no control any more.
        await page.focus('.prompt');
        await page.keyboard.press(' ');
        const [left, right] = await times();
        expect([left?.[1], right?.[1]]).toEqual([false, false]);
        expect(Math.max(left?.[0] ?? 9, right?.[0] ?? 9)).toBeLessThan(0.8);
        await page.focus('.choice[data-choice=neither]');
        await page.keyboard.press(' ');
        await expect.poll(() => countOf(page)).not.toBe(count);
        expect(await page.evaluate('document.activeElement.className')).toBe('prompt text');
      });
    });

    it('a vote that the server cannot keep is said, and is kept once the voter tries again', async () => {
      const lock = join(run(), 'lock');
      const other = await serveVotes(['results/voted'], folder);
      const port = Number(new URL(other.url).port);
      let again: ServedViewer | null = null;
      try {
        await open(`${other.url}/`, { own: {} }, async (page) => {
          await page.waitForSelector(READY);
          writeFileSync(lock, `${JSON.stringify({ pid: process.pid, host: hostname(), startedAt: null })}\n`);
          const before = votes().length;
          await page.keyboard.press('ArrowLeft');
          await page.waitForSelector('.fault:not([hidden])');
          expect(await page.textContent('.fault p')).toBe('Another program uses the run. Your last vote is not kept.');
          expect(await violationsOf(page, '.fault')).toEqual([]);
          expect(await countOf(page)).toBe(placeOf(1));
          rmSync(lock);
          await page.focus('.again');
          await page.keyboard.press('Enter');
          await expect.poll(() => countOf(page)).toBe(placeOf(2));
          await page.waitForSelector(READY);
          expect(await page.isHidden('.fault')).toBe(true);
          expect(choicesSince(before)).toEqual(['left']);

          await other.close();
          await page.keyboard.press('ArrowRight');
          await page.waitForSelector('.fault:not([hidden])');
          expect(await page.textContent('.fault p')).toMatch(
            /^There is no answer: .* Your last vote may not be kept\. Try again: it counts once\.$/,
          );
          again = await serveVotes(['results/voted'], folder, port);
          await page.keyboard.press('ArrowRight');
          await expect.poll(() => page.textContent('.fault p')).toMatch(/^retake vote was started again/);
          await page.click('.again');
          await page.waitForSelector(READY);
          expect(await countOf(page)).toBe(placeOf(2));
          await page.keyboard.press('ArrowRight');
          await expect.poll(() => countOf(page)).toBe(placeOf(3));
          expect(choicesSince(before)).toEqual(['left', 'right']);
        });
      } finally {
        rmSync(lock, { force: true });
        await other.close();
        await (again as ServedViewer | null)?.close();
      }
    });

    it('ballots of videos are left out, and said, where node-av is not installed', async () => {
      const program = join(withoutNodeAv(), 'dist/main.js');
      const started = startRetake(['vote', 'results/voted', '--port', '0'], folder, {}, program);
      const { url, close } = await served(started);
      const { pairs, checks } = JSON.parse((await nextBallot(url, EVE)).body);
      expect(pairs + checks).toBe(2);
      const { stderr } = await close();
      expect(stderr).toContain('2 ballots of videos left out: ');
      expect(stderr).toContain('is not installed; run npm install --include=optional');
    });
  }),
);
