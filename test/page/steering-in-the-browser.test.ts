import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { likened } from '../fixtures/likened-run.ts';
import { violationsOf } from '../fixtures/opened-page.ts';
import { describeReports, pageOf } from '../fixtures/rendered-page.ts';
import { illustrated, reported } from '../fixtures/report-source.ts';
import { ATTACKED, FILMED, ORDINARY, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

/** Two kinds with 20 prompts each; every fifth prompt has a tag of its own. */
const MANY: Telling = {
  ...ORDINARY,
  seeds: [1],
  prompts: Array.from({ length: 20 }, (_, at) => {
    const [first] = ORDINARY.prompts;
    if (first === undefined) throw new Error('the ordinary run has prompts');
    const tags = at % 5 === 0 ? ['fifth'] : ['other'];
    return { ...first, id: `scene-${at + 1}`, text: `Scene ${at + 1} of a long walk`, tags };
  }),
};

const sources = async () => ({
  many: reported(scriptedRun(MANY)),
  ordinary: await illustrated(scriptedRun({ ...ORDINARY, prompts: ORDINARY.prompts.slice(2) })),
  likened: await likened(),
  films: await illustrated(scriptedRun(FILMED)),
  hostile: reported(scriptedRun({ ...ATTACKED, seeds: [1] })),
});

/** What is open at the address: the words of the row, and whether it stands within the window. */
async function openRow(page: Page): Promise<readonly [string, boolean]> {
  const row = page.locator('#failures tr:target');
  await row.waitFor();
  const isSeen = (): Promise<boolean> =>
    row.evaluate((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  await expect.poll(isSeen).toBe(true);
  return [(await row.innerText()).replaceAll(/\s+/g, ' '), true];
}

describeReports('the controls of a report in a browser', sources, (open) => {
  const visible = async (page: Page, selector: string): Promise<readonly string[]> =>
    (await page.locator(selector).filter({ visible: true }).allTextContents()).map((text) => text.trim());

  const PROMPTS = '#images article h4';

  it.each([true, false])(
    'one click leads from a failure to its cause, with message, first take and request, which pass axe-core; with script: %s',
    async (javaScriptEnabled) => {
      const own = { javaScriptEnabled };
      await open('ordinary.html', { own }, async (page, { complaints }) => {
        await page.locator('#outcome .brief a').first().focus();
        await page.keyboard.press('Enter');
        const [cause] = await openRow(page);
        expect(cause).toMatch(/moderated .* content_policy HTTP 422 Prompt was flagged/);
        expect(cause).toMatch(/take \S+, .*sent \d\d:\d\d:\d\d\.\d{3} UTC/);
        // The row leads to the outputs beside it.
        await page.locator('#failures tr:target').getByRole('link', { name: /seed/ }).click();
        await expect.poll(() => page.locator('td:target').isVisible()).toBe(true);
        await page.goto(`${page.url().split('#')[0]}#anime-image`);
        const place = page.locator('#images a.blank').filter({ visible: true }).first();
        expect(await place.textContent()).toBe('3 moderated');
        await place.click();
        expect((await openRow(page))[0]).toContain('content_policy HTTP 422');
        expect(complaints).toEqual([]);
        if (!javaScriptEnabled) return;
        await page.setViewportSize({ width: 390, height: 844 });
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await violationsOf(page, '#failures')).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      });
    },
  );

  it('a failure leads to the contact sheet with only the outputs beside it, by an address that can be passed on', async () => {
    let address = '';
    await open('ordinary.html', {}, async (page) => {
      const row = page.locator('#failures table').first().locator('tr', { hasText: 'content_policy' });
      await row.getByRole('link', { name: 'in the images' }).click();
      await page.waitForURL(/#images\?/);
      address = new URL(page.url()).hash;
      expect(await visible(page, PROMPTS)).toEqual(['market']);
    });
    expect(address).toContain('failure=content_policy');
    await open(`ordinary.html${address}`, {}, async (page) => {
      expect(await visible(page, PROMPTS)).toEqual(['market']);
      expect(await visible(page, '#images thead th')).toEqual(['anime-fast']);
      expect(await visible(page, '#images tbody th')).toEqual(['Seed 2']);
    });
  });

  it('the contact sheet gives its first prompts their buttons at once, others when they come near the screen, or a strip or a link leads to it', async () => {
    const buttons = (page: Page, at: number): Promise<number> =>
      page.locator('#images article').nth(at).locator('button.pick').count();
    let link = '';
    await open('many.html', {}, async (page, { complaints }) => {
      expect(await buttons(page, 11)).toBeGreaterThan(0);
      expect(await buttons(page, 15)).toBe(0);
      await page.locator('#images article').nth(15).scrollIntoViewIfNeeded();
      await expect.poll(() => buttons(page, 15)).toBeGreaterThan(0);
      expect(await buttons(page, 39)).toBe(0);
      await page.getByRole('link', { name: 'Anime image' }).click();
      const strip = page.locator('.strip').nth(1);
      await strip.locator('select').first().selectOption('scene-20, seed 1');
      await strip.locator('button.pick').first().click();
      expect(await page.locator('#compare').isVisible()).toBe(true);
      expect(await page.locator('#compare-prompt').textContent()).toBe('scene-20');
      expect(await buttons(page, 39)).toBeGreaterThan(0);
      await page.waitForURL(/#compare\?outputs=/);
      link = new URL(page.url()).hash;
      expect(complaints.filter((words) => !words.includes('ERR_FILE_NOT_FOUND'))).toEqual([]);
    });
    const led = async (page: Page): Promise<void> => {
      expect(await page.locator('#compare-prompt').textContent()).toBe('scene-20');
      expect(await buttons(page, 39)).toBeGreaterThan(0);
      expect(await buttons(page, 38)).toBe(0);
    };
    await open(`many.html${link}`, {}, led);
  });

  it('the contact sheet shows every prompt, is filtered by variant, text, tag, level and outcome, and a link leads to the same view', async () => {
    let link = '';
    await open('many.html', {}, async (page, { complaints }) => {
      expect(await visible(page, PROMPTS)).toEqual(MANY.prompts.map(({ id }) => id));
      const filter = page.locator('#filter');
      await filter.getByLabel('variant').selectOption('fast-lcm');
      const heads = '#images article:first-of-type thead th[class]';
      expect(await visible(page, heads)).toEqual(['standard', 'fast-lcm']);
      await filter.getByRole('searchbox').fill('fifth');
      expect(await visible(page, PROMPTS)).toEqual(['scene-1', 'scene-6', 'scene-11', 'scene-16']);
      expect(await filter.locator('.found').textContent()).toBe('4 of 20 prompts');
      await filter.getByRole('searchbox').fill('scene 16');
      expect(await visible(page, PROMPTS)).toEqual(['scene-16']);
      link = '#images?variant=fast-lcm&prompt=scene+16';
      await expect.poll(() => new URL(page.url()).hash).toBe(link);
      await filter.getByRole('button', { name: 'Reset' }).click();
      expect(await visible(page, PROMPTS)).toHaveLength(20);
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      await filter.getByLabel('level').selectOption('different');
      const captions = await page.locator('#images td:not(.out)[id]').filter({ visible: true }).allTextContents();
      expect(captions.length).toBeGreaterThan(2);
      for (const caption of captions) expect(caption).toContain('2 outputs in 3 takes');
      await filter.getByLabel('level').selectOption('');
      await filter.getByLabel('outcome').selectOption('timed_out');
      for (const text of await page.locator('#images td:not(.out)[id]').filter({ visible: true }).allTextContents()) {
        expect(text).toContain('timed out');
      }
      // The grid of takes leads to a cell whatever is filtered.
      const take = page.locator('.grid a.cell').filter({ visible: true }).last();
      const target = (await take.getAttribute('href')) ?? '';
      expect(await page.locator(target).isVisible()).toBe(false);
      await take.click();
      await expect.poll(() => page.locator(target).isVisible()).toBe(true);
      await expect
        .poll(() => page.locator(target).evaluate((cell) => cell.getBoundingClientRect().top))
        .toBeLessThan(900);
      expect(complaints).toEqual([]);
    });
    await open(`many.html${link}`, {}, async (page) => {
      expect(await visible(page, PROMPTS)).toEqual(['scene-16']);
      expect(await page.locator('#filter').getByLabel('variant').inputValue()).toBe('fast-lcm');
      // It is printed whole, without its controls.
      await page.locator('#filter').getByRole('button', { name: 'Reset' }).click();
      await page.emulateMedia({ media: 'print' });
      expect(await visible(page, PROMPTS)).toHaveLength(20);
      expect(await page.locator('#filter').isVisible()).toBe(false);
    });
  });

  it('the contact sheet without script folds all after twelve, a tab is a link, and a link into a kind shows it', async () => {
    const shown = async (page: Page) =>
      (await visible(page, '#outcome .headlines li')).map((each) => each.split(' ')[0]);
    await open('many.html', { own: { javaScriptEnabled: false } }, async (page) => {
      expect(await visible(page, PROMPTS)).toHaveLength(12);
      expect(await page.locator('#images > details summary').first().textContent()).toBe('8 more prompts');
      expect(await page.locator('#filter').isVisible()).toBe(false);
      expect(await shown(page)).toEqual(['fast', 'fast-lcm']);
      await page.getByRole('link', { name: 'Anime image' }).click();
      expect(await shown(page)).toEqual(['anime-fast', 'anime-fast-lcm']);
      expect(await page.evaluate('scrollY')).toBe(0);
      expect(await page.locator('#latency').isVisible()).toBe(true);
      const cell = await page.locator('#images article[data-kind=text-to-image] td[id]').first().getAttribute('id');
      await page.goto(`${page.url().split('#')[0]}#${cell}`);
      expect(await shown(page)).toEqual(['fast', 'fast-lcm']);
    });
  });

  it('the baseline variant stays at the left at 390 pixels, while others are swiped', async () => {
    await open('ordinary.html', { viewport: { width: 390, height: 844 } }, async (page, { complaints }) => {
      expect(await violationsOf(page, '#images')).toEqual([]);
      const frame = page.locator('#images article:first-of-type .scroll');
      const shown = (): Promise<readonly number[]> =>
        frame.locator('tbody tr:first-child td').evaluateAll((all) =>
          all.flatMap((cell, at) => {
            const { left, right } = cell.getBoundingClientRect();
            const isBehind =
              cell !==
              document
                .elementsFromPoint((left + right) / 2, cell.getBoundingClientRect().top + 20)
                .find((each) => each.matches('td'));
            return left >= 0 && right <= innerWidth + 1 && !isBehind ? [at] : [];
          }),
        );
      await frame.scrollIntoViewIfNeeded();
      await expect.poll(shown).toEqual([0, 1]);
      await frame.evaluate((node) => node.scrollBy({ left: 120 }));
      await expect.poll(shown).toEqual([0, 2]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(complaints).toEqual([]);
    });
  });

  it('a tab shows its kind in every part of the page, stays while links lead elsewhere, and is in the address of a filter', async () => {
    const shown = (page: Page) =>
      page.evaluate(
        "[...new Set([...document.querySelectorAll('main [data-kind]')].filter((each) => each.checkVisibility({ contentVisibilityAuto: false })).map(({ dataset }) => dataset.kind))]",
      );
    let link = '';
    await open('many.html', {}, async (page, { complaints }) => {
      expect((await page.locator('#outcome .kind-name').first().boundingBox())?.height).toBeGreaterThan(10);
      const tab = page.getByRole('link', { name: 'Anime image' });
      expect(await shown(page)).toEqual(['text-to-image']);
      await tab.focus();
      await page.keyboard.press('Enter');
      expect(await shown(page)).toEqual(['anime-image']);
      expect(await tab.getAttribute('aria-current')).toBe('true');
      expect(await page.evaluate('scrollY')).toBe(0);
      await page.locator('nav a[href="#details"]').click();
      expect(await shown(page)).toEqual(['anime-image']);
      await page.locator('#filter').getByLabel('variant').selectOption('anime-fast');
      link = new URL(page.url()).hash;
      expect(link).toBe('#images?kind=anime-image&variant=anime-fast');
      await tab.scrollIntoViewIfNeeded();
      await page.getByRole('link', { name: 'Text to image' }).click();
      expect(await visible(page, '#images article:first-of-type thead th')).toEqual(['standard', 'fast', 'fast-lcm']);
      expect(complaints).toEqual([]);
    });
    await open(`many.html${link}`, {}, async (page) => expect(await shown(page)).toEqual(['anime-image']));
  });

  /**
   * How far below the upper edge of the window a part of the page begins once nothing moves; 0 too where the page ends
   * before.
   */
  const ARRIVED = `(async (id) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (let still = 0, at = -1; still < 6; at = scrollY) {
        still = scrollY === at ? still + 1 : 0;
        await frame();
      }
      const left = document.documentElement.scrollHeight - innerHeight - scrollY;
      const { top } = document.getElementById(id).getBoundingClientRect();
      return left < 2 && top > 0 && top < innerHeight ? 0 : Math.round(top);
    })`;
  const PARTS = ['failures', 'places', 'method', 'details'];

  it('links arrive at their part of a long page, by a click, by the Enter key and by address', async () => {
    const options = { viewport: { width: 480, height: 900 } };
    const at = async (page: Page, id: string, how: string) =>
      expect([id, how, Math.abs(Number(await page.evaluate(`${ARRIVED}('${id}')`))) <= 64]).toEqual([id, how, true]);
    await open('ordinary.html', options, async (page) => {
      for (const [turn, id] of PARTS.entries()) {
        const links = page.locator(`main a[href="#${id}"], nav a[href="#${id}"]`).filter({ visible: true });
        if ((await links.count()) === 0) continue;
        await page.evaluate('scrollTo(0, 0)');
        await links.first().focus();
        if (turn % 2 === 0) await links.first().click();
        else await page.keyboard.press('Enter');
        await at(page, id, turn % 2 === 0 ? 'click' : 'Enter');
      }
    });
    await open('ordinary.html#failures', options, (page) => at(page, 'failures', 'address'));
  });

  it('a table is sorted by its heads, which stand above it at 390 pixels: numbers as numbers, missing ones last, and back to its order', async () => {
    await open('ordinary.html', { viewport: { width: 390, height: 844 } }, async (page, { complaints }) => {
      const table = page.locator('table.sortable').first();
      await table.evaluate((each) => {
        const rows = [...each.querySelectorAll<HTMLTableRowElement>('tbody:not(.kind) tr')].slice(0, 3);
        for (const [at, row] of rows.entries()) {
          row.dataset.at = String(at);
          const cell = row.cells[1];
          const value = ['10', '9', undefined][at];
          if (value === undefined) delete cell?.dataset.value;
          else if (cell !== undefined) cell.dataset.value = value;
        }
      });
      const order = () =>
        table
          .locator('tbody tr[data-at]')
          .evaluateAll((all) => all.map((row) => Number((row as HTMLElement).dataset.at)));
      const head = table.locator('thead th').nth(1);
      await head.getByRole('button').click();
      expect(await head.getAttribute('aria-sort')).toBe('ascending');
      expect(await order()).toEqual([1, 0, 2]);
      await head.getByRole('button').focus();
      await page.keyboard.press('Enter');
      expect(await head.getAttribute('aria-sort')).toBe('descending');
      expect(await order()).toEqual([0, 1, 2]);
      await table.locator('thead th').first().getByRole('button').click();
      expect(await table.locator('tbody:not(.kind) tr[data-at] > :first-child .name').allTextContents()).toEqual(
        ['fast', 'fast-lcm', 'standard'].map((name) => expect.stringContaining(name)),
      );
      for (let press = 0; press < 2; press += 1) await table.locator('thead th').first().getByRole('button').click();
      expect(await head.getAttribute('aria-sort')).toBeNull();
      expect(await order()).toEqual([0, 1, 2]);
      expect(complaints).toEqual([]);
    });
  });

  it('a strip shows any prompt and seed, by mouse and by keyboard, and its own images again', async () => {
    await open('ordinary.html', {}, async (page, { complaints }) => {
      const strip = page.locator('.strip').first();
      const sources = () =>
        strip.locator('.image').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).src.length));
      const names = () =>
        strip.locator('.image').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).alt));
      const first = await sources();
      expect(await strip.locator('h4').textContent()).toBe('lighthouse, seed 1');
      await strip.getByLabel('Prompt and seed').selectOption('market, seed 1');
      expect(await strip.locator('h4').textContent()).toBe('market, seed 1');
      expect(await strip.locator('.switch output').textContent()).toBe('4 of 6');
      expect(await strip.locator('.text').textContent()).toBe('Market street');
      expect(await names()).toEqual(['standard', 'fast', 'fast-lcm'].map((name) => `market, ${name}, seed 1, take 1`));
      expect(await strip.locator('[id]').count()).toBe(0);
      await strip.locator('button.pick').nth(1).click();
      expect(await page.locator('#compare-prompt').textContent()).toBe('market');
      await page.keyboard.press('Escape');
      await strip.getByRole('button', { name: 'Next' }).click();
      expect(await strip.locator('h4').textContent()).toBe('market, seed 2');
      await strip.locator('button.pick').nth(1).focus();
      for (let back = 0; back < 4; back += 1) await page.keyboard.press('ArrowLeft');
      expect(await strip.locator('h4').textContent()).toBe('lighthouse, seed 1');
      expect(await sources()).toEqual(first);
      expect(complaints.filter((each) => !each.includes('ERR_FILE_NOT_FOUND'))).toEqual([]);
    });
  });

  it('the most changed prompt and seed comes first in the strip and in the sheet, by mouse and by keyboard', async () => {
    const { document } = await pageOf(await likened());
    expect(document.querySelectorAll('#images img.image')).toHaveLength(12);
    expect(document.querySelectorAll('#images .heat')).toHaveLength(8);
    await open('likened.html', {}, async (page, { complaints }) => {
      const strip = page.locator('.strip').first();
      const shown = () => strip.locator('h4').textContent();
      expect(await shown()).toBe('market, seed 2');
      // Where it is similar nothing is said.
      expect(await strip.locator('.like').allTextContents()).toEqual(['another']);
      expect(await strip.locator('.like').getAttribute('title')).toBe(
        'another picture: picture hash (PDQ) 120 of 256 bits differ, limit 80',
      );
      expect(await strip.locator('.heat').count()).toBe(2);
      const small = strip.locator('.row-links a');
      expect(await small.count()).toBe(4);
      expect(await small.first().getAttribute('aria-label')).toBe(
        'market, seed 2: SSIM 0.30, another picture: picture hash (PDQ) 120 of 256 bits differ, limit 80',
      );
      await small.nth(1).click();
      expect(await shown()).not.toBe('market, seed 2');
      expect(await small.nth(1).getAttribute('aria-current')).toBe('true');
      await small.first().focus();
      await page.keyboard.press('Enter');
      expect(await shown()).toBe('market, seed 2');
      await strip.locator('button.pick').nth(2).click();
      expect(await page.locator('#compare .turn output').textContent()).toBe('1 of 4');
      await expect.poll(() => page.locator('.between').textContent()).toMatch(/^Another picture: SSIM 0\.30/);
      await page.locator('#compare').press('ArrowRight');
      expect(await page.locator('#compare .turn output').textContent()).toBe('2 of 4');
      await page.keyboard.press('Escape');
      const prompts = () => page.locator('#images article h4').allTextContents();
      expect(await prompts()).toEqual(['market', 'lighthouse']);
      expect(await violationsOf(page, '.strip')).toEqual([]);
      expect(complaints.filter((each) => !each.includes('ERR_FILE_NOT_FOUND'))).toEqual([]);
    });
  });

  it('a strip plays the videos of another prompt too', async () => {
    await open('films.html', {}, async (page, { complaints }) => {
      const strip = page.locator('.strip').first();
      await strip.getByRole('button', { name: 'Next' }).click();
      const film = strip.locator('button.film').first();
      await film.hover();
      await expect
        .poll(() => film.locator('video').evaluate((video) => !(video as HTMLVideoElement).paused))
        .toBe(true);
      await page.mouse.move(2, 2);
      await expect.poll(() => film.locator('video').evaluate((video) => (video as HTMLVideoElement).paused)).toBe(true);
      expect(complaints).toEqual([]);
    });
  });

  it('hostile names stay text in every control', async () => {
    await open('hostile.html', {}, async (page, { complaints }) => {
      const filter = page.locator('#filter');
      await filter.getByLabel('variant').selectOption({ index: 1 });
      expect(await page.locator('#images img[src=x], #filter script').count()).toBe(0);
      expect(await page.title()).not.toBe('broken');
      expect(complaints).toEqual([]);
    });
  });
});
