import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { noted } from '../../src/analysis/note.ts';
import type { CellLikeness, ComparedCells } from '../../src/analysis/output-summaries.ts';
import type { Measure } from '../../src/analysis/summaries.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { answersOf } from '../../src/report/answer-statement.ts';
import { likenessToBaseline, mostChangedSentence } from '../../src/report/likeness-statement.ts';
import { completeness } from '../../src/report/run-statement.ts';
import { samenessSentences } from '../../src/report/sameness-statement.ts';
import { isItSure, isItTheSame } from '../../src/report/short-answers.ts';
import { statementOf } from '../../src/report/statement.ts';
import { buildWarning } from '../fixtures/build-warning.ts';
import { only } from '../fixtures/only.ts';
import { reported } from '../fixtures/report-source.ts';
import { reviewed } from '../fixtures/reviewed.ts';
import { openRun, sweepRun } from '../fixtures/scripted-load.ts';
import { named, ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const ALONE: Telling = { ...ORDINARY, variants: named('standard'), concurrency: 1 };
const SOURCE = reported(scriptedRun({ ...ORDINARY, concurrency: 1 }));

const MEASURE: Measure = {
  variant: 'v',
  kind: 'text-to-image',
  prompt: null,
  step: null,
  metric: 'm',
  statistic: 'p95',
  value: 5,
  unit: 'ms',
  better: 'lower',
  n: 30,
  ciLow: 4,
  ciHigh: 6,
  ciLevel: 0.95,
  method: 'order_statistics',
  notes: [],
};

function measured(change: Partial<Measure> | null): string {
  const measure = change === null ? null : { ...MEASURE, ...change };
  const { value, interval, notes, n } = statementOf(measure, String, (low, high) => `${low}-${high}`);
  return [value ?? 'no value', interval ?? 'no interval', ...notes, `n = ${n}`].join(' | ');
}

reviewed('values', {
  'a value with its interval': () => measured({}),
  'without an interval': () => measured({ ciLow: null, notes: [noted('needs_n', 59)] }),
  'without a value': () => measured({ value: null, notes: [noted('value_needs_n', 14)] }),
  'without a reason': () => measured({ value: null }),
  'not measured': () => measured(null),
  'among the time-outs': () =>
    measured({ value: null, notes: [noted('censored_above_ms', 120_000), noted('needs_n', 59)] }),
});

function completed(
  change: Partial<Analysis>,
  outcomes?: Analysis['variants'][number]['outcomes'],
  missing = 0,
): string {
  const { analysis } = reported(scriptedRun({ ...ALONE, prompts: ORDINARY.prompts.slice(0, 2) }));
  const variants = analysis.variants.map((each) => ({ ...each, missing, outcomes: outcomes ?? each.outcomes }));
  return completeness({ ...analysis, variants, ...change });
}

const lacking = (outcome: 'error' | 'moderated', count: number): Analysis['failures'][number] => ({
  ...{ variant: 'standard', outcome, count, code: '', httpStatus: 500, message: '', undecodable: null },
  exampleTrial: '',
});

function stopped(stop: Analysis['run']['stop']): string {
  return completed({ run: { ...SOURCE.analysis.run, complete: false, stop } }, { cancelled: 2 }, 3);
}

reviewed('completeness', {
  'all delivered': () => completed({ failures: [] }),
  'one failed': () => completed({}),
  'some failed, one blocked': () => completed({ failures: [lacking('error', 3), lacking('moderated', 1)] }),
  'some dropped': () => completed({ failures: [] }, { ok: 13, dropped: 5 }),
  'a limit was reached': () => stopped({ reason: 'requests', limit: 7 }),
  killed: () => stopped(null),
});

it('nothing is sure in part where one speed is not to be relied on and the others show no difference', () => {
  const { analysis, comparisons } = SOURCE;
  const variants = analysis.variants.filter(({ kind }) => kind === 'text-to-image');
  const undecided = comparisons.map((each) => ({
    ...each,
    finding: 'undecided' as const,
    notes: each.variant === 'fast' ? [{ code: 'unfit_machine' as const }] : [],
  }));
  expect(isItSure(analysis, undecided, variants).words).toBe('No: not fast');
});

it('a variant that gave the same files as its baseline variant has no sentence, unless its speed is told apart', () => {
  const { analysis, comparisons } = SOURCE;
  const same = { ...analysis, warnings: [buildWarning('equal_variants', { variants: ['standard', 'fast'] })] };
  const undecided = comparisons.map((each) => ({ ...each, finding: 'undecided' as const }));
  const said = [comparisons, undecided].map((some) =>
    answersOf(same, some, analysis.variants).map(({ variant }) => variant),
  );
  expect(said[1]).toEqual(said[0]?.filter((name) => name !== 'fast'));
});

it('what could not be tested for equal repeats is counted beside what was', () => {
  const { analysis } = reported(scriptedRun(ALONE));
  const cells = analysis.cells.map((cell, at) => (at === 0 ? { ...cell, byte: 'too_few_takes' as const } : cell));
  expect(isItTheSame({ ...analysis, cells }, analysis.variants).words).toMatch(/^Yes: .*-identical, 1 not tested$/);
});

/** @param fasts variants beside `standard` */
function sameness(fasts: readonly string[], telling: Partial<Telling>): readonly string[] {
  const variants = named('standard', ...fasts);
  return samenessSentences(
    reported(scriptedRun({ ...ORDINARY, prompts: ORDINARY.prompts.slice(0, 2), variants, ...telling })).analysis,
  );
}

const SIX = Array.from({ length: 6 }, (_, at) => `fast-${at}`);

function fromCache(): readonly string[] {
  const { analysis } = reported(scriptedRun({ ...ALONE, tell: () => ok(100) }));
  const measures = analysis.measures.map((measure) =>
    measure.metric.startsWith('determinism.') ? { ...measure, value: null, notes: [noted('cached')] } : measure,
  );
  return samenessSentences({ ...analysis, measures });
}

reviewed('sameness', {
  'all equal': () => sameness(['fast'], { tell: () => ok(100) }),
  'all of many equal': () => sameness(SIX, { seeds: [1], tell: () => ok(100) }),
  'one differs in a cell': () =>
    sameness(['fast'], {
      tell: (variant, prompt, seed, repeat) =>
        ok(100, variant === 'fast' && prompt === 'fox' && seed === 1 ? repeat : 0),
    }),
  'many differ, one in all cells': () =>
    sameness([...SIX, 'fast-6'], {
      tell: (variant, prompt, seed, repeat) =>
        ok(100, variant !== 'standard' && (variant === 'fast-3' || prompt === 'fox') ? repeat + 10 * seed : 0),
    }),
  'from a cache': fromCache,
  'one take of each': () => sameness(['fast'], { tell: () => ok(100), repeats: 1 }),
});

type Word = ComparedCells['word'] | Extract<CellLikeness, { word: 'unknown' }>['why'];

function pairOf(word: Word, seed: number, ssim: number | null, frames = 1): CellLikeness {
  const cells = { variant: 'fast', baseline: 'standard', kind: 'text-to-image', prompt: 'fox', seed } as const;
  const outputs = { output: 'a'.repeat(64), baselineOutput: 'b'.repeat(64) };
  if (word !== 'similar' && word !== 'changed' && word !== 'another')
    return { ...cells, ...outputs, word: 'unknown', why: word };
  const difference = {
    frames,
    unpaired: 0,
    samples: null,
    ssim: ssim === null ? null : { p5: ssim, worst: ssim },
    chroma: null,
    pdqDistance: 40,
    similarityFrames: frames,
  };
  const decision =
    ssim === null
      ? ({ measure: 'size', value: null, limit: null } as const)
      : ({ measure: 'ssim', value: ssim, limit: 0.95 } as const);
  const decidedBy = word === 'similar' ? null : decision;
  return { ...cells, ...outputs, word, decidedBy, difference, sharpness: 1, repeatSsim: 1, otherSeed: null };
}

function analysisOf(...pairs: readonly CellLikeness[]): Analysis {
  return { ...SOURCE.analysis, likeness: [...pairs] };
}

const words = (...list: readonly Word[]) => list.map((word, at) => pairOf(word, at + 1, 0.9));

/** What is said of `fast`, whose speed is compared. */
function headline(...pairs: readonly CellLikeness[]): readonly string[] {
  const comparisons = SOURCE.comparisons.filter(({ variant }) => variant === 'fast');
  return answersOf(analysisOf(...pairs), comparisons, [FAST]).map(({ sentence }) => sentence);
}

const FAST = only(SOURCE.analysis.variants.filter(({ name }) => name === 'fast'));

function speeds(
  record: StoredRun,
  change: (all: typeof SOURCE.comparisons) => typeof SOURCE.comparisons = (all) => all,
) {
  const source = reported(record);
  const comparisons = change(source.comparisons);
  return answersOf(source.analysis, comparisons, source.analysis.variants).map(({ sentence }) => sentence);
}

reviewed('headlines', {
  'all similar': () => headline(...words('similar', 'similar')),
  'of each word': () => headline(...words('similar', 'changed', 'another')),
  'none similar': () => headline(...words('changed', 'another', 'another')),
  animations: () => headline(pairOf('similar', 1, 0.9, 24)),
  edits: () => headline(...words('similar', 'changed').map((pair) => ({ ...pair, kind: 'image-edit' as const }))),
  'some not compared': () => headline(...words('similar', 'baseline_missing', 'baseline_missing', 'not_compared')),
  'the baseline variant varies': () => headline(...words('baseline_varies', 'baseline_varies')),
  'the seed is unused': () => headline(...words('seed_unused')),
  'changed, and not compared': () => headline(...words('changed', 'another', 'candidate_varies', 'both_missing')),
  'a speed alone': () => headline(),
  'a likeness alone': () => answersOf(analysisOf(...words('similar')), [], [FAST]).map(({ sentence }) => sentence),
  'too few pairs': () => speeds(scriptedRun({ ...ORDINARY, seeds: [2], repeats: 1, concurrency: 1 })),
  'a sweep': () => speeds(sweepRun()),
  'a sweep with a step of too few': () =>
    speeds(sweepRun(), (all) => {
      const [first, ...others] = all.filter(({ step }) => step !== null);
      return first === undefined ? [] : [{ ...first, finding: 'too_few', nUnits: 4 }, ...others];
    }),
  'open load': () => speeds(openRun()),
});

const EQUAL = { ...pairOf('similar', 1, 1), difference: null } as CellLikeness;

reviewed('most-changed', {
  'another picture before the lowest SSIM': () =>
    mostChangedSentence(analysisOf(pairOf('changed', 2, 0.34), pairOf('another', 3, 0.8))),
  'the lowest SSIM': () => mostChangedSentence(analysisOf(pairOf('changed', 2, 0.34), pairOf('changed', 1, 0.5))),
  similar: () => mostChangedSentence(analysisOf(pairOf('similar', 1, 0.998))),
  'another size': () => mostChangedSentence(analysisOf(pairOf('changed', 1, null))),
  'equal pixels': () => mostChangedSentence(analysisOf(EQUAL)),
  'nothing compared': () => mostChangedSentence(analysisOf(...words('seed_unused'))),
});

describe('a likeness', () => {
  it('a variant has a likeness to the baseline variant of its kind alone', () => {
    const analysis = analysisOf(...words('similar', 'changed'));
    expect(likenessToBaseline(FAST, analysis)).toMatchObject({ compared: 2, similar: 1, changed: 1, another: 0 });
    const standard = only(analysis.variants.filter(({ name }) => name === 'standard'));
    expect(likenessToBaseline(standard, analysis)).toBeNull();
  });

  it('a likeness is counted again for other cells: a pair that was never sent is none', () => {
    const analysis = analysisOf(...words('similar', 'seed_unused'));
    const cells = analysis.cells.map((cell) => (cell.variant === 'fast' ? { ...cell, takes: [] } : cell));
    expect(likenessToBaseline(FAST, analysis)?.pairs).toHaveLength(2);
    expect(likenessToBaseline(FAST, { ...analysis, cells })?.pairs).toHaveLength(1);
  });
});
