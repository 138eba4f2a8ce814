import { metricsOf, metricsOfRecord } from '../../src/analysis/metrics.ts';
import { compareRuns, type SequentialRatio, type TwoRuns } from '../../src/analysis/two-runs.ts';
import { assess } from '../../src/gate/assess.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { renderTwoRuns, twoRunsHeads, twoRunsRows } from '../../src/report/two-runs.ts';
import type { ValueScorer } from '../../src/suite/scorer.ts';
import { buildWarning } from '../fixtures/build-warning.ts';
import { reviewed } from '../fixtures/reviewed.ts';
import { commandScorer, scored } from '../fixtures/scored-run.ts';
import { chance, failed, named, ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const USUAL: Telling = { ...ORDINARY, variants: named('standard', 'fast'), concurrency: 1, tell: () => ok(1000) };

function compared(earlier: StoredRun, later: StoredRun): TwoRuns {
  const side = (record: StoredRun) => ({ run: record.run, analysed: assess(record, metricsOfRecord(record)).analysed });
  return compareRuns(side(earlier), side(later), metricsOf([]), []);
}

/** The usual run and one that goes like this. */
const withLater = (tell: Telling['tell']) => compared(scriptedRun(USUAL), scriptedRun({ ...USUAL, tell }));

function sentFrom(vantage?: string): StoredRun {
  const { run, ...record } = scriptedRun(USUAL);
  return { ...record, run: { ...run, ...(vantage !== undefined && { vantage }) } };
}

/** A usual run that was scored. */
function scoredBy(scorer: ValueScorer, about: number): StoredRun {
  return scored(scriptedRun(USUAL), scorer, ({ trial }) => ({
    [scorer.name]: about + 0.01 * chance(trial.prompt, Number(trial.seed)),
  }));
}

/** Each row as a line: `fast | p50 | 1.00 s [1.00 – 1.00 s] | ...`. */
function rowsOf(found: Parameters<typeof twoRunsRows>[0]): readonly string[] {
  return twoRunsRows(found).map(({ name, cells }) =>
    [name, ...cells.map(({ value, evidence }) => `${value} ${evidence}`.trim())].join(' | '),
  );
}

/** One variant fails, and of the other one prompt is blocked. */
const worse: Telling['tell'] = (variant, prompt) => {
  if (variant === 'fast') return failed();
  if (prompt !== 'fox') return ok(2000, 1);
  return { outcome: 'moderated', totalMs: 9, code: 'content_policy', message: '', httpStatus: 422 };
};

const RATIO: SequentialRatio = {
  variant: 'fast',
  metric: 'latency.total',
  ratio: 1.2,
  ciLow: 1.08,
  ciHigh: 1.33,
  earlierRuns: 9,
  toldApart: true,
  overCells: { low: 1.18, high: 1.22 },
  cells: 12,
  faster: 1,
  p50Ms: null,
};
const beside = (more: Partial<SequentialRatio>, unfit: TwoRuns['unfit'] = []) => ({
  before: 'first',
  after: 'second',
  latency: [{ ...RATIO, ...more }],
  unfit,
});
const HPS = commandScorer('hps');
const UNFIT = buildWarning('too_many_late_stamps', { what: 'this machine could not keep up' });

reviewed('two-runs', {
  // Rates that are 0 in both runs have no row.
  'faster, and the same outputs': () => rowsOf(withLater((variant) => ok(variant === 'fast' ? 700 : 1000))),
  // A median that a run lacks is not known, and has no ratio.
  'errors and blocked takes': () => rowsOf(withLater(worse)),
  'scores of one scorer': () => rowsOf(compared(scoredBy(HPS, 0.3), scoredBy(HPS, 0.2))),
  'scores of two scorers': () =>
    rowsOf(compared(scoredBy(HPS, 0.3), scoredBy(commandScorer('hps', { meaning: 'another version' }), 0.2))),
  'heads of two vantages': () => twoRunsHeads(compared(sentFrom('us'), sentFrom('eu'))),
  'heads of one vantage': () => twoRunsHeads(compared(sentFrom(), sentFrom('eu'))),
  'heads without a vantage': () => twoRunsHeads(compared(sentFrom(), sentFrom())),
  'told apart': () => rowsOf(beside({})),
  'too few earlier runs': () => rowsOf(beside({ ciLow: null, ciHigh: null, toldApart: false, earlierRuns: 3 })),
  // That is said before the table.
  'latencies that are not to be used': () =>
    renderTwoRuns(beside({}, [{ run: 'second', warning: UNFIT }]), { colour: false, width: 120 }).split('\n'),
});
