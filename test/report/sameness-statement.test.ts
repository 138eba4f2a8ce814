import { expect, test } from 'vitest';
import { samenessSentences } from '../../src/report/sameness-statement.ts';
import { reported } from '../fixtures/report-source.ts';
import { ORDINARY, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const [STANDARD, FAST] = ORDINARY.variants;

function sentencesOf(telling: Partial<Telling>): readonly string[] {
  return samenessSentences(
    reported(scriptedRun({ ...ORDINARY, prompts: ORDINARY.prompts.slice(0, 2), ...telling })).analysis,
  );
}

const ok = (output: number) => ({ outcome: 'ok', totalMs: 100, output }) as const;

function named(count: number) {
  if (STANDARD === undefined || FAST === undefined) throw new Error('the ordinary run has variants');
  return [STANDARD, ...Array.from({ length: count - 1 }, (_, at) => ({ ...FAST, name: `fast-${at}` }))];
}

test('variants whose repeats are equal share a sentence with their cells', () => {
  expect(sentencesOf({ variants: ORDINARY.variants.slice(0, 2), tell: () => ok(0) })).toEqual([
    'Repeats of each variant are byte-identical in 12 of 12 cells',
  ]);
  expect(sentencesOf({ variants: named(7), seeds: [1], tell: () => ok(0) })).toEqual([
    'Repeats of each variant are byte-identical in 14 of 14 cells',
  ]);
});

test('variants whose repeats differ are said first, with how many of their cells', () => {
  const tell: Telling['tell'] = (variant, prompt, seed, repeat) =>
    ok(variant === 'fast' && prompt === 'fox' && seed === 1 ? repeat : 0);
  expect(sentencesOf({ variants: ORDINARY.variants.slice(0, 2), tell })).toEqual([
    'Repeats of fast are not pixel-identical in 1 of 6 cells',
    'Repeats of standard are byte-identical in 6 of 6 cells',
  ]);
});

test('many variants whose repeats differ are counted beyond those that differ most', () => {
  const tell: Telling['tell'] = (variant, prompt, seed, repeat) =>
    ok(variant !== 'standard' && (variant === 'fast-3' || prompt === 'fox') ? repeat + 10 * seed : 0);
  expect(sentencesOf({ variants: named(8), tell })).toEqual([
    'Repeats of fast-3 are not pixel-identical in 6 of 6 cells',
    'Repeats of fast-0 are not pixel-identical in 3 of 6 cells',
    'Repeats of fast-1 are not pixel-identical in 3 of 6 cells',
    'Repeats of 4 more variants differ in some cells',
    'Repeats of standard are byte-identical in 6 of 6 cells',
  ]);
});

test('variants whose repeats come from a cache are named, and not called equal', () => {
  const [variant] = ORDINARY.variants;
  if (variant === undefined) throw new Error('the ordinary run has variants');
  const { analysis } = reported(scriptedRun({ ...ORDINARY, variants: [variant], tell: () => ok(0) }));
  const cached = analysis.measures.map((measure) =>
    measure.metric.startsWith('determinism.')
      ? { ...measure, value: null, notes: [{ code: 'cached' } as const] }
      : measure,
  );
  expect(samenessSentences({ ...analysis, measures: cached })).toEqual([
    'Repeats of standard come from a cache: whether they would be equal is not testable',
  ]);
});

test('variants with one take of each cell have no sentence on repeats', () => {
  expect(sentencesOf({ tell: () => ok(0), repeats: 1 })).toEqual([]);
});
