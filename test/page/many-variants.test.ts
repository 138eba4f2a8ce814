import { describe, expect, it } from 'vitest';
import type { CellLikeness } from '../../src/analysis/output-summaries.ts';
import { markdown } from '../../src/report/reporters/markdown.ts';
import { renderTerminal } from '../../src/report/terminal.ts';
import { rendered } from '../contracts/reporter.ts';
import { buildWarning } from '../fixtures/build-warning.ts';
import { distinctTelling } from '../fixtures/distinct-images.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { chance, failed, ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';
import { of, take, warningsIn } from '../fixtures/warning-evidence.ts';

const STANDARD = ORDINARY.variants[0];
const COUNT = 40;

/** A baseline variant and 39 others, the later the faster; every second one fails now and then. */
const MANY: Telling = {
  ...ORDINARY,
  variants: ORDINARY.variants.slice(0, 1).concat(
    Array.from({ length: COUNT - 1 }, (_, at) => ({
      name: `model-${at + 1}-${'long-name-'.repeat(4)}`,
      kind: STANDARD?.kind ?? 'text-to-image',
      target: 'reference/text-to-image',
      baseline: false,
      constants: { model: `model-${at + 1}` },
    })),
  ),
  prompts: ORDINARY.prompts.slice(0, 3),
  seeds: [1, 2],
  repeats: 2,
  concurrency: 1,
  tell: (name, prompt, seed, repeat) => {
    const at = Number(/\d+/.exec(name)?.[0] ?? 0);
    const noise = chance(name, prompt, seed, repeat);
    if (at % 2 === 1 && prompt === 'fox' && repeat === 2) return failed('http_503', 'upstream connect error', 503);
    return ok((3000 - 60 * at) * (0.99 + 0.02 * noise));
  },
};

const page = (telling: Telling) => pageOf(reported(scriptedRun(telling)));

/** The names of the rows of a chart, in their order. */
function namesIn(chart: { readonly textContent: string | null } | null | undefined): readonly string[] {
  return chart?.textContent?.match(/standard|model-\d+-/g) ?? [];
}

