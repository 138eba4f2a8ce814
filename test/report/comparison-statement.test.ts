import { expect, test } from 'vitest';
import type { Comparison } from '../../src/analysis/comparison.ts';
import { metricsOf } from '../../src/analysis/metrics.ts';
import { assess } from '../../src/gate/assess.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { answersOf } from '../../src/report/answer-statement.ts';
import {
  comparisonGroups,
  groupSentence,
  headlineComparisons,
  moreUnits,
  tooFewWords,
} from '../../src/report/comparison-statement.ts';
import { once } from '../fixtures/once-for.ts';
import { reported } from '../fixtures/report-source.ts';
import { reviewed } from '../fixtures/reviewed.ts';
import { openRun, sweepRun } from '../fixtures/scripted-load.ts';
import {
  chance,
  eachSample,
  failed,
  named,
  ORDINARY,
  ok,
  scriptedRun,
  type Telling,
} from '../fixtures/scripted-run.ts';

/** What headlines speak of. */
const LATENCY = metricsOf([]).filter(({ name }) => ['latency.total', 'latency.response'].includes(name));

function sentencesOf(record: StoredRun): readonly string[] {
  const { comparisons } = assess(record, LATENCY);
  return comparisonGroups(headlineComparisons(comparisons, record.run.plan.load)).map((group) => groupSentence(group));
}

const of = (more: Partial<Telling>) => scriptedRun({ ...ORDINARY, concurrency: 1, ...more });
const ofTwo = (tell: Telling['tell']) => of({ variants: named('standard', 'fast'), tell });
const ONE_TAKE = { seeds: [2], repeats: 1 };

/** The ordinary run, in which only the baseline variants deliver. */
function baselinesOnly(variants = ORDINARY.variants): readonly string[] {
  const tell: Telling['tell'] = (variant, ...where) =>
    variant.includes('standard') ? ORDINARY.tell(variant, ...where) : failed();
  return sentencesOf(of({ ...ONE_TAKE, variants, tell }));
}

/** The steps of a sweep of which only the second has more than one round. */
function sweptOnce(): StoredRun {
  const swept = sweepRun([2, 4, 8]);
  const isKept = ({ seed, repeat, step }: (typeof swept.samples)[number]['trial']) =>
    (seed === 1 && repeat === 1) || step === 4;
  return { ...swept, samples: swept.samples.filter(({ trial }) => isKept(trial)) };
}

/** One call in ten of `fast` takes ten times as long. */
const seldomSlow: Telling['tell'] = (variant, prompt, seed, repeat) =>
  ok((variant === 'fast' && repeat === 3 && prompt === 'fox' ? 10_000 : 1000) * (1 + 0.1 * chance(variant, seed)));

reviewed('comparisons', {
  compared: () => sentencesOf(of({})),
  'one take of each': () => sentencesOf(of(ONE_TAKE)),
  'nothing of the candidates': () => baselinesOnly(),
  'nothing of the only candidate': () => baselinesOnly(named('standard', 'fast')),
  'nothing of 39 candidates': () =>
    baselinesOnly(named('standard', ...Array.from({ length: 39 }, (_, at) => `fast-${at}`))),
  'open load': () => sentencesOf(openRun()),
  'steps with too few rounds': () => sentencesOf(sweptOnce()),
  'a third of the pairs lacks a latency': () =>
    sentencesOf(ofTwo((...place) => (place[0] === 'fast' && place[3] === 1 ? failed() : ORDINARY.tell(...place)))),
  'seldom slow': () => sentencesOf(ofTwo(seldomSlow)),
  'seldom slow, as a headline': () => {
    const source = reported(ofTwo(seldomSlow));
    return answersOf(source.analysis, source.comparisons, source.analysis.variants).map(({ sentence }) => sentence);
  },
});

/**
 * What is said of `fast`, which takes a third of the time; of the flagged ones of its 24 blocks `slower` times as long
 * as it was.
 */
function flaggedOf(isFlagged: (at: number) => boolean, slower: number): readonly string[] {
  let at = 0;
  const told: Telling['tell'] = (variant, ...place) =>
    ok((variant === 'fast' ? 700 : 2000) * (1 + 0.1 * chance(...place)));
  const flagging = eachSample((sample) => {
    if (sample.outcome !== 'ok' || sample.trial.variant !== 'fast' || sample.trial.phase !== 'trial') return sample;
    at += 1;
    if (!isFlagged(at)) return sample;
    const { startedMs, doneMs } = sample.marks;
    const marks = { ...sample.marks, doneMs: startedMs + slower * (doneMs - startedMs) };
    return { ...sample, marks, flags: ['orphans'] };
  });
  return sentencesOf(flagging(of({ variants: named('standard', 'fast'), repeats: 2, tell: told })));
}

reviewed('comparisons-of-flagged', {
  'a quarter flagged, of no consequence': () => flaggedOf((at) => at % 4 === 0, 1),
  // Without them it is 2.8x as fast: another number, and the same conclusion.
  'most flagged, with another number': () => flaggedOf((at) => at % 8 !== 0, 2.5),
  'most flagged, with another conclusion': () => flaggedOf((at) => at % 8 !== 0, 3.5),
  'all flagged': () => flaggedOf(() => true, 1),
});

