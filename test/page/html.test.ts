import { describe, expect, it } from 'vitest';
import { blanked, pageOf } from '../fixtures/rendered-page.ts';
import { reported, sketched } from '../fixtures/report-source.ts';
import {
  ATTACKED,
  FILMED,
  failed,
  HOSTILE,
  largeTelling,
  ORDINARY,
  ok,
  scriptedRun,
  type Telling,
  unsentRun,
} from '../fixtures/scripted-run.ts';
import { flagged, lateTakes, warningsIn } from '../fixtures/warning-evidence.ts';

/** Nobody looks at the images of these pages. */
const PLAIN = () => reported(scriptedRun(ORDINARY));
const SKETCHED = () => sketched(scriptedRun(ORDINARY));

describe('report.html', () => {
  it('report.html has its sections in order, each in the table of contents', async () => {
    const { document } = await pageOf(PLAIN());
    const sections = [...document.querySelectorAll('main > section')].map((section) => section.id);
    expect(sections).toEqual(['outcome', 'looks', 'certainty', 'sameness', 'images', 'details']);
    const links = [...document.querySelectorAll('nav > ul > li > a')].map((link) => link.getAttribute('href'));
    expect(links.slice(0, -2)).toEqual(sections.slice(2).map((id) => `#${id}`));
    // Beside the parts, the kinds.
    expect(links.slice(-2)).toEqual(['#text-to-image', '#anime-image']);
    const under = [...document.querySelectorAll('.under a')].map((link) => link.getAttribute('href'));
    expect(under).toEqual(
      [...document.querySelectorAll('#certainty > section, #details > section')].map((section) => `#${section.id}`),
    );
  });

  it('report.html of lone variants puts nothing side by side', async () => {
    const [standard, , , anime] = ORDINARY.variants;
    if (standard === undefined || anime === undefined) throw new Error('the ordinary run has variants of two kinds');
    const { words } = await pageOf(reported(scriptedRun({ ...ORDINARY, variants: [standard, anime] })));
    expect(words('#outcome .headlines li')).toEqual([
      expect.stringMatching(/^standard takes \S+ s \[.*\], the median of 36 takes\.$/),
      expect.stringMatching(/^anime-standard takes \S+ s \[.*\], the median of 36 takes\.$/),
    ]);
    expect(words('.short dd').slice(0, 2)).toEqual(['Yes, to its 95 % interval', 'Yes: 12 of 12 byte-identical']);
  });

  it('report.html gives every number of the table its interval, or the reason why not, and its n', async () => {
    const source = PLAIN();
    const { document } = await pageOf(source);
    const cells = [...document.querySelectorAll('#looks .board tbody td')];
    expect(cells.length).toBe(6 * 7);
    for (const cell of cells) {
      const words = (cell.textContent ?? '').replaceAll('\u00a0', ' ');
      if (!words.includes('/ s') && words !== 'baseline' && words !== '–')
        expect(words).toMatch(
          /\[.+(?: – |, ).+\]|too few groups of pairs to tell \(\d of 7\)|needs \d+ takes|≤ \d|needs groups of \d+ takes|identical|not compared/,
        );
      expect(cell.querySelectorAll('small').length).toBeLessThanOrEqual(2);
    }
    expect(document.querySelector('#looks .statements')?.textContent).toMatch(/\(one-sided 95 % bound, n = 24\)/);
  });

  it('report.html names a level with the same word in its legend and below its images', async () => {
    const { text, words } = await pageOf(PLAIN());
    // Of the signs in the grid, for each kind.
    expect(words('#same-output [data-kind=text-to-image] .legend li')).toEqual(['= byte-identical', '≠ different']);
    expect(text('#images')).toContain('Where nothing else is said: 3 takes, byte-identical.');
    expect(text('#images').match(/3 takes, byte-identical/g)).toHaveLength(1);
  });

  it('report.html tells cells apart by sign, not by colour alone', async () => {
    const { words: all } = await pageOf(PLAIN());
    expect(new Set(all('.grid .cell.byte'))).toEqual(new Set(['=']));
    expect(all('.grid .cell.different')).toEqual(['≠']);
    expect(all('.grid .cell.few')).toEqual(['·']);
  });

  it('report.html leads from a cell that differs to its images, where every output is shown', async () => {
    const { document } = await pageOf(SKETCHED());
    const target = document.querySelector('.grid .cell.different')?.getAttribute('href') ?? '';
    const cell = document.querySelector(target);
    expect(cell?.querySelectorAll('.image')).toHaveLength(2);
    expect(cell?.textContent).toContain('2 outputs in 3 takes');
  });

  it('report.html holds the bytes of each image once', async () => {
    const source = sketched(scriptedRun({ ...ORDINARY, tell: () => ok(500) }));
    const shared = source.samples.find(({ output }) => output !== null)?.output?.sha256 ?? '';
    const samples = source.samples.map((effective) =>
      effective.output === null ? effective : { ...effective, output: { ...effective.output, sha256: shared } },
    );
    const cells = source.analysis.cells.map((cell) => ({
      ...cell,
      takes: cell.takes.map((take) => ({ ...take, sha256: shared })),
      outputGroups: [{ sha256: shared, takes: 3, level: 'byte' as const, image: 0 }],
    }));
    const { html: text, document } = await pageOf({ ...source, samples, analysis: { ...source.analysis, cells } });
    expect(document.querySelectorAll('#images img')).toHaveLength(1);
    const [first] = document.querySelectorAll('#images img');
    const others = [...document.querySelectorAll('#images .pick [data-same]')];
    expect(others).toHaveLength(cells.length - 1);
    for (const link of others) expect(link.getAttribute('href')).toBe(`#${first?.id}`);
    // Strips hold their own.
    expect(text.match(/data:image\/webp/g)).toHaveLength(1 + document.querySelectorAll('.strip img').length);
  });

  it('report.html says of a cell whose takes are all blank that, and no latency; its blocked takes are counted once', async () => {
    const { document, words } = await pageOf(reported(blanked(scriptedRun(ORDINARY), 'standard', 'fox')));
    expect(words('#images [data-prompt="fox"] td > .blank')).toContain('3 blank (suspected moderation)');
    expect(document.querySelector('#images')?.textContent).not.toMatch(/\b0 takes/);
    expect(words('.run-head a[href="#what-failed"]')).toEqual(['4 failed, 12 blocked']);
  });

  it('report.html shows images as images, with their shape, a name, and a link to the original', async () => {
    const { document } = await pageOf(SKETCHED());
    const [image] = document.querySelectorAll('#images .output img');
    expect(image?.getAttribute('alt')).toBe('fox, standard, seed 1, take 1');
    expect(image?.getAttribute('src')).toMatch(/^data:image\/webp;base64,/);
    const attributes = ['width', 'height', 'loading', 'decoding'].map((name) => image?.getAttribute(name));
    expect(attributes).toEqual(['1024', '576', 'lazy', 'async']);
    const link = image?.closest('.output')?.querySelector('a.original');
    expect(link?.textContent).toBe('original');
    expect(link?.getAttribute('href')).toMatch(/^media\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.png$/);
  });

  it('report.html links to no original that does not stand beside it: pruned, or written into another folder', async () => {
    const words = (document: Document): string => document.querySelector('#images > .note')?.textContent ?? '';
    const whole = (await pageOf(SKETCHED())).document;
    const [first, second] = [...whole.querySelectorAll('#images a.original')].map((link) => link.getAttribute('href'));
    expect(second).toMatch(/^media/);
    expect(words(whole)).toContain('Links named');
    const pruned = (await pageOf({ ...SKETCHED(), isBeside: (file) => file !== first })).document;
    expect(pruned.querySelector('#images a.original')?.getAttribute('href')).toBe(second);
    const alone = (await pageOf({ ...SKETCHED(), isBeside: () => false })).document;
    expect(alone.querySelectorAll('a.original')).toHaveLength(0);
    expect(words(alone)).not.toContain('original');
  });

  it('report.html shows a video by its first frame, its length, and a preview that plays without script', async () => {
    const { html: text, document } = await pageOf(sketched(scriptedRun(FILMED)));
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

  it('report.html says how many videos and images it leaves out, videos first', async () => {
    const source = sketched(scriptedRun(FILMED));
    const heavy = { preview: () => new Uint8Array(5_000_000), thumbnail: () => new Uint8Array(2_000_000) };
    const { html: text } = await pageOf({ ...source, ...heavy });
    expect(text).toMatch(/\d+ more videos did not fit into this page for playing/);
    expect(text).toMatch(/\d+ more images did not fit into this page/);
  });

  it('report.html says nothing of videos where there are none', async () => {
    const { html: text, text: words } = await pageOf(SKETCHED());
    expect(words('main')).not.toMatch(/video/);
    expect(text).not.toMatch(/<video|data:video/);
  });

  it('report.html holds 10,000 samples in less than 3 MB', async () => {
    const source = reported(scriptedRun(largeTelling(10_000)));
    expect(source.samples.length).toBeGreaterThanOrEqual(10_000);
    const { html: text } = await pageOf(source);
    expect(Buffer.byteLength(text)).toBeLessThan(3_000_000);
    expect(text.match(/<a class="cell /g)?.length).toBeGreaterThan(3000);
    // What is long is laid out when it comes into view.
    expect(text).toContain('<div class="long"><section id="same-output"');
  });

  it('report.html of a run that ended early says how to resume it; one that lacks takes at its end has nothing to resume', async () => {
    const command = 'To go on: retake run --resume results/image-variants/20261120T154500Z-7f3a';
    const { words: unsent } = await pageOf(reported(unsentRun(ORDINARY)));
    expect(unsent('#incomplete')[0]).toContain(command);
    const whole = scriptedRun(ORDINARY);
    const { words: lacking } = await pageOf(reported({ ...whole, samples: whole.samples.slice(0, -9) }));
    expect(lacking('#incomplete')[0]).toMatch(/^Incomplete /);
    expect(lacking('#incomplete')[0]).not.toContain('To go on');
  });

  it('report.html of a run without a delivered take says so once, then what failed, and leaves out what would show takes', async () => {
    const tell: Telling['tell'] = () => failed('http_500', 'no memory', 500);
    const { html: text, document, words: all } = await pageOf(reported(scriptedRun({ ...ORDINARY, tell })));
    expect(text.match(/No take was delivered/g)).toHaveLength(1);
    expect(all('#outcome .nothing + h3')).toEqual(['What failed']);
    expect(all('.under a')).toEqual(['Warnings', 'Timeline', 'Numbers', 'Failures', 'Method']);
    for (const link of document.querySelectorAll('main a[href^="#"], nav a')) {
      expect(document.querySelector(link.getAttribute('href') ?? '')).not.toBeNull();
    }
  });

  it('report.html warns of a variant of the suite that was left out', async () => {
    const whole = scriptedRun({ ...ORDINARY, tell: () => ok(500) });
    const reason = { code: 'no_video_encoder', encoder: 'libx264' } as const;
    const absent = { variant: 'film', twinOf: null, kind: 'text-to-video', reason, optional: false } as const;
    const { words } = await pageOf(reported({ ...whole, run: { ...whole.run, leftOut: [absent] } }));
    expect(words('#warnings summary')).toContain('1 variant of the suite left out: film');
    expect(words('.run-head a[href="#warnings"]')).toEqual(['1 warning']);
  });

  it('report.html leaves a kind without a delivered take out of the charts, and names it', async () => {
    const tell: Telling['tell'] = (variant, ...of) =>
      variant.startsWith('anime') ? failed('http_500', '', 500) : ORDINARY.tell(variant, ...of);
    const { words: all } = await pageOf(reported(scriptedRun({ ...ORDINARY, tell })));
    expect(all('#latency h4, #timings h4, #same-output h4')).toEqual([
      'Text to image',
      'Text to image',
      'Text to image',
    ]);
    expect(all('#latency .note')[0]).toContain('No take was delivered of: anime image.');
  });

  it('report.html voids in red, once, only the latencies whose p50 is not the same without late takes, and no speed beside them', async () => {
    const { analysis, ...source } = reported(scriptedRun({ ...ORDINARY, concurrency: 1 }));
    const told = async (agree: boolean) => {
      const warnings = warningsIn({
        variants: analysis.variants,
        trials: [...lateTakes('standard', 36), ...lateTakes('fast', 36)],
        flagged: [flagged('standard', 30, true), flagged('fast', 30, agree)],
      }).filter(({ code }) => code === 'too_many_late_stamps');
      const comparisons = source.comparisons.map((each) =>
        !agree && each.variant === 'fast' && each.metric.startsWith('latency.')
          ? { ...each, notes: [...each.notes, { code: 'unfit_machine' as const }] }
          : each,
      );
      return await pageOf({ ...source, comparisons, analysis: { ...analysis, warnings } });
    };
    const disagreeing = await told(false);
    expect(disagreeing.words('.warnings.unfit strong')).toEqual([
      'this machine could not keep up: do not use the latencies of fast',
    ]);
    expect(disagreeing.text('main').match(/do not use the latencies/g)).toHaveLength(1);
    expect(disagreeing.words('.board tr.void th .name')).toEqual(['fast']);
    expect(disagreeing.words('#outcome .headlines .void')).toEqual([
      expect.stringMatching(/^fast is .* \(do not rely on it\)\.$/),
    ]);
    expect(disagreeing.words('.short dd')[0]).toMatch(/^In part: fast-lcm faster in /);
    const agreeing = await told(true);
    expect(agreeing.words('.warnings.unfit, .board tr.void, .headlines .void')).toEqual([]);
    expect(agreeing.text('#warnings')).toContain('do not rely on p95 and small differences');
  });

  it('report.html shows every warning with cause and remedy', async () => {
    const source = PLAIN();
    const { words: all } = await pageOf(source);
    expect(source.analysis.warnings.length).toBeGreaterThan(0);
    expect(all('#warnings summary')).toEqual(source.analysis.warnings.map(({ what }) => what));
    expect(all('#warnings dd')).toEqual(source.analysis.warnings.flatMap(({ cause, remedy }) => [cause, remedy]));
  });

  it('report.html lays out at once a section whose many elements are in folds within a fold', async () => {
    const source = PLAIN();
    const [warning] = source.analysis.warnings;
    if (warning === undefined) throw new Error('the ordinary run has a warning');
    const warnings = Array.from({ length: 6000 }, () => warning);
    const { html: text } = await pageOf({ ...source, analysis: { ...source.analysis, warnings } });
    expect(text).toContain('more warnings of this kind');
    expect(text).not.toContain('<div class="long"><section id="warnings"');
  });

  it('report.html marks the images of a lone variant, which have the row to themselves', async () => {
    const alone = await pageOf(sketched(scriptedRun({ ...ORDINARY, variants: ORDINARY.variants.slice(0, 1) })));
    expect(alone.document.querySelectorAll('#looks .strip.lone')).toHaveLength(1);
    expect((await pageOf(SKETCHED())).document.querySelectorAll('.strip.lone')).toHaveLength(0);
  });

  it('report.html lets no hostile text become markup', async () => {
    const tell: Telling['tell'] = (_, __, seed, repeat) =>
      seed === 2 ? failed(HOSTILE[0], HOSTILE.join(' '), 500) : ok(500, repeat % 2);
    const ordinary = (await pageOf(sketched(scriptedRun({ ...ORDINARY, tell })))).document;
    const attacked = (await pageOf(sketched(scriptedRun({ ...ATTACKED, tell })))).document;
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
    const { html: text } = await pageOf(reported(scriptedRun(ATTACKED)));
    expect(text).toContain('evil\\u202egnp.exe\\u2066');
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069\u2028\u2029]/);
  });
});
