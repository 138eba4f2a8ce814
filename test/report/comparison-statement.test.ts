import { expect, test } from 'vitest';
import type { Comparison } from '../../src/analysis/comparison.ts';
import { metricsOf } from '../../src/analysis/metrics.ts';
import { assess } from '../../src/gate/assess.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { headlinesOf } from '../../src/report/answer-statement.ts';
import {
  comparisonGroups,
  groupSentence,
  headlineComparisons,
  moreUnits,
  tooFewWords,
} from '../../src/report/comparison-statement.ts';
import { once } from '../fixtures/once-for.ts';
import { reported } from '../fixtures/report-source.ts';
import { openRun, sweepRun } from '../fixtures/scripted-load.ts';
import { chance, ORDINARY, scriptedRun, type Telling, type ToldVariant } from '../fixtures/scripted-run.ts';

/** What headlines speak of. */
const LATENCY = metricsOf([]).filter(({ name }) => ['latency.total', 'latency.response'].includes(name));

function sentencesOf(record: StoredRun): readonly string[] {
  const { comparisons } = assess(record, LATENCY);
  return comparisonGroups(headlineComparisons(comparisons, record.run.plan.load)).map((group) => groupSentence(group));
}

const [STANDARD, FAST] = ORDINARY.variants;

function oneTake(variants: readonly ToldVariant[]): StoredRun {
  return scriptedRun({ ...ORDINARY, variants, seeds: [2], repeats: 1, concurrency: 1 });
}

const FAILED = { outcome: 'error', totalMs: 1, code: 'x', message: '', httpStatus: null } as const;

/** The ordinary run, in which only the baseline variants deliver. */
function baselinesOnly(variants: readonly ToldVariant[]): StoredRun {
  const tell: Telling['tell'] = (variant, ...where) =>
    variant.includes('standard') ? ORDINARY.tell(variant, ...where) : FAILED;
  return scriptedRun({ ...ORDINARY, variants, seeds: [2], repeats: 1, concurrency: 1, tell });
}

test('too few blocks tell nothing: an estimate without a verb, with the reason', () => {
  const found = sentencesOf(oneTake(ORDINARY.variants));
  expect(found[0]).toMatch(
    /^fast against standard: too few pairs of takes to tell \(4 of 7\); estimate \d\.\dx as fast$/,
  );
  const { comparisons } = assess(oneTake(ORDINARY.variants), LATENCY);
  const [first] = headlineComparisons(comparisons, { mode: 'closed' });
  expect(first).toMatchObject({ finding: 'too_few', value: expect.any(Number), ciLow: null, p: null, pAdjusted: null });
});

test('variants without a comparison for one reason share a sentence for each baseline', () => {
  expect(sentencesOf(baselinesOnly(ORDINARY.variants))).toEqual([
    'fast and fast-lcm against standard: no comparison: no pair of takes has both values',
    'anime-fast and anime-fast-lcm against anime-standard: no comparison: no pair of takes has both values',
  ]);
});

test('a variant that alone has no comparison is named with its baseline', () => {
  expect(sentencesOf(baselinesOnly(ORDINARY.variants.slice(0, 2)))).toEqual([
    'fast and standard: no comparison: no pair of takes has both values',
  ]);
});

test('many variants without a comparison are counted after the first three', () => {
  if (STANDARD === undefined || FAST === undefined) throw new Error('the ordinary run has variants');
  const many = Array.from({ length: 39 }, (_, at) => ({ ...FAST, name: `fast-${at}` }));
  expect(sentencesOf(baselinesOnly([STANDARD, ...many]))).toEqual([
    'fast-0, fast-1, fast-2 and 36 more against standard: no comparison: no pair of takes has both values',
  ]);
});

test('open load gives no comparison, and says that one variant was sent after the other', () => {
  expect(sentencesOf(openRun())[0]).toMatch(/: no comparison: .*variants were sent one after the other/);
});

test('what is compared has a sentence of its own', () => {
  const sentences = sentencesOf(scriptedRun({ ...ORDINARY, concurrency: 1 }));
  expect(sentences).toHaveLength(4);
  for (const sentence of sentences) expect(sentence).toMatch(/ is \d+\.\d\dx as fast as /);
});

test('a comparison that lacks many latencies is not to be relied on', () => {
  const tell: Telling['tell'] = (variant, prompt, seed, repeat) =>
    variant === 'fast' && repeat === 1 ? FAILED : ORDINARY.tell(variant, prompt, seed, repeat);
  const [sentence] = sentencesOf(
    scriptedRun({ ...ORDINARY, concurrency: 1, variants: ORDINARY.variants.slice(0, 2), tell }),
  );
  expect(sentence).toMatch(
    /12 pairs; by the mean, where slow takes count more, 3\.2x as fast; do not rely on it: more than 20 % of the pairs lack a latency$/,
  );
});

