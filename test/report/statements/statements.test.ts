import { expect, test } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { VariantStability } from '../../../src/analysis/stability.ts';
import { uncoveredMetrics } from '../../../src/gate/verdict-lines.ts';
import { DATA_ID, dataOf } from '../../../src/markup/page-data.ts';
import { spendSentence } from '../../../src/report/run-statement.ts';
import { sameOutputs, stabilitySentences } from '../../../src/report/sameness-statement.ts';
import { measuresOf } from '../../../src/report/statement.ts';
import { renderTerminal } from '../../../src/report/terminal.ts';
import type { Kind } from '../../../src/suite/kind.ts';
import { only } from '../../fixtures/only.ts';
import { pageOf } from '../../fixtures/rendered-page.ts';
import { reported } from '../../fixtures/report-source.ts';
import { reviewed } from '../../fixtures/reviewed.ts';
import { failed, gateRule, named, ORDINARY, ok, scriptedRun, type Telling } from '../../fixtures/scripted-run.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

/** Two kinds: images take from 0.9 to 1.1 s, videos a tenth of that. */
const TWO_KINDS = scriptedRun({
  ...ORDINARY,
  concurrency: 1,
  variants: ORDINARY.variants
    .slice(0, 2)
    .map((variant, at) => ({ ...variant, kind: at === 0 ? 'text-to-image' : 'text-to-video', baseline: true })),
  prompts: ORDINARY.prompts.map((prompt) => ({ ...prompt, kinds: ['text-to-image', 'text-to-video'] })),
  tell: (variant, _, seed, repeat) => ok((variant === 'standard' ? 1 : 0.1) * (900 + 30 * (seed % 3) + 40 * repeat)),
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
  const { cells } = dataOf(document.querySelector(`#${DATA_ID}`)?.textContent ?? '');
  for (const { variant, outputs } of cells)
    for (const { took } of outputs) expect(took).toMatch(variant === 'standard' ? / s$/ : / ms$/);
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

/** @param tell what a lone variant delivers, of 6 prompts x seeds */
function repeatsOf(tell: Telling['tell'], repeats = 3): readonly string[] {
  const telling = { ...ORDINARY, variants: named('standard'), prompts: ORDINARY.prompts.slice(0, 2), tell, repeats };
  const { analysis } = reported(scriptedRun(telling));
  const { level, testable, tooFew, value, bound, shortBound } = sameOutputs(
    only(analysis.variants),
    analysis.cells,
    measuresOf(analysis),
  );
  return [`${level ?? 'no level'}, ${testable} testable, ${tooFew} too few`, value ?? 'no value', bound, shortBound];
}

reviewed('repeats', {
  // 1 - 0.05^(1/12).
  equal: () => repeatsOf(() => ok(100)),
  'one of a cell differs': () =>
    repeatsOf((_, prompt, seed, repeat) => ok(100, prompt === 'fox' && seed === 1 && repeat === 3 ? 1 : 0)),
  'one of each': () => repeatsOf(() => ok(100), 1),
  'none of a seed': () => repeatsOf((_, __, seed) => (seed === 1 ? failed() : ok(100))),
});

/** @param told how many takes of each variant delivered, and how many failed */
function spent(
  told: Readonly<Record<string, readonly [ok: number, failed: number]>>,
  isPriced = true,
  mostUsd?: number,
) {
  const price = isPriced ? ({ per: 'output', usd: 0.05 } as const) : null;
  const variants = Object.keys(told).map((name) => ({ name, baseUrl: 'https://api.test', price }));
  const samples = Object.entries(told).flatMap(([variant, [delivered, lacking]]) =>
    Array.from({ length: delivered + lacking }, (_, at) => {
      const trial = { variant, repeat: at + 1 };
      return at < delivered ? buildOk(100, 'a', { trial }) : buildFailure('error', { trial });
    }),
  );
  const record = buildStoredRun({ variants, samples });
  const intents = record.intents.map((intent) => (mostUsd === undefined ? intent : { ...intent, mostUsd }));
  return spendSentence(analyse({ ...record, intents }, METRICS).analysis);
}

reviewed('spend', {
  'one variant': () => spent({ fast: [1, 0] }),
  'two variants': () => spent({ fast: [1, 0], slow: [2, 0] }),
  'some unknown': () => spent({ fast: [1, 1] }),
  'some unknown, of a known most': () => spent({ fast: [1, 1] }, true, 0.2),
  'all unknown, of a known most': () => spent({ fast: [0, 1] }, true, 0.2),
  'no price': () => spent({ fast: [1, 0] }, false),
});

type Counts = Omit<VariantStability, 'changed'> & { readonly changed: number };

function stability(variant: string, found: Partial<Counts> = {}): VariantStability {
  const { changed = 0, ...counts } = found;
  const cells = Array.from({ length: changed }, (_, at) => ({
    prompt: at < 6 ? 'fox' : 'cat',
    seed: at + 1,
    outputs: null,
  }));
  return { variant, level: 'byte', cells: 12, common: 12, stable: 12, compared: 12, ...counts, changed: cells };
}

const STANDARD = stability('standard');
const changed = (name: string, cells: number, more: Partial<Counts> = {}) =>
  stability(name, { level: 'pixel', changed: cells, ...more });

const sinceStored = (stability: readonly VariantStability[], baselineRun: string | null = 'night-1') => {
  const variants = stability.map(({ variant: name }) => ({ name, kind: 'text-to-image' as const }));
  return stabilitySentences({ stability, verdict: { baselineRun, rules: [] }, analysis: { variants } });
};

reviewed('against-the-stored-baseline', {
  'no stored baseline': () => sinceStored([]),
  'as before': () => sinceStored([STANDARD, stability('fast')]),
  'one alone, a baseline without a run': () => sinceStored([changed('fast', 1)], null),
  'other files': () => sinceStored([changed('fast', 8, { level: 'byte' })]),
  'as before, at two levels': () => sinceStored([STANDARD, stability('fast', { level: 'pixel' })]),
  // The largest share of cells first.
  'two changed': () => sinceStored([STANDARD, changed('fast', 3), changed('tiny', 12)]),
  'eight changed': () => sinceStored(Array.from({ length: 8 }, (_, at) => changed(`v${at}`, at + 1))),
  'some not compared': () => sinceStored([changed('fast', 1, { cells: 14, stable: 10, compared: 9 })]),
  'some not compared of those as before': () =>
    sinceStored([stability('standard', { common: 10, stable: 10, compared: 10 }), stability('fast')]),
  'two not compared at all': () =>
    sinceStored([
      STANDARD,
      stability('fast', { stable: 0, compared: 0 }),
      stability('new', { common: 0, stable: 0, compared: 0 }),
    ]),
});

const variant = (name: string, kind: Kind = 'text-to-image', twinOf: string | null = null) => ({ name, kind, twinOf });
const result = (metric: string, name: string, against: string | null = null) => ({
  rule: gateRule(metric, { is: 'max', value: 1 }),
  variant: name,
  against,
});
const ofEach = (metric: string, variants: readonly ReturnType<typeof variant>[]) =>
  variants.map(({ name }) => result(metric, name));

const IMAGES = [variant('standard'), variant('fast')];
const VIDEOS = [variant('video', 'text-to-video'), variant('video-fast', 'text-to-video')];
const MANY = [...Array.from({ length: 8 }, (_, at) => variant(`image-${at}`)), ...VIDEOS];
const SPEED = result('latency.total', 'fast', 'standard');

reviewed('without-a-rule', {
  // Metrics that lack the same share a clause.
  'a kind': () =>
    uncoveredMetrics(
      [SPEED, ...ofEach('error_rate', IMAGES), ...ofEach('determinism.pixel', [...IMAGES, ...VIDEOS])],
      [...IMAGES, ...VIDEOS],
    ),
  'a variant beside one of its kind': () => uncoveredMetrics([result('error_rate', 'fast'), SPEED], IMAGES),
  // Not what others are compared with, nor variants of a stored baseline.
  nothing: () => uncoveredMetrics([SPEED], [...IMAGES, variant('fast@baseline', 'text-to-image', 'fast')]),
  'more than names can say': () =>
    uncoveredMetrics([result('error_rate', 'image-0'), ...ofEach('determinism.pixel', MANY)], MANY),
});
