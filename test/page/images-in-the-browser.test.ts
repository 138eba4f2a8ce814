import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { heatColour } from '../../src/media/heat-scale.ts';
import { html } from '../../src/page/html.ts';
import { rendered } from '../contracts/reporter.ts';
import { changedSince } from '../fixtures/likened-run.ts';
import { type Heard, violationsOf } from '../fixtures/opened-page.ts';
import { describeReports } from '../fixtures/rendered-page.ts';
import { illustrated } from '../fixtures/report-source.ts';
import { ATTACKED, FILMED, ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

const NARROW = { width: 390, height: 844 };

/** One prompt with two variants and its kind, and one whose takes differ. */
const SMALL = { ...ORDINARY, prompts: ORDINARY.prompts.slice(3) };

/** Copies a page into a folder with the first three originals that its sheet links to: each of one colour. */
async function copyWithOriginals(page: string, folder: string): Promise<void> {
  const text = readFileSync(page, 'utf8');
  const sheet = text.slice(text.indexOf('<section id="images"'));
  const links = [...new Set(sheet.match(/media\/[0-9a-f]{2}\/[0-9a-f]{64}\.png/g))];
  for (const [at, link] of links.slice(0, 3).entries()) {
    const background = at === 0 ? { r: 10, g: 40, b: 60 } : { r: 30, g: 40, b: 50 };
    mkdirSync(dirname(join(folder, link)), { recursive: true });
    await sharp({ create: { width: 1024, height: 576, channels: 3, background } })
      .png()
      .toFile(join(folder, link));
  }
  writeFileSync(join(folder, 'report.html'), text);
}

interface ServedFolder {
  readonly origin: string;
  readonly close: () => void;
}

/** Serves the files of a folder on the loopback interface. */
async function serveFolder(folder: string): Promise<ServedFolder> {
  const types: Readonly<Record<string, string>> = { html: 'text/html', png: 'image/png' };
  const server = createServer(({ url = '/' }, reply) => {
    const path = join(folder, new URL(url, 'http://localhost').pathname);
    const type = types[path.split('.').at(-1) ?? ''];
    if (type === undefined || !existsSync(path)) reply.writeHead(url === '/favicon.ico' ? 204 : 404).end();
    else reply.writeHead(200, { 'content-type': type }).end(readFileSync(path));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { origin: `http://127.0.0.1:${address.port}`, close: () => void server.close() };
}

const sources = async () => ({
  small: await illustrated(scriptedRun(SMALL)),
  hostile: await illustrated(scriptedRun({ ...ATTACKED, seeds: [1] })),
  films: await illustrated(scriptedRun(FILMED)),
  changed: await changedSince(),
});

describeReports('the images of a report in a browser', sources, (open, folder) => {
  let server: ServedFolder;

  beforeAll(async () => {
    await copyWithOriginals(join(folder, 'small.html'), join(folder, 'beside'));
    server = await serveFolder(join(folder, 'beside'));
  });

  afterAll(() => server?.close());

  /** The words of what is chosen on each side of the compare view. */
  const chosen = (page: Page): Promise<readonly string[]> =>
    page
      .locator('#compare .sides select')
      .evaluateAll((all) => all.map((each) => (each as HTMLSelectElement).selectedOptions[0]?.textContent ?? ''));
  const captions = (page: Page): Promise<readonly string[]> =>
    page.locator('#compare figcaption').evaluateAll((all) => all.map((each) => each.textContent ?? ''));
  /** The drawn difference: width, height, red, green and blue of its first pixel, and the largest of any pixel. */
  const drawn = (page: Page): Promise<readonly number[]> =>
    page.locator('#compare canvas').evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return [];
      const { width, height } = canvas;
      const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data;
      const largest = data?.reduce((most, channel, at) => (at % 4 < 3 ? Math.max(most, channel) : most), 0);
      return [width, height, ...(data?.slice(0, 3) ?? []), largest ?? -1];
    });
  const compareFirst = async (page: Page): Promise<void> => {
    await page.locator('#images button.pick').first().click();
    await expect.poll(() => page.locator('#compare .sides .stage img').count()).toBe(2);
  };
  const view = (page: Page, name: string): Promise<void> => page.locator('.views label', { hasText: name }).click();

  it('an output that changed stands beside what is stored, opens beside it, and comes back when another was shown', async () => {
    await open('changed.html', {}, async (page) => {
      for (const viewport of [{ width: 1280, height: 900 }, NARROW]) {
        await page.setViewportSize(viewport);
        expect(await page.locator('.strip .trio img.image:visible').count()).toBe(3);
        const { y = Infinity } = (await page.locator('.strip .trio img').first().boundingBox()) ?? {};
        expect(y).toBeLessThan(800);
      }
      expect(await violationsOf(page)).toEqual([]);
      await page.locator('.row-links a').nth(1).click();
      expect(await page.locator('.strip .trio').count()).toBe(0);
      await page.locator('.row-links a').first().click();
      await page.locator('.strip .trio button.pick').nth(1).click();
      await page.locator('#compare[open]').waitFor();
      expect(await chosen(page)).toEqual(['fast, seed 2, stored', 'fast, seed 2, take 1']);
      await expect.poll(() => page.locator('#compare .sides .stage img').count()).toBe(2);
    });
  });

  it('a click on an image opens it with the baseline at the left, from the sheet and from a strip, and two takes with their distances', async () => {
    await open('small.html', {}, async (page) => {
      const open = async (pick: string): Promise<readonly string[]> => {
        await page.locator(pick).click();
        await page.locator('#compare[open]').waitFor();
        const words = (await chosen(page)).map((name) => name.replace(', take 1', ''));
        await page.keyboard.press('Escape');
        await page.locator('#compare').waitFor({ state: 'hidden' });
        return words;
      };
      const row = '#images article:first-of-type tr[data-seed="2"]';
      expect(await open(`${row} td:last-child .output:first-child button.pick`)).toEqual([
        'standard, seed 2',
        'fast-lcm, seed 2',
      ]);
      expect(await open(`${row} td:nth-child(2) button.pick`)).toEqual(['standard, seed 2', 'fast, seed 2']);
      expect(await open('.strip >> nth=0 >> figure:nth-child(3) button.pick')).toEqual([
        'standard, seed 1',
        'fast-lcm, seed 1',
      ]);
      const cell = page.locator('#images td', { hasText: '2 outputs in 3 takes' }).first();
      await cell.locator('button.pick').nth(1).click();
      const between = page.locator('#compare .between');
      await expect.poll(() => page.locator('#compare .stage img').count()).toBe(2);
      await expect
        .poll(() => between.textContent())
        .toBe(
          'Two takes of one variant, prompt and seed: different; largest difference 204 of 255, PSNR 17.2 dB, SSIM 0.4100, chroma distance 12.5 of 255, picture hash (PDQ) 96 of 256 bits differ.',
        );
      await page.locator('#compare .sides select').first().selectOption('standard, seed 3, take 1');
      await expect.poll(() => between.textContent()).toBe('Not compared: the variant gives another output each time.');
      expect((await captions(page))[1]).toMatch(
        /^0\.\d+ s, seed \d, take \d.* of 3 takes gave these bytes: .*usual output/,
      );
    });
  });

  it('the compare view opens, steers and closes by keyboard', async () => {
    await open('small.html', {}, async (page, { complaints }) => {
      const first = page.locator('#images button.pick').first();
      await first.focus();
      await page.keyboard.press('Enter');
      const dialog = page.locator('#compare');
      expect(await dialog.isVisible()).toBe(true);
      const row = ['standard, seed 1, take 1', 'fast, seed 1, take 1'];
      expect(await chosen(page)).toEqual(row);
      await page.keyboard.press('ArrowDown');
      expect((await chosen(page))[1]).toBe('fast-lcm, seed 1, take 1');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      expect((await chosen(page))[1]).toBe('standard, seed 1, take 1');
      await expect.poll(() => dialog.locator('.between').textContent()).toBe('One output: byte-identical.');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      const next = row.map((name) => name.replace('seed 1', 'seed 2'));
      await expect.poll(() => chosen(page)).toEqual(next);
      await dialog.getByRole('button', { name: 'The one before' }).click();
      await expect.poll(() => chosen(page)).toEqual(row);
      for (const mode of ['slider', 'difference', 'side']) {
        await page.keyboard.press('v');
        expect(await dialog.getAttribute('data-view')).toBe(mode);
      }
      await page.keyboard.press('Escape');
      expect(await dialog.isVisible()).toBe(false);
      expect(await page.evaluate('document.activeElement === document.querySelector("#images button.pick")')).toBe(
        true,
      );
      // The first original is looked for, and no other.
      expect(complaints).toEqual(['Failed to load resource: net::ERR_FILE_NOT_FOUND']);
    });
  });

  it('the compare view is in the address with its sides, so that a link leads to it', async () => {
    let link = '';
    await open('small.html', {}, async (page) => {
      await page.goto(`${page.url()}#images?variant=fast`);
      await page.locator('#images button.pick').filter({ visible: true }).nth(1).click();
      await view(page, 'Difference');
      await page.waitForURL(/#compare\?outputs=\d+\.0,\d+\.0&view=difference$/);
      link = new URL(page.url()).hash;
      await page.keyboard.press('Escape');
      await expect.poll(() => new URL(page.url()).hash).toBe('#images?variant=fast');
    });
    await open(`small.html${link}`, {}, async (page) => {
      expect(await page.locator('#compare').getAttribute('data-view')).toBe('difference');
      expect(await chosen(page)).toEqual(['standard, seed 1, take 1', 'fast, seed 1, take 1']);
      expect(new URL(page.url()).hash).toBe(link);
      await page.keyboard.press('Escape');
      await expect.poll(() => new URL(page.url()).hash).toBe('#images');
    });
  });

  it('the compare view is closed by Back, opened again by Forward, and left where Back led before it', async () => {
    await open('small.html', {}, async (page) => {
      const before = page.url();
      const pages = Number(await page.evaluate('history.length'));
      await compareFirst(page);
      await view(page, 'Slider');
      await page.goBack();
      await expect.poll(() => page.locator('#compare').isVisible()).toBe(false);
      expect(page.url()).toBe(before);
      await page.goForward();
      await page.locator('#compare[open]').waitFor();
      expect(await page.locator('#compare').getAttribute('data-view')).toBe('slider');
      await expect.poll(() => page.locator('#compare .overlay img').count()).toBe(2);
      // On a busy machine the event of the view that Back closed comes after this view closed too.
      await page.locator('#compare').evaluate((dialog) => {
        (dialog as HTMLDialogElement).close();
        dialog.dispatchEvent(new Event('close'));
        dialog.dispatchEvent(new Event('close'));
      });
      await expect.poll(() => page.url()).toBe(before);
      // Chromium keeps 50 entries, which earlier pages may have filled.
      expect(Number(await page.evaluate('history.length'))).toBeLessThanOrEqual(pages + 1);
      // On a busy machine Forward comes before the event of the view that Back closed.
      await compareFirst(page);
      const compared = new URL(page.url()).hash;
      await page.evaluate(`addEventListener('hashchange', () => { location.hash = '${compared}'; }, { once: true })`);
      await page.goBack();
      await expect.poll(() => new URL(page.url()).hash).toBe(compared);
      await page.locator('#compare[open]').waitFor();
      expect(new URL(page.url()).hash).toBe(compared);
    });
  });

  it('the difference of an image and itself is black where it is half transparent, and that of two colours under nothing too', async () => {
    const side = 16;
    const dot = async ([r, g, b, alpha]: readonly [number, number, number, number]): Promise<string> => {
      const background = { r, g, b, alpha };
      const image = sharp({ create: { width: side, height: side, channels: 4, background } });
      return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`;
    };
    const [half, clear] = [await dot([200, 100, 50, 0.5]), await dot([255, 255, 255, 0])];
    const [red, white] = [await dot([255, 0, 0, 0]), await dot([255, 255, 255, 1])];
    await open('small.html', {}, async (page) => {
      const between = async (one: string, other: string) => {
        // The copies in the page stand for what came.
        await page.locator('img.image').evaluateAll(
          (all, urls) => {
            for (const [at, image] of all.entries()) image.setAttribute('src', urls[at % 2] ?? '');
          },
          [one, other],
        );
        await compareFirst(page);
        await view(page, 'Difference');
        await expect.poll(() => page.locator('#compare canvas').count()).toBe(1);
        const largest = (await drawn(page)).at(-1);
        await page.keyboard.press('Escape');
        await expect.poll(() => page.locator('#compare canvas').count()).toBe(0);
        return largest;
      };
      expect(await between(half, half)).toBe(0);
      expect(await between(clear, red)).toBe(0);
      expect(await between(clear, white)).toBe(255);
    });
  });

  /** Opens the first output beside the baseline, and holds that both originals are shown. */
  const compareOriginals = async (page: Page, { complaints, requests }: Heard): Promise<void> => {
    const url = page.url();
    await page.locator('#images button.pick').first().click();
    await expect
      .poll(() => captions(page))
      .toEqual([
        expect.stringContaining('Shown: the original, 1024 × 576 pixels'),
        expect.stringContaining('Shown: the original, 1024 × 576 pixels'),
      ]);
    expect(
      await page
        .locator('#compare .stage img')
        .first()
        .evaluate((image) => (image as HTMLImageElement).naturalWidth),
    ).toBe(1024);
    const others = requests.filter((each) => !each.startsWith('data:') && each !== url);
    expect(others).toHaveLength(2);
    for (const each of others) expect(each.startsWith(url.replace('report.html', 'media/'))).toBe(true);
    expect(complaints).toEqual([]);
  };

  it('the compare view shows the originals of a page that is opened as a file, and says so', async () => {
    await open('beside/report.html', {}, compareOriginals);
  });

  it('the compare view shows the originals of a page of a server: pixel for pixel, moved together, and subtracted', async () => {
    await open(`${server.origin}/report.html`, {}, async (page, heard) => {
      await compareOriginals(page, heard);
      await page.getByRole('button', { name: '100 %' }).click();
      const boxes = () =>
        page.locator('#compare .stage img').evaluateAll((all) =>
          all.map((image) => {
            const { x, y, width } = image.getBoundingClientRect();
            const stage = image.parentElement?.getBoundingClientRect();
            return [x - (stage?.x ?? 0), y - (stage?.y ?? 0), width].map(Math.round);
          }),
        );
      const [left, right] = await boxes();
      expect(left).toEqual(right);
      expect(left?.[2]).toBe(1024);
      await page.keyboard.press('Shift+ArrowRight');
      const [movedLeft, movedRight] = await boxes();
      expect(movedLeft).toEqual(movedRight);
      expect(movedLeft?.[0]).toBe((left?.[0] ?? 0) - 80);
      const stage = await page.locator('#compare .stage').nth(1).boundingBox();
      await page.mouse.move((stage?.x ?? 0) + 100, (stage?.y ?? 0) + 100);
      await page.mouse.down();
      await page.mouse.move((stage?.x ?? 0) + 130, (stage?.y ?? 0) + 100);
      await page.mouse.up();
      expect((await boxes()).map(([x]) => x)).toEqual([0, 1].map(() => (movedLeft?.[0] ?? 0) + 30));
      await page.keyboard.press('+');
      expect((await boxes())[0]?.[2]).toBe(2048);
      await page.keyboard.press('0');
      expect(await page.locator('.zoom output').textContent()).toBe('fit');
      await view(page, 'Difference');
      await expect.poll(() => page.locator('#compare canvas').count()).toBe(1);
      // The originals are of one colour each: 10, 40, 60 and 30, 40, 50.
      expect(await drawn(page)).toEqual([1024, 576, 160, 0, 80, 160]);
      expect(await page.locator('.scale-end').textContent()).toBe('32 or more of 255 levels');
      // The colour of the heat map at 160 of 255.
      const heat = await page.locator('#compare canvas').screenshot();
      // Off the edge, which may lie between two pixels of the screen.
      const data = await sharp(heat).extract({ left: 8, top: 8, width: 1, height: 1 }).raw().toBuffer();
      for (const [at, channel] of heatColour(160 / 255).entries()) {
        expect(Math.abs((data[at] ?? 0) - channel)).toBeLessThan(4);
      }
      await page.locator('.tool.difference select').selectOption('0');
      expect(await drawn(page)).toEqual([1024, 576, 20, 0, 10, 20]);
    });
  });

  it('the compare view shows copies where the originals are not beside the page, slides one over the other, and passes axe-core', async () => {
    await open('small.html', {}, async (page) => {
      await compareFirst(page);
      await expect
        .poll(() => captions(page))
        .toEqual([
          expect.stringContaining(
            'Shown: a copy of 512 × 288 pixels; the original of 1024 × 576 pixels is not beside this page',
          ),
          expect.stringContaining('Shown: a copy of 512 × 288 pixels'),
        ]);
      await view(page, 'Slider');
      const cut = () =>
        page
          .locator('.overlay img')
          .nth(1)
          .evaluate((image) => (image as HTMLElement).style.getPropertyValue('--cut'));
      expect(await cut()).toBe('50%');
      await page.locator('#compare').getByRole('slider', { name: /./ }).focus();
      await page.keyboard.press('End');
      expect(await cut()).toBe('100%');
      const stage = await page.locator('.overlay .stage').boundingBox();
      const at = (share: number) => [(stage?.x ?? 0) + share * (stage?.width ?? 0), (stage?.y ?? 0) + 50] as const;
      await page.mouse.move(...at(0.9));
      await page.mouse.down();
      await page.mouse.move(...at(0.5));
      await page.mouse.up();
      expect(await cut()).toBe('50%');
      await view(page, 'Difference');
      await page.setViewportSize(NARROW);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await violationsOf(page, '#compare')).toEqual([]);
      // It has an edge, and shows what is chosen, in forced colours.
      await page.emulateMedia({ forcedColors: 'active' });
      const widthOf = (selector: string, side: string) =>
        page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), side);
      expect(await widthOf('#compare', 'border-top-width')).toBe('2px');
      expect(await widthOf('.views input:checked + span', 'outline-style')).toBe('solid');
      expect(await widthOf('.views input:not(:checked) + span >> nth=0', 'outline-style')).toBe('none');
    });
  });

  it('hostile labels are text in the compare view', async () => {
    await open('hostile.html', {}, async (page, { complaints }) => {
      await page.locator('#images button.pick').first().click();
      expect(await page.locator('#compare-title').textContent()).toContain('<script>document.title="broken"</script>');
      expect(await page.locator('#compare script').count()).toBe(0);
      expect(complaints.filter((each) => !each.includes('ERR_FILE_NOT_FOUND'))).toEqual([]);
    });
  });

  /** What the video within `place` is at: whether it plays, and how wide it is. */
  async function videoIn(page: Page, place: string): Promise<{ plays: boolean; wide: number } | null> {
    return await page.evaluate(`(async () => {
        const video = document.querySelector('${place} video');
        if (!video) return null;
        const from = video.currentTime;
        for (let tries = 0; tries < 200 && !video.paused && video.currentTime === from; tries += 1) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return { plays: video.currentTime !== from && !video.paused, wide: video.videoWidth };
      })()`);
  }
  const FILM = '#images [data-cell="1"]:not([data-output])';
  const OTHER_FILM = '#images [data-cell="0"]';

  /** How many videos within an element do not play. */
  const stopped = (element: Element): number =>
    [...element.querySelectorAll('video')].filter(({ paused }) => paused).length;

  it('the videos of a row play while one of them is pointed at, or has the focus, which a click leaves at its button, and none for those who want no motion', async () => {
    await open('films.html', {}, async (page, { complaints, requests }) => {
      expect(await videoIn(page, FILM)).toMatchObject({ plays: false });
      await page.locator(FILM).hover();
      expect(await videoIn(page, FILM)).toEqual({ plays: true, wide: 160 });
      await page.mouse.move(2, 2);
      expect(await videoIn(page, FILM)).toMatchObject({ plays: false });
      await page.locator(FILM).focus();
      expect(await videoIn(page, FILM)).toMatchObject({ plays: true });
      await page.locator(OTHER_FILM).focus();
      expect(await videoIn(page, FILM)).toMatchObject({ plays: false });
      const row = page.locator(OTHER_FILM).first().locator('xpath=ancestor::tr');
      await expect.poll(() => row.evaluate(stopped)).toBe(0);
      expect(await row.locator('video').count()).toBeGreaterThan(2);
      expect(await page.locator('body').evaluate(stopped)).toBe(
        (await page.locator('video').count()) - (await row.locator('video').count()),
      );
      await page.locator('body').press('Home');
      await page.locator('h1').hover();
      await page.evaluate('document.activeElement.blur()');
      expect(await row.evaluate(stopped)).toBe(await row.locator('video').count());
      expect(complaints).toEqual([]);
      expect(requests.filter((url) => !url.startsWith('data:'))).toHaveLength(1);
      // Firefox gives the focus of a click to a video, even in a button.
      const at = await page.locator(FILM).evaluate((film) => {
        film.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { left, top, width, height } = film.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2)?.tagName;
      });
      expect(at).toBe('BUTTON');
      await page.locator(FILM).click();
      await page.locator('#compare[open]').waitFor();
      await page.keyboard.press('Escape');
      expect(await page.evaluate(`document.activeElement === document.querySelector('${FILM}')`)).toBe(true);
      // Nothing plays by itself for those who want no motion.
      await page.evaluate('document.activeElement.blur()');
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.mouse.move(2, 2);
      await page.locator(FILM).hover();
      await page.locator(FILM).focus();
      expect(await videoIn(page, FILM)).toMatchObject({ plays: false });
      await page.locator(FILM).click();
      await expect.poll(() => page.locator('#compare .stage video').count()).toBe(2);
      expect(await videoIn(page, '#compare')).toMatchObject({ plays: false });
    });
  });

  it('a video plays at the first tap and is compared at the second', async () => {
    await open('films.html', { own: { hasTouch: true }, viewport: NARROW }, async (page) => {
      await page.locator(FILM).tap();
      expect(await videoIn(page, FILM)).toMatchObject({ plays: true });
      expect(await page.locator('#compare').isVisible()).toBe(false);
      await page.locator(FILM).tap();
      expect(await page.locator('#compare').isVisible()).toBe(true);
    });
  });

  it('videos are compared in step, with one time and one button, and let go when the view closes', async () => {
    await open('films.html', {}, async (page) => {
      await page.locator(FILM).click();
      const videos = page.locator('#compare .stage video');
      await expect.poll(() => videos.count()).toBe(2);
      expect(await videoIn(page, '#compare')).toMatchObject({ plays: true });
      // Right after the view was opened, with nothing chosen in it.
      await page.keyboard.press('Space');
      const times = () => videos.evaluateAll((all) => all.map((video) => (video as HTMLVideoElement).currentTime));
      const paused = await times();
      expect(Math.abs((paused[0] ?? 0) - (paused[1] ?? 9))).toBeLessThan(0.2);
      await page.locator('.player input').fill('0.5');
      expect((await times()).map((atS) => Math.round(10 * atS) / 10)).toEqual([0.5, 0.5]);
      expect(await page.locator('.player output').textContent()).toMatch(/^0\.500 s of/);
      const frame = async () =>
        Number(/, frame (\d+) of \d+$/.exec((await page.locator('.player output').textContent()) ?? '')?.[1]);
      const shown = await frame();
      expect(shown).toBeGreaterThan(1);
      await page.getByRole('button', { name: 'One frame on' }).click();
      expect(await frame()).toBe(shown + 1);
      const [left = 0, right = 0] = await times();
      expect(left).toBe(right);
      await page.keyboard.press('Comma');
      expect(await frame()).toBe(shown);
      await page.keyboard.press('Comma');
      expect(await frame()).toBe(shown - 1);
      expect((await times())[0]).toBeLessThan(left);
      await page.keyboard.press('Period');
      expect(await frame()).toBe(shown);
      const time = page.locator('.player input');
      await time.press('ArrowRight');
      expect(await frame()).toBe(shown + 1);
      await time.press('PageDown');
      expect(await frame()).toBeLessThan(shown);
      await time.press('Home');
      expect(await frame()).toBe(1);
      // Space plays where an image has the focus.
      expect(await page.locator('.player .play').textContent()).toBe('Play');
      await page.locator('#compare .sides .stage').first().press('Space');
      await expect.poll(() => page.locator('.player .play').textContent()).toBe('Pause');
      await page.locator('#compare .sides .stage').first().press('Space');
      await page.locator('.player input').fill('0.5');
      expect(await violationsOf(page, '#compare')).toEqual([]);
      await view(page, 'Difference');
      await expect.poll(() => page.locator('#compare canvas').count()).toBe(1);
      // Stopped videos stay stopped where they are; others play on below their difference.
      expect(await page.locator('.player output').textContent()).toMatch(/^0\.500 s of/);
      await page.locator('.player .play').click();
      expect(await videoIn(page, '#compare .overlay')).toMatchObject({ plays: true });
      await view(page, 'Slider');
      await view(page, 'Difference');
      // A video that is moved to another view is paused, and played again.
      await expect.poll(() => videoIn(page, '#compare .overlay')).toMatchObject({ plays: true });
      // One that has just ended is begun again in the next view.
      await page.evaluate(`for (const video of document.querySelectorAll('#compare video')) {
        video.onended = () => document.querySelector('#compare .views [value="slider"]').click();
      }`);
      await expect.poll(() => page.locator('#compare').getAttribute('data-view')).toBe('slider');
      await expect.poll(() => videoIn(page, '#compare .overlay')).toMatchObject({ plays: true });
      await page.keyboard.press('Escape');
      // The browser tells of a closed dialog in its own time.
      await expect.poll(() => page.locator('#compare video, #compare canvas').count()).toBe(0);
    });
  });

  it('videos have controls and show their first frames without script, and are printed', async () => {
    await open('films.html', { own: { javaScriptEnabled: false } }, async (page, { complaints }) => {
      const video = page.locator('#images video').first();
      expect((await video.boundingBox())?.width).toBeGreaterThan(150);
      expect(await video.getAttribute('controls')).not.toBeNull();
      await page.emulateMedia({ media: 'print' });
      expect(await video.isVisible()).toBe(true);
      expect(complaints).toEqual([]);
    });
  });

  it('large copies are printed as thumbnails, each output once, as browsers store every pixel of paper', async () => {
    await open('small.html', {}, async (page) => {
      const shown = (selector: string) => page.locator(selector).filter({ visible: true }).count();
      const [large, all] = [await shown('.output .image:has(+ .printed)'), await shown('.output .image')];
      expect(large).toBeGreaterThan(5);
      expect(await shown('.printed')).toBe(0);
      await page.emulateMedia({ media: 'print' });
      expect(await shown('.printed')).toBe(large);
      expect(await shown('.output .image')).toBe(all - large);
      expect(await shown('.sheet .heat')).toBe(0);
    });
  });

  it('an image whose bytes stand elsewhere in the page is a link without script, and an image with it', async () => {
    const source = await illustrated(scriptedRun(SMALL));
    const [one] = source.analysis.cells;
    const cells = source.analysis.cells.map((cell) => ({
      ...cell,
      takes: cell.takes.map((take) => (take.sha256 === null ? take : { ...take, sha256: one?.takes[0]?.sha256 ?? '' })),
    }));
    const text = (await rendered(html, { ...source, analysis: { ...source.analysis, cells } })).get('report.html');
    writeFileSync(join(folder, 'same.html'), text ?? '');
    await open('same.html', { own: { javaScriptEnabled: false } }, async (page) => {
      expect(await page.locator('#images img').count()).toBe(1);
      expect(await page.locator('#images a.blank').first().textContent()).toBe('the same bytes as an image above');
    });
    await open('same.html', {}, async (page) => {
      // Those of the kind that is shown.
      expect(await page.locator('#images img').count()).toBe(9);
      expect(await page.locator('#images a.blank').filter({ visible: true }).count()).toBe(0);
      expect(await page.evaluate('document.querySelectorAll("#images img[id]").length')).toBe(1);
    });
  });
});