const few = { units: 'rounds', notes: [{ code: 'needs_rounds', value: 6 }], method: null } as const;

function more(record: StoredRun, change: Partial<Parameters<typeof moreUnits>[1]> = {}): readonly string[] {
  const { analysis, comparisons } = reported(record);
  const headlines = headlineComparisons(comparisons, record.run.plan.load);
  return moreUnits(headlines, { ...analysis.run, complete: true, ...change });
}

function sequential({ run, ...record }: StoredRun): StoredRun {
  const { load } = run.plan;
  if (load.mode !== 'closed') throw new Error('the ordinary run is of closed load');
  return { ...record, run: { ...run, plan: { ...run.plan, load: { ...load, order: 'sequential' } } } };
}

reviewed('more-units', {
  'of 1 and of 3 groups': () => {
    const [one] = reported(sweepRun([2, 4])).comparisons.filter(({ step }) => step !== null);
    const has = (nUnits: number) => ({ ...one, ...few, nUnits }) as unknown as Comparison;
    return tooFewWords([has(1), has(3)]);
  },
  'pairs of takes': () => more(of(ONE_TAKE)),
  'groups of pairs': () => more(scriptedRun({ ...ORDINARY, seeds: [1] })),
  enough: () => more(of({})),
  'an incomplete run': () => more(of(ONE_TAKE), { complete: false }),
  'a shard': () => more(of(ONE_TAKE), { shard: { run: 'r', index: 1, of: 2 } }),
  'open load': () => more(openRun()),
  'sequential order': () => more(sequential(scriptedRun({ ...ORDINARY, seeds: [1] }))),
});

const ordinary = once(() => assess(of({}), LATENCY).comparisons);

/** The first comparison of the ordinary run with other numbers, as the sentence says it. */
function said(numbers: Partial<Comparison>): string {
  const [first] = headlineComparisons(ordinary(), { mode: 'closed' });
  if (first === undefined) throw new Error('nothing was compared');
  return groupSentence([{ ...first, notes: [], ...numbers }]);
}

const UNDECIDED = { finding: 'undecided', ciLow: 0.4, ciHigh: 1.25, value: 0.5 } as const;
const HIGHER = { finding: 'higher', value: 1.03, ciLow: 1.01, ciHigh: 1.06 } as const;

reviewed('speeds', {
  'no difference': () => said(UNDECIDED),
  'no difference, perhaps slower': () => said({ ...UNDECIDED, value: 1.2, ciLow: 0.9, ciHigh: 1.5 }),
  'no difference, an open interval': () => said({ ...UNDECIDED, ciLow: null }),
  'slower in half of the pairs': () =>
    said({ ...HIGHER, value: 2, ciLow: 1.9, ciHigh: 2.1, cellPairs: 4, cellPairsBetter: 1, cellPairsWorse: 2 }),
  'slower by the mean': () => said({ ...HIGHER, ratioOfMeans: 1.91 }),
  'faster by the mean': () => said({ ...HIGHER, ratioOfMeans: 0.5 }),
  'the mean in the interval': () => said({ ...HIGHER, ratioOfMeans: 1.05 }),
  'no mean': () => said({ ...HIGHER, ratioOfMeans: null }),
  'no difference, but of the mean': () =>
    said({ ...UNDECIDED, value: 1.03, ciLow: 0.98, ciHigh: 1.08, ratioOfMeans: 1.2 }),
  // Two digits that are the same say nothing more.
  'the mean outside, with the same digits': () =>
    said({ ...HIGHER, value: 2.01, ciLow: 2, ciHigh: 2.02, ratioOfMeans: 2.04 }),
});

/** The first headline of the ordinary run, of which another metric was found to change. */
function beside(metric: string, value: number, finding: Comparison['finding']): string {
  const { analysis, comparisons } = reported(scriptedRun(ORDINARY));
  const [speed] = headlineComparisons(comparisons, analysis.run.plan.load);
  if (speed === undefined) throw new Error('no comparison');
  const others = comparisons.filter((comparison) => comparison.metric === 'latency.total');
  const found = { ...speed, metric, value, finding };
  return answersOf(analysis, [...others, found], analysis.variants)[0]?.sentence ?? 'nothing';
}

reviewed('beside-the-speed', {
  dearer: () => beside('cost.per_output', 1.5, 'higher'),
  cheaper: () => beside('cost.per_output', 0.25, 'lower'),
  free: () => beside('cost.per_output', 0, 'lower'),
  'perhaps dearer': () => beside('cost.per_output', 1.5, 'undecided'),
  'refused more often': () => beside('block_rate', 0.2, 'higher'),
  'fails less often': () => beside('error_rate', -0.2, 'lower'),
});

test('too few blocks have an estimate, and neither interval nor p', () => {
  const { comparisons } = assess(of(ONE_TAKE), LATENCY);
  const [first] = headlineComparisons(comparisons, { mode: 'closed' });
  expect(first).toMatchObject({ finding: 'too_few', value: expect.any(Number), ciLow: null, p: null, pAdjusted: null });
});