describe('report.html of 40 variants', () => {
  it.each(['latency', 'timings', 'timeline'])(
    'report.html of 40 variants shows a dozen rows of a chart, the baseline variant and then the fastest, and folds the others: %s',
    async (id) => {
      const { document } = await page(MANY);
      const [atSight, folded] = [...document.querySelectorAll(`#${id} .chart`)];
      const fastest = Array.from({ length: 11 }, (_, at) => `model-${39 - at}-`);
      expect(namesIn(atSight)).toEqual(['standard', ...fastest]);
      expect(namesIn(folded)).toHaveLength(COUNT - 12);
      expect(folded?.closest('details')?.querySelector('summary')?.textContent).toBe('28 more rows of this chart');
      expect(atSight?.closest('details')).toBeNull();
    },
  );

  it('report.html of 40 variants draws what is folded on the scale of what is at sight', async () => {
    const { document } = await page(MANY);
    const scaleOf = (chart: Element | undefined) => chart?.querySelector('.ticks')?.textContent;
    const [atSight, folded] = [...document.querySelectorAll('#comparison .chart')];
    expect(namesIn(atSight)[0]).toBe('model-39-');
    expect(document.querySelector('#comparison .note.fine')?.textContent).toBe(
      '40 variants: by median latency, the fastest first.',
    );
    expect(namesIn(folded)).toHaveLength(COUNT - 1 - 12);
    expect(scaleOf(folded)).toMatch(/1x.*x/);
    expect(scaleOf(folded)).toEqual(scaleOf(atSight));
  });

  it('report.html of 40 variants puts the numbers of all into a frame that scrolls', async () => {
    const { document } = await page(MANY);
    expect(document.querySelectorAll('#looks .narrow > .tall[tabindex="0"] tbody tr')).toHaveLength(COUNT);
    expect((await page(ORDINARY)).document.querySelectorAll('#looks .tall')).toHaveLength(0);
  });

  it('report.html of 40 variants says the fastest first', async () => {
    const { words } = await page(MANY);
    expect(words('#outcome .headlines li')[0]).toMatch(/^model-39-/);
  });

  it('report.html of 40 variants writes long names upwards over the grid of equal outputs', async () => {
    const { document } = await page(MANY);
    expect(document.querySelector('#same-output table.grid')?.classList.contains('upright')).toBe(true);
    expect((await page(ORDINARY)).document.querySelectorAll('#same-output table.upright')).toHaveLength(0);
  });

  it('report.html of 40 variants says a cause of failures once, with its message', async () => {
    const { words } = await page(MANY);
    expect(words('#what-failed + ul li')).toEqual([
      expect.stringMatching(
        /^model-1-\S+, model-3-\S+, model-5-\S+ and 17 more: 40 of 240 images \(16\.7 %\): error \(http_503\), upstream connect error$/,
      ),
    ]);
  });

  it('report.html of 40 variants folds warnings of one kind after three', async () => {
    const { document, words } = await page(MANY);
    const atSight = [...document.querySelectorAll('#warnings .content > ul > li:not(.more)')];
    expect(atSight.filter(({ textContent }) => textContent?.includes('failed'))).toHaveLength(3);
    expect(words('#warnings .more > details > summary')[0]).toBe('17 more warnings of this kind');
  });

  it('report.html of 40 variants says first what speed costs: the fastest of the most similar, and the fastest', async () => {
    const source = reported(scriptedRun(MANY));
    // Half of the variants, the slower ones, keep all images; one is not compared.
    const likeness = source.analysis.likeness.map((pair): CellLikeness => {
      const at = Number(/\d+/.exec(pair.variant)?.[0]);
      if (at === 19 && pair.seed === 2) return pair;
      const { variant, baseline, kind, prompt, seed } = pair;
      const cells = { variant, baseline, kind, prompt, seed, output: 'a'.repeat(64), baselineOutput: 'b'.repeat(64) };
      const word = at < 20 ? 'similar' : 'changed';
      return { ...cells, word, decidedBy: null, difference: null, sharpness: 1, repeatSsim: 1, otherSeed: null };
    });
    const told = { ...source, analysis: { ...source.analysis, likeness } };
    const { words } = await pageOf(told);
    expect(words('.headlines:not(.more) li')).toEqual([
      expect.stringMatching(
        /^Fast and similar: model-18-\S+ is 1\.6x as fast as standard; 6 of 6 images stay visually similar\.$/,
      ),
      expect.stringMatching(
        /^Among the fastest: model-39-\S+ is \S+ as fast as standard; none of 6 images stays similar\.$/,
      ),
    ]);
    expect(words('.strip-images > figure .who').slice(0, 3)).toEqual([
      expect.stringMatching(/^standard/),
      expect.stringMatching(/^model-18-/),
      expect.stringMatching(/^model-39-/),
    ]);
    const terminal = renderTerminal(told, { colour: false, ascii: false, width: 80, hasPage: true });
    expect(terminal).toMatch(/ Fast and similar:\s+model-18-[\s\S]*^Among the fastest: model-39-/m);
  });

  it('report.html of 40 variants counts its warnings as every other report does: as the rows of analysis.json', async () => {
    const source = reported(scriptedRun(MANY));
    const unfit = buildWarning('single_takes', { unfit: ['latencies', 'of one take'] });
    const dependent = Array.from({ length: 38 }, (_, at) => buildWarning('dependent_takes', { variants: [`v${at}`] }));
    const warnings = [unfit, ...source.analysis.warnings, ...dependent];
    const said = { ...source, analysis: { ...source.analysis, warnings } };
    const kinds = new Set(warnings.map(({ code }) => code)).size;
    const counted = `${warnings.length} warnings of ${kinds} kinds`;
    const { document, words } = await pageOf(said);
    expect(words('.run-head a[href="#warnings"]')).toEqual([`${warnings.length} warnings`]);
    expect(words('#warnings .about .note')).toEqual([`${counted}, 1 of them at the top of this page.`]);
    expect(document.querySelectorAll('#warnings dl')).toHaveLength(warnings.length - 1);
    const terminal = renderTerminal(said, { colour: false, ascii: false, width: 80, hasPage: true });
    expect(terminal).toMatch(
      /^! single_takes was found\n[\s\S]*^! 2 of 12 pairs [\s\S]*\(19 more like it, \d+ other warnings\s+in the report\)$/m,
    );
    expect((await rendered(markdown, said)).get('summary.md')).toMatch(
      /<details><summary>\d+ more kinds of warnings<\/summary>/,
    );
  });

  it('report.html of 40 variants lists no more than six of them in a sentence', async () => {
    const source = reported(scriptedRun(MANY));
    const names = source.analysis.variants.map(({ name }) => name);
    const warmups = names.slice(1).map((name) => take({ ...of(name), outcome: 'error' }));
    const warnings = warningsIn({ variants: source.analysis.variants, warmups }).filter(
      ({ code }) => code === 'warmup_failed',
    );
    const { words } = await pageOf({ ...source, analysis: { ...source.analysis, warnings } });
    const sentences = words('p, li:not(:has(li)), dd').filter((text) => (text.match(/model-\d+-/g) ?? []).length > 6);
    expect(sentences).toEqual([]);
    expect(words('#warnings summary')).toEqual([
      expect.stringMatching(/^every warm-up of model-1-\S+, model-2-\S+, model-3-\S+ and 36 more failed$/),
    ]);
  });

  it('report.html of six variants folds no row and keeps the order of the suite', async () => {
    const { document, words } = await page(ORDINARY);
    expect(document.querySelectorAll('#latency .content details, #timeline .content details')).toHaveLength(0);
    expect(words('#latency .chart')[0]).toMatch(/standard.*fast.*fast-lcm/);
  });
});

describe('report.html of a run that delivered nothing', () => {
  it('report.html of a run that delivered nothing does not call it complete', async () => {
    const tell = () => failed('http_401', 'invalid key', 401);
    const { words } = await page({ ...ORDINARY, tell });
    expect(words('.run-head .chip')).toContain('Nothing delivered');
    expect(words('#what-failed + ul li')).toEqual([
      expect.stringMatching(/^standard, .*: 216 of 216 images \(100 %\): error \(http_401\), invalid key$/),
    ]);
  });
});

describe('report.html of 40 variants and 40 prompts', () => {
  it('report.html of 40 variants and 40 prompts weighs less than 2.2 MB without images, and marks every column of them', async () => {
    const { html: text } = await page(distinctTelling({ variants: 40, prompts: 40 }));
    expect(Buffer.byteLength(text)).toBeLessThan(2_200_000);
    const sheet = text.slice(text.indexOf('<section id="images"'));
    const heads = sheet.slice(0, sheet.indexOf('</thead>')).match(/<th scope="col" class="marked [^"]*">/g);
    expect(heads).toHaveLength(40);
    expect(new Set(heads).size).toBeGreaterThan(34);
    // One take of each cell cannot differ: no grid says so 1,600 times.
    expect(text).toContain('no prompt x seed has two delivered takes');
    expect(text).not.toContain('<table class="grid');
  });
});
