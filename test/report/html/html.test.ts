import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { html } from '../../../src/report/html/html.ts';
import type { ReportSource } from '../../../src/report/reporter.ts';
import { keepsTheReporterContract, rendered } from '../../contracts/reporter.ts';
import { illustrated, reported } from '../../fixtures/report-source.ts';
import {
  ATTACKED,
  FILMED,
  HOSTILE,
  largeTelling,
  ORDINARY,
  scriptedRun,
  type Telling,
  unsentRun,
} from '../../fixtures/scripted-run.ts';
import { wordedWarnings } from '../../fixtures/worded-warnings.ts';

keepsTheReporterContract(html);

async function page(source: ReportSource): Promise<string> {
  return (await rendered(html, source)).get('report.html') ?? '';
}

function read(text: string): {
  text: string;
  all: (selector: string) => readonly string[];
  count: (selector: string) => number;
} {
  const { document } = parseHTML(text);
  const all = (selector: string): readonly string[] =>
    [...document.querySelectorAll(selector)].map((node) => (node.textContent ?? '').replace(/\s+/g, ' ').trim());
  return { text: all('main').join(' '), all, count: (selector) => document.querySelectorAll(selector).length };
}

describe('report.html', () => {
  it('report.html has its sections in order, each in the table of contents', async () => {
    const { document } = parseHTML(await page(reported(scriptedRun(ORDINARY))));
    const sections = [...document.querySelectorAll('main > section')].map((section) => section.id);
    expect(sections).toEqual(['outcome', 'looks', 'certainty', 'sameness', 'images', 'details']);
    const links = [...document.querySelectorAll('nav > ul > li > a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(sections.map((id) => `#${id}`));
    const under = [...document.querySelectorAll('nav li li a')].map((link) => link.getAttribute('href'));
    expect(under).toEqual(
      [...document.querySelectorAll('#certainty > section, #details > section')].map((section) => `#${section.id}`),
    );
  });

  it('report.html gives every number of the table its interval, or the reason why not, and its n', async () => {
    const source = reported(scriptedRun(ORDINARY));
    const { document } = parseHTML(await page(source));
    const cells = [...document.querySelectorAll('#numbers .side-by-side td')];
    expect(cells).toHaveLength(6 * 5);
    for (const cell of cells) {
      const words = cell.textContent ?? '';
      if (!words.includes('/ s')) expect(words).toMatch(/\[.+ – .+\]|no CI: n < \d+|≤ \d|slices < \d+|identical/);
      expect(cell.querySelectorAll('small').length).toBeLessThanOrEqual(2);
    }
    expect(document.querySelector('#numbers .statements')?.textContent).toMatch(/\(one-sided 95 % bound, n = 24\)/);
  });

  it('report.html says how far same outputs carry, and never more', async () => {
    const { text, all } = read(await page(reported(scriptedRun(ORDINARY))));
    expect(text).not.toMatch(/\bdeterministic\b/i);
    expect(all('.statements li')).toContain(
      'fast same output in all takes: 12 of 12 cells, byte-identical; at most 11.8 % of further takes would differ (one-sided 95 % bound, n = 24)',
    );
    expect(all('#same-output .statements li').find((line) => line.startsWith('fast-lcm '))).toMatch(
      /same output in all takes: 11 of 12 cells, pixel-identical; 2\.8 % of takes differ from their cell's usual output \(n = 36\); in 8\.3 % of cells \[.*\]\. Bytes differ in 1 cell: pixels in 1$/,
    );
  });

  it('report.html tells cells apart by sign, not by colour alone', async () => {
    const { all } = read(await page(reported(scriptedRun(ORDINARY))));
    expect(new Set(all('.grid .cell.byte'))).toEqual(new Set(['=']));
    expect(all('.grid .cell.different')).toEqual(['≠']);
    expect(all('.grid .cell.few')).toEqual(['·']);
  });

  it('report.html leads from a cell that differs to its images, where every output is shown', async () => {
    const { document } = parseHTML(await page(await illustrated(scriptedRun(ORDINARY))));
    const target = document.querySelector('.grid .cell.different')?.getAttribute('href') ?? '';
    const cell = document.querySelector(target);
    expect(cell?.querySelectorAll('.image')).toHaveLength(2);
    expect(cell?.textContent).toContain('2 outputs in 3 takes');
  });

  it('report.html holds the bytes of each image once', async () => {
    const source = await illustrated(
      scriptedRun({ ...ORDINARY, tell: () => ({ outcome: 'ok', totalMs: 500, output: 0 }) }),
    );
    const shared = source.samples.find(({ output }) => output !== null)?.output?.sha256 ?? '';
    const samples = source.samples.map((effective) =>
      effective.output === null ? effective : { ...effective, output: { ...effective.output, sha256: shared } },
    );
    const cells = source.analysis.cells.map((cell) => ({
      ...cell,
      takes: cell.takes.map((take) => ({ ...take, sha256: shared })),
      outputGroups: [{ sha256: shared, takes: 3, level: 'byte' as const, image: 0 }],
    }));
    const text = await page({ ...source, samples, analysis: { ...source.analysis, cells } });
    const { document } = parseHTML(text);
    expect(document.querySelectorAll('#images img')).toHaveLength(1);
    const [first] = document.querySelectorAll('#images img');
    const others = [...document.querySelectorAll('#images .pick [data-same]')];
    expect(others).toHaveLength(cells.length - 1);
    for (const link of others) expect(link.getAttribute('href')).toBe(`#${first?.id}`);
    // Strips hold their own.
    expect(text.match(/data:image\/webp/g)).toHaveLength(1 + document.querySelectorAll('.strip img').length);
  });

  it('report.html shows images as images, with their shape, a name, and a link to the original', async () => {
    const { document } = parseHTML(await page(await illustrated(scriptedRun(ORDINARY))));
    const [image] = document.querySelectorAll('#images .output img');
    expect(image?.getAttribute('alt')).toBe('fox, standard, seed 1, take 1');
    expect(image?.getAttribute('src')).toMatch(/^data:image\/webp;base64,/);
    const attributes = ['width', 'height', 'loading', 'decoding'].map((name) => image?.getAttribute(name));
    expect(attributes).toEqual(['1024', '576', 'lazy', 'async']);
    const link = image?.closest('.output')?.querySelector('a.original');
    expect(link?.textContent).toBe('original');
    expect(link?.getAttribute('href')).toMatch(/^media\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.png$/);
  });

  it('report.html holds large copies while there is room, of all that is compared at one glance or of nothing', async () => {
    const source = await illustrated(scriptedRun(ORDINARY));
    const copy = new Uint8Array(100_000);
    const url = `data:image/webp;base64,${Buffer.from(copy).toString('base64')}`;
    const { document } = parseHTML(await page({ ...source, copy: () => copy }));
    const large = (selector: string) =>
      [...document.querySelectorAll(`${selector} img`)].filter((image) => image.getAttribute('src') === url).length;
    // Three variants of two kinds; a copy that stands in a strip stands there alone.
    expect(large('.strip')).toBe(6);
    expect(large('#images')).toBeGreaterThan(20);
    expect(large('#images [id="cell-0"]')).toBe(0);
    const rows = [...document.querySelectorAll('#images .sheet tbody tr')].map((row) => {
      const images = [...row.querySelectorAll('img')];
      return images.filter((image) => image.getAttribute('src') === url).length / images.length;
    });
    expect(new Set(rows)).toEqual(new Set([0, 1]));
    const bytes = Buffer.byteLength(await page({ ...source, copy: () => copy }));
    expect(bytes).toBeGreaterThan(5_000_000);
    expect(bytes).toBeLessThan(8_000_000);
  });

  it('report.html leaves images out once they would weigh too much, and says how many', async () => {
    const source = reported(scriptedRun(ORDINARY));
    const text = await page({ ...source, thumbnail: () => new Uint8Array(1_000_000) });
    expect(text.match(/data:image\/webp/g)).toHaveLength(24);
    expect(text).toMatch(/\d+ more images did not fit into this page/);
  });

  it('report.html shows a video by its first frame, its length, and a preview that plays without script', async () => {
    const text = await page(await illustrated(scriptedRun(FILMED)));
    const { document } = parseHTML(text);
    // Eight cells; in the four of fast, takes differ. Each take's output has a preview; two stand in the strip too.
    const videos = [...document.querySelectorAll('#images .pick > video.image')];
    expect(videos).toHaveLength(12);
    expect(text.match(/data:video\/mp4/g)).toHaveLength(14);
    for (const video of videos) {
      expect(['controls', 'muted', 'loop', 'playsinline', 'autoplay'].map((name) => video.hasAttribute(name))).toEqual([
        true,
        true,
        true,
        true,
        false,
      ]);
      expect(video.getAttribute('preload')).toBe('none');
      expect(video.getAttribute('poster')).toMatch(/^data:image\/webp/);
    }
    expect(document.querySelector('.sheet tbody td')?.textContent).toContain('2.00 s of video, 24 fps');
    expect(document.querySelector('.sheet a.original')?.getAttribute('href')).toMatch(/\.mp4$/);
    expect(document.querySelector('meta[http-equiv]')?.getAttribute('content')).toContain("media-src data: 'self'");
  });

  it('the page holds the bytes of each preview once', async () => {
    const source = await illustrated(scriptedRun(FILMED));
    const shared = source.samples.find(({ output }) => output !== null)?.output?.sha256 ?? '';
    const cells = source.analysis.cells.map((cell) => ({
      ...cell,
      takes: cell.takes.map((take) => (take.sha256 === null ? take : { ...take, sha256: shared })),
    }));
    const text = await page({ ...source, analysis: { ...source.analysis, cells } });
    const { document } = parseHTML(text);
    expect(document.querySelectorAll('#images video')).toHaveLength(1);
    expect(text.match(/data:video\/mp4/g)).toHaveLength(1 + document.querySelectorAll('.strip video').length);
  });

  it('report.html leaves videos out before images once they would weigh too much, and says how many', async () => {
    const source = await illustrated(scriptedRun(FILMED));
    const text = await page({ ...source, preview: () => new Uint8Array(5_000_000) });
    expect(text.match(/data:video\/mp4/g)).toHaveLength(2);
    expect(text.match(/data:image\/webp/g)).toHaveLength(14);
    expect(text).toMatch(/11 more videos did not fit into this page for playing/);
  });

  it('report.html says nothing of videos where there are none', async () => {
    const text = await page(await illustrated(scriptedRun(ORDINARY)));
    expect(read(text).text).not.toMatch(/video/);
    expect(text).not.toMatch(/<video|data:video/);
  });

  it('report.html holds 10,000 samples in less than 10 MB', async () => {
    const source = reported(scriptedRun(largeTelling(10_000)));
    expect(source.samples.length).toBeGreaterThanOrEqual(10_000);
    const text = await page(source);
    expect(Buffer.byteLength(text)).toBeLessThan(10_000_000);
    expect(read(text).count('.grid .cell')).toBeGreaterThan(3000);
  });

  it('report.html says of a run that sent nothing that it is incomplete, and why', async () => {
    const { all } = read(await page(reported(unsentRun(ORDINARY))));
    expect(all('.facts dd')[1]).toMatch(
      /^Incomplete 216 of 216 planned takes have no result\. Why: interrupted\.(?! No take)/,
    );
    expect(all('#timeline .empty')).toEqual(['Nothing was sent.']);
    expect(all('#latency .empty')).toEqual(['No take was delivered.', 'No take was delivered.']);
  });

  it('report.html shows every warning with cause and remedy', async () => {
    const source = reported(scriptedRun(ORDINARY));
    const { all } = read(await page(source));
    expect(source.analysis.warnings.length).toBeGreaterThan(0);
    expect(all('.warnings strong')).toEqual(wordedWarnings(source.analysis).map(({ what }) => what));
    expect(all('.warnings dd')).toEqual(
      wordedWarnings(source.analysis).flatMap(({ cause, remedy }) => [cause, remedy]),
    );
  });

  it('report.html lets no hostile text become markup', async () => {
    const tell: Telling['tell'] = (_, __, seed, repeat) =>
      seed === 2
        ? { outcome: 'error', totalMs: 9, code: HOSTILE[0], message: HOSTILE.join(' '), httpStatus: 500 }
        : { outcome: 'ok', totalMs: 500, output: repeat % 2 };
    const ordinary = parseHTML(await page(await illustrated(scriptedRun({ ...ORDINARY, tell })))).document;
    const attacked = parseHTML(await page(await illustrated(scriptedRun({ ...ATTACKED, tell })))).document;
    for (const element of ['script', 'style', 'img', 'iframe', 'title', 'svg image', 'section', 'link']) {
      expect([element, attacked.querySelectorAll(element).length]).toEqual([
        element,
        ordinary.querySelectorAll(element).length,
      ]);
    }
    const handlers = [...attacked.querySelectorAll('*')].flatMap((node) =>
      [...node.attributes].map(({ name }) => name).filter((name) => name.startsWith('on') || name === 'style'),
    );
    expect(handlers).toEqual([]);
  });

  it('report.html spells out characters that would hide or turn text around', async () => {
    const text = await page(reported(scriptedRun(ATTACKED)));
    expect(text).toContain('evil\\u202egnp.exe\\u2066');
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069\u2028\u2029]/);
  });
});
