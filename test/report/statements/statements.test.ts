import { describe, expect, it, test } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { VariantStability } from '../../../src/analysis/stability.ts';
import { textOf } from '../../../src/markup/markup.ts';
import { methodSection } from '../../../src/page/sections/details/method.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { spendSentence } from '../../../src/report/run-statement.ts';
import { sameOutputs, stabilitySentences } from '../../../src/report/sameness-statement.ts';
import { measuresOf } from '../../../src/report/statement.ts';
import { uncoveredMetrics } from '../../../src/report/story/verdict-lines.ts';
import { renderTerminal } from '../../../src/report/terminal.ts';
import type { Kind } from '../../../src/suite/kind.ts';
import type { Price } from '../../../src/suite/load.ts';
import { pageOf } from '../../fixtures/rendered-page.ts';
import { reported } from '../../fixtures/report-source.ts';
import { gateRule, ORDINARY, scriptedRun, type Telling } from '../../fixtures/scripted-run.ts';
import { buildCalibration, buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

/** Two kinds: images take from 0.9 to 1.1 s, videos a tenth of that. */
const TWO_KINDS = scriptedRun({
  ...ORDINARY,
  concurrency: 1,
  variants: ORDINARY.variants
    .slice(0, 2)
    .map((variant, at) => ({ ...variant, kind: at === 0 ? 'text-to-image' : 'text-to-video', baseline: true })),
  prompts: ORDINARY.prompts.map((prompt) => ({ ...prompt, kinds: ['text-to-image', 'text-to-video'] })),
  tell: (variant, _, seed, repeat) => ({
    outcome: 'ok',
    totalMs: (variant === 'standard' ? 1 : 0.1) * (900 + 30 * (seed % 3) + 40 * repeat),
    output: 0,
  }),
});

const IN_MS = /\d ms\b/;
const IN_S = /\d s\b/;

test('latencies of a kind have one unit in tables, captions, charts and data of a page', async () => {
  const { document, words } = await pageOf(reported(TWO_KINDS));
  const captions = (variant: string) =>
    words(`figure[data-variant="${variant}"] figcaption`).concat(words('#images td > small'));
  expect(words('figure[data-variant="standard"] .much')).toEqual([expect.stringMatching(/^\d\.\d+ s$/)]);
  expect(words('figure[data-variant="fast"] .much')).toEqual([expect.stringMatching(/^\d+(\.\d)? ms$/)]);
  expect(captions('standard').join(' ')).not.toMatch(/9\d\d ms/);
  for (const place of ['#looks', '#latency', '#timeline']) {
    const text = words(`${place} tbody tr, ${place} .chart`).join('\n');
    expect(text, place).not.toMatch(/\b(9\d\d|1\d\d\d) ms/);
    expect(text, place).not.toMatch(/\b0\.0\d+ s/);
  }
  const data = JSON.parse(document.querySelector('#takes-data')?.textContent ?? '{}');
  expect(data).toMatchObject({ variants: ['standard', 'fast'], units: ['s', 'ms'] });
});

test('latencies of a kind have one unit in the table of a terminal and over its distributions', () => {
  const lines = renderTerminal(reported(TWO_KINDS), { colour: false, width: 100, hasPage: true }).split('\n');
  const kind = (name: string) =>
    lines
      .slice(lines.findIndex((line) => line.startsWith(name)))
      .slice(0, 2)
      .join('\n');
  expect(kind('Text to image')).toMatch(/\d+–1\.\d+ s/);
  expect(kind('Text to image')).not.toMatch(IN_MS);
  expect(kind('Text to video')).toMatch(IN_MS);
  expect(kind('Text to video')).not.toMatch(IN_S);
});

/**
 * Variants with the median latency given, each with an interval of 10 ms and takes that do not trend, on a machine with
 * this floor; null where it was not calibrated.
 */
function analysisOf(medians: Readonly<Record<string, number>>, floorMs: number | null) {
  const names = Object.keys(medians);
  const record = buildStoredRun({
    variants: names.map((name) => ({ name })),
    samples: names.flatMap((variant, at) =>
      [-1, 4, -5, 5, -4, 1].map((off, repeat) =>
        buildOk((medians[variant] ?? 0) + off, variant, {
          startedMs: 10_000 * at + 1000 * repeat,
          trial: { variant, repeat: repeat + 1 },
        }),
      ),
    ),
  });
  const calibration = floorMs === null ? null : buildCalibration({ floorMs });
  return analyse({ ...record, run: { ...record.run, calibration } }, METRICS).analysis;
}

describe('the noise floor', () => {
  it('the noise floor is explained by the page, or said not to be measured', () => {
    expect(textOf(methodSection(analysisOf({ fast: 100 }, 3)))).toMatch(
      /Noise floor<\/dt><dd>3\.00 ms: .*in 950 ms before/s,
    );
    expect(textOf(methodSection(analysisOf({ fast: 100 }, null)))).toContain('Noise floor</dt><dd>not measured');
  });
});

const ONE: Telling = { ...ORDINARY, variants: ORDINARY.variants.slice(0, 1), prompts: ORDINARY.prompts.slice(0, 2) };

function samenessOf(tell: Telling['tell'], repeats = 3) {
  const { analysis } = reported(scriptedRun({ ...ONE, tell, repeats }));
  const [variant] = analysis.variants;
  if (variant === undefined) throw new Error('no variant');
  return sameOutputs(variant, analysis.cells, measuresOf(analysis));
}

const ok = (output: number) => ({ outcome: 'ok', totalMs: 100, output }) as const;
const failed = { outcome: 'error', totalMs: 1, code: 'x', message: '', httpStatus: null } as const;

describe('equal repeats', () => {
  it('the statement on repeats carries its bound when every take is equal: 1 - 0.05^(1/12)', () => {
    expect(samenessOf(() => ok(0))).toMatchObject({
      level: 'byte',
      value: '6 of 6 prompts x seeds',
      bound: 'at most 22.1 % of further takes would differ (one-sided 95 % bound, n = 12)',
      shortBound: '≤ 22.1 % differ',
    });
  });

  it('the statement on repeats counts takes and cells that depart', () => {
    const same = samenessOf((_, prompt, seed, repeat) => ok(prompt === 'fox' && seed === 1 && repeat === 3 ? 1 : 0));
    expect(same).toMatchObject({ value: '5 of 6 prompts x seeds', shortBound: '5.6 % differ' });
    expect(same.bound).toMatch(
      /^5\.6 % of takes differ .*\(n = 18\); in 16\.7 % of prompts x seeds \[0\.4 – 64\.2 %\]$/,
    );
  });

  it('the statement on repeats says what cannot be tested', () => {
    expect(samenessOf(() => ok(0), 1)).toMatchObject({ value: null, testable: 0, tooFew: 6 });
    expect(samenessOf((_, __, seed) => (seed === 1 ? failed : ok(0)))).toMatchObject({
      value: '4 of 4 prompts x seeds',
      tooFew: 2,
    });
  });
});

describe('spend statement', () => {
  function sentenceOf(names: readonly string[], price: Price | null, samples: readonly Sample[], mostUsd?: number) {
    const variants = names.map((name) => ({ name, baseUrl: 'https://api.test', price }));
    const record = buildStoredRun({ variants, samples });
    const intents = record.intents.map((intent) => (mostUsd === undefined ? intent : { ...intent, mostUsd }));
    return spendSentence(analyse({ ...record, intents }, METRICS).analysis);
  }

  const PER_OUTPUT = { per: 'output', usd: 0.05 } as const;
  const ok = (variant: string, repeat = 1) => buildOk(100, 'a', { trial: { variant, repeat } });
  const failed = (variant: string, repeat = 2) => buildFailure('error', { trial: { variant, repeat } });

  it('what a run spent: says each variant', () => {
    expect(sentenceOf(['fast'], PER_OUTPUT, [ok('fast')])).toBe('Spent: $0.0500');
    expect(sentenceOf(['fast', 'slow'], PER_OUTPUT, [ok('fast'), ok('slow'), ok('slow', 2)])).toBe(
      'Spent: $0.150 (fast $0.0500, slow $0.100)',
    );
  });

  it('requests of unknown cost: are counted, with the most that they can add', () => {
    const samples = [ok('fast'), failed('fast')];
    expect(sentenceOf(['fast'], PER_OUTPUT, samples, 0.2)).toBe(
      'Spent: $0.0500; unknown for 1 of 2 requests, at most $0.200 more',
    );
    expect(sentenceOf(['fast'], PER_OUTPUT, samples)).toBe('Spent: $0.0500; unknown for 1 of 2 requests');
    expect(sentenceOf(['fast'], PER_OUTPUT, [failed('fast')], 0.2)).toBe(
      'Spent: unknown for 1 of 1 request, at most $0.200',
    );
  });

  it('a run without any price: says nothing of dollars', () => {
    expect(sentenceOf(['fast'], null, [ok('fast')])).toBeNull();
  });
});

type Counts = Omit<VariantStability, 'changed'> & { readonly changed: number };

function stability(variant: string, found: Partial<Counts> = {}): VariantStability {
  const { changed = 0, ...counts } = found;
  const cells = Array.from({ length: changed }, (_, at) => ({ prompt: at < 6 ? 'fox' : 'cat', seed: at + 1 }));
  return { variant, level: 'byte', cells: 12, common: 12, stable: 12, compared: 12, ...counts, changed: cells };
}

test('no stored baseline has no sentence', () => {
  expect(stabilitySentences([])).toEqual([]);
});

test('variants that still give the outputs of the stored baseline share a sentence for their level', () => {
  expect(stabilitySentences([stability('standard'), stability('fast')])).toEqual([
    'Usual outputs of each variant are byte-identical to those of the stored baseline in 24 of 24 prompts x seeds',
  ]);
  expect(stabilitySentences([stability('standard'), stability('fast', { level: 'pixel' })])).toEqual([
    'Usual outputs of standard are byte-identical to those of the stored baseline in 12 of 12 prompts x seeds',
    'Usual outputs of fast are pixel-identical to those of the stored baseline in 12 of 12 prompts x seeds',
  ]);
});

test('variants whose outputs changed come first, the largest share of cells first', () => {
  expect(
    stabilitySentences([
      stability('standard'),
      stability('fast', { level: 'pixel', changed: 3 }),
      stability('tiny', { level: 'pixel', changed: 12 }),
    ]),
  ).toEqual([
    'Usual outputs of tiny differ from those of the stored baseline in 12 of 12 prompts x seeds (not pixel-identical: fox and cat)',
    'Usual outputs of fast differ from those of the stored baseline in 3 of 12 prompts x seeds (not pixel-identical: fox)',
    'Usual outputs of standard are byte-identical to those of the stored baseline in 12 of 12 prompts x seeds',
  ]);
});

test('many variants whose outputs changed are counted beyond those that changed most', () => {
  const many = Array.from({ length: 8 }, (_, at) => stability(`v${at}`, { level: 'pixel', changed: at + 1 }));
  expect(stabilitySentences(many).map((sentence) => sentence.replace(/ differ.*/, ''))).toEqual([
    'Usual outputs of v7',
    'Usual outputs of v6',
    'Usual outputs of v5',
    'Usual outputs of 5 more variants',
  ]);
});

test('cells that were not compared are named apart, with the reason', () => {
  expect(
    stabilitySentences([stability('fast', { level: 'pixel', changed: 1, cells: 14, stable: 10, compared: 9 })]),
  ).toEqual([
    'Usual outputs of fast differ from those of the stored baseline in 1 of 9 prompts x seeds (not pixel-identical: fox); not compared: 2 prompts x seeds whose repeats differ in it, 1 prompt x seed without an output to compare and 2 prompts x seeds not in it',
  ]);
  expect(
    stabilitySentences([stability('standard', { common: 10, stable: 10, compared: 10 }), stability('fast')]),
  ).toEqual([
    'Usual outputs of each variant are byte-identical to those of the stored baseline in 22 of 22 prompts x seeds; not compared: 2 prompts x seeds not in it',
  ]);
});

test('variants without a compared cell are never called equal', () => {
  expect(
    stabilitySentences([
      stability('standard'),
      stability('fast', { stable: 0, compared: 0 }),
      stability('new', { common: 0, stable: 0, compared: 0 }),
    ]),
  ).toEqual([
    'Usual outputs of standard are byte-identical to those of the stored baseline in 12 of 12 prompts x seeds',
    'Usual outputs of each of fast and new were not compared with those of the stored baseline: 12 prompts x seeds whose repeats differ in it and 12 prompts x seeds not in it',
  ]);
});

const variant = (name: string, kind: Kind = 'text-to-image', twinOf: string | null = null) => ({ name, kind, twinOf });
const result = (metric: string, name: string, against: string | null = null) => ({
  rule: gateRule(metric, { is: 'max', value: 1 }),
  variant: name,
  against,
});

const IMAGES = [variant('standard'), variant('fast')];
const VIDEOS = [variant('video', 'text-to-video'), variant('video-fast', 'text-to-video')];

describe('what a gate has no rule for', () => {
  it('what a gate has no rule for is a kind by its name, and metrics that lack the same share a clause', () => {
    expect(
      uncoveredMetrics(
        [
          result('latency.total', 'fast', 'standard'),
          result('error_rate', 'standard'),
          result('error_rate', 'fast'),
          ...[...IMAGES, ...VIDEOS].map(({ name }) => result('determinism.pixel', name)),
        ],
        [...IMAGES, ...VIDEOS],
      ),
    ).toEqual(['No rule for latency.total and error_rate of text to video']);
  });

  it('what a gate has no rule for is a variant by its name where others of its kind have one', () => {
    expect(
      uncoveredMetrics([result('error_rate', 'fast'), result('latency.total', 'fast', 'standard')], IMAGES),
    ).toEqual(['No rule for error_rate of standard']);
  });

  it('what a gate has no rule for leaves out what others are compared with, and variants of a stored baseline', () => {
    expect(
      uncoveredMetrics(
        [result('latency.total', 'fast', 'standard')],
        [...IMAGES, variant('fast@baseline', 'text-to-image', 'fast')],
      ),
    ).toEqual([]);
  });

  it('what a gate has no rule for counts variants where names would be too many, not names of kinds', () => {
    const images = Array.from({ length: 8 }, (_, at) => variant(`image-${at}`));
    expect(
      uncoveredMetrics(
        [
          result('error_rate', 'image-0'),
          ...[...images, ...VIDEOS].map(({ name }) => result('determinism.pixel', name)),
        ],
        [...images, ...VIDEOS],
      ),
    ).toEqual(['No rule for error_rate of image-1, image-2, image-3 and 6 more']);
  });
});