test('a speed is not to be relied on where the result changes without the flagged takes, or where nothing is left without them, and else it is', () => {
  /**
   * `fast` takes a third of the time, and where it is flagged `slower` times as long; its flags are said by the number
   * of the block.
   */
  const said = (isFlagged: (at: number) => boolean, slower: number): string => {
    let at = 0;
    const tell: Telling['tell'] = (variant, ...place) => {
      return { outcome: 'ok', totalMs: (variant === 'fast' ? 700 : 2000) * (1 + 0.1 * chance(...place)), output: 0 };
    };
    const two = { ...ORDINARY, concurrency: 1, variants: ORDINARY.variants.slice(0, 2), repeats: 2 };
    const record = scriptedRun({ ...two, tell });
    const samples = record.samples.map((sample) => {
      if (sample.outcome !== 'ok' || sample.trial.variant !== 'fast' || sample.trial.phase !== 'trial') return sample;
      at += 1;
      if (!isFlagged(at)) return sample;
      const { startedMs, doneMs } = sample.marks;
      const marks = { ...sample.marks, doneMs: (startedMs ?? 0) + slower * (doneMs - (startedMs ?? 0)) };
      return { ...sample, marks, flags: ['orphans'] } as const;
    });
    return sentencesOf({ ...record, samples })[0] ?? '';
  };
  expect(said((at) => at % 4 === 0, 1)).toMatch(/^fast is .* of 12 pairs$/);
  // Without them it is 2.8x as fast: another number, and the same conclusion.
  expect(said((at) => at % 8 !== 0, 2.5)).toMatch(
    /^fast is 1\.1.* of 12 pairs; by the mean, where slow takes count more, 1\.2x as fast$/,
  );
  expect(said((at) => at % 8 !== 0, 3.5)).toMatch(
    /^fast takes .*; do not rely on it: the result changes without the flagged takes$/,
  );
  expect(said(() => true, 1)).toMatch(/; do not rely on it: all takes are flagged$/);
});

test('the steps of a sweep with too few rounds have neither a verb nor a number', () => {
  const swept = sweepRun([2, 4, 8]);
  const few = (kept: (step: number | null) => boolean) => ({
    ...swept,
    samples: swept.samples.filter(
      ({ trial: { seed, repeat, step } }) => (seed === 1 && repeat === 1) || kept(step ?? null),
    ),
  });
  expect(sentencesOf(few((step) => step === 4))).toEqual([
    'fast against standard at concurrency 2: too few groups of pairs to tell (1 of 6)',
    expect.stringMatching(/^fast is \S+x as fast as standard at concurrency 4 \[/),
    'fast against standard at concurrency 8: too few groups of pairs to tell (1 of 6)',
  ]);
});

test('several comparisons with too few units say how many each has', () => {
  const [one] = reported(sweepRun([2, 4])).comparisons.filter(({ step }) => step !== null);
  if (one === undefined) throw new Error('a sweep is compared at each step');
  const few = { ...one, units: 'rounds', notes: [{ code: 'needs_rounds', value: 6 }], method: null } as const;
  const has = (nUnits: number) => ({ ...few, nUnits }) as unknown as Comparison;
  expect(tooFewWords([has(1), has(3)])).toBe('too few groups of pairs to tell (1 to 3 of 6)');
});

test('comparisons with too few units say what gives more of them', () => {
  const more = (record: StoredRun) => {
    const { analysis, comparisons } = reported(record);
    return moreUnits(headlineComparisons(comparisons, record.run.plan.load), { ...analysis.run, complete: true });
  };
  expect(more(oneTake(ORDINARY.variants))).toEqual(['More prompts, seeds or repeats give more pairs of takes']);
  expect(more(scriptedRun({ ...ORDINARY, seeds: [1] }))).toEqual([
    'More prompts, seeds or repeats give more groups of pairs',
  ]);
  expect(more(scriptedRun({ ...ORDINARY, concurrency: 1 }))).toEqual([]);
  const { analysis, comparisons } = reported(oneTake(ORDINARY.variants));
  const headlines = headlineComparisons(comparisons, analysis.run.plan.load);
  expect(moreUnits(headlines, { ...analysis.run, complete: false })).toEqual([]);
  const shard = { run: 'r', index: 1, of: 2 };
  expect(moreUnits(headlines, { ...analysis.run, complete: true, shard })).toEqual([
    'Merge the shards to compare all of the run: retake merge',
  ]);
  expect(more(openRun())).toEqual([expect.stringMatching(/^Open load measures .* use closed load in paired order$/)]);
  const grouped = scriptedRun({ ...ORDINARY, seeds: [1] });
  const { plan } = grouped.run;
  if (plan.load.mode !== 'closed') throw new Error('the ordinary run is of closed load');
  const sequential = {
    ...grouped,
    run: { ...grouped.run, plan: { ...plan, load: { ...plan.load, order: 'sequential' } } },
  } as const;
  expect(more(sequential)).toEqual([
    expect.stringMatching(/^This order gives one group of pairs.* set load\.order to paired/),
  ]);
});

const ordinary = once(() => assess(scriptedRun({ ...ORDINARY, concurrency: 1 }), LATENCY).comparisons);

/** The first comparison of the ordinary run with other numbers, as the sentence says it. */
function said(numbers: Partial<Comparison>): string {
  const [first] = headlineComparisons(ordinary(), { mode: 'closed' });
  if (first === undefined) throw new Error('nothing was compared');
  return groupSentence([{ ...first, notes: [], ...numbers }]);
}

test('variants without a difference found are said with the range of both ends, as a speed', () => {
  const undecided = { finding: 'undecided' } as const;
  expect(said({ ...undecided, value: 0.5, ciLow: 0.4, ciHigh: 1.25 })).toBe(
    'fast and standard: no difference found, 2.00x as fast [0.80, 2.50]',
  );
  expect(said({ ...undecided, value: 1.2, ciLow: 0.9, ciHigh: 1.5 })).toContain('0.83x as fast [0.67, 1.11]');
  expect(said({ ...undecided, value: 0.5, ciLow: null, ciHigh: 1.25 })).toContain('2.00x as fast [above 0.80]');
});

test('a slower variant is said with the pairs in which it is slower', () => {
  const cellPairs = { cellPairs: 4, cellPairsBetter: 1, cellPairsWorse: 2 };
  const slower = { finding: 'higher', value: 2, ciLow: 1.9, ciHigh: 2.1, ...cellPairs } as const;
  expect(said(slower)).toBe('fast takes 2.00x as long as standard [1.90, 2.10], slower in 2 of 4 pairs');
});

test('a ratio of means outside the interval is said, because slow calls change it', () => {
  const told = { finding: 'higher', value: 1.03, ciLow: 1.01, ciHigh: 1.06 } as const;
  expect(said({ ...told, ratioOfMeans: 1.91 })).toMatch(
    /^fast takes 1\.03x as long as standard \[1\.01, 1\.06\], .*; by the mean, where slow takes count more, 1\.9x as long$/,
  );
  expect(said({ ...told, ratioOfMeans: 0.5 })).toMatch(/; by the mean, where slow takes count more, 0\.50x as long$/);
  for (const ratioOfMeans of [1.05, null]) expect(said({ ...told, ratioOfMeans })).not.toContain('mean');
  const apart = { finding: 'undecided', value: 1.03, ciLow: 0.98, ciHigh: 1.08 } as const;
  expect(said({ ...apart, ratioOfMeans: 1.2 })).toMatch(
    /no difference found.*; by the mean, where slow takes count more, 1\.2x as long/,
  );
  // Two digits that are the same say nothing more.
  expect(said({ finding: 'higher', value: 2.01, ciLow: 2, ciHigh: 2.02, ratioOfMeans: 2.04 })).not.toContain('mean');
});

test('one call in ten that takes ten times as long is in the ratio of means, in the sentence and in the headline', () => {
  const tell: Telling['tell'] = (variant, prompt, seed, repeat) => ({
    outcome: 'ok',
    totalMs:
      (variant === 'fast' && repeat === 3 && prompt === 'fox' ? 10_000 : 1000) * (1 + 0.1 * chance(variant, seed)),
    output: 0,
  });
  const record = scriptedRun({ ...ORDINARY, concurrency: 1, variants: ORDINARY.variants.slice(0, 2), tell });
  expect(sentencesOf(record)[0]).toMatch(/; by the mean, where slow takes count more, 1\.[78]x as long$/);
  const source = reported(record);
  expect(headlinesOf(source.analysis.variants, source)[0]?.speed).toMatch(
    /; by the mean, where slow takes count more, 1\.[78]x as long/,
  );
});

test.each<[string, number, Comparison['finding'], string]>([
  ['cost.per_output', 1.5, 'higher', '; it costs 1.50x as much; '],
  ['cost.per_output', 0.25, 'lower', '; it costs 0.25x as much; '],
  ['cost.per_output', 0, 'lower', '; it is free; '],
  ['cost.per_output', 1.5, 'undecided', '; '],
  ['block_rate', 0.2, 'higher', '; it is refused more often; '],
  ['error_rate', -0.2, 'lower', '; it fails less often; '],
])('a headline says beside the speed what else a variant changes: %s %s, %s', (metric, value, finding, clause) => {
  const { analysis, comparisons } = reported(scriptedRun(ORDINARY));
  const [speed] = headlineComparisons(comparisons, analysis.run.plan.load);
  if (speed === undefined) throw new Error('no comparison');
  const others = comparisons.filter((comparison) => comparison.metric === 'latency.total');
  const told = { ...speed, metric, value, finding };
  const [first] = headlinesOf(analysis.variants, { analysis, comparisons: [...others, told] });
  expect(first?.sentence).toContain(clause);
  expect(first?.sentence.includes('; it ')).toBe(finding !== 'undecided');
});
