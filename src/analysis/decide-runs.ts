import { sum } from '../statistics/mean.ts';
import { intervalOf, type PairInterval } from '../statistics/pair-test.ts';
import { CONFIDENCE, median, sortSample } from '../statistics/quantile.ts';
import { signedRankTest } from '../statistics/signed-rank.ts';
import { FEWEST_RUNS, type RunCells } from './earlier-runs.ts';
import { lnWorsening } from './pair-units.ts';
import { baseOf, NEXT_RUN_LEVEL, type RunSpread, spreadOf } from './run-spread.ts';

/*
 * To fail, two runs in a row must lie beyond both the limit and what earlier runs vary by: one slow night is no news,
 * and the spread between nights is measured, not assumed. To pass, these two runs must be shown to be within the limit.
 * Where earlier runs vary too much for both, nothing is decided.
 */

/** A run is decided together with the one before it. */
const DECIDED_RUNS = 2;

/**
 * Both hold in 4 of 5 cases. A change is found if both runs are high enough, at 0.9 each (Bonferroni). Both levels are
 * slightly higher, because a base that lost runs to a false alarm varies less than the service.
 */
const FOUND_EACH = 0.91;
const PASSED = 0.82;

export interface HistoryLimit {
  readonly worse: 'increase' | 'decrease';
  /** The largest allowed change, a share of the earlier mean; above 0. */
  readonly share: number;
  /** That of runs with too few earlier ones, a share of their median; null: nothing is decided of them. */
  readonly atFirst: number | null;
}

/** What earlier runs say of a run. Changes are ln of a ratio, positive for the worse. */
export interface RunResult {
  readonly decision: HistoryDecision;
  readonly runs: number;
  /** Cells with a value in all these runs; only they are used. */
  readonly cells: number;
  /** Cells of every base run without a value in this run or the one before. */
  readonly lostCells: number;
  /** Mean of this run and the one before less the base mean; null without a base or a common cell. */
  readonly change: number | null;
  /** Two-sided 95 % margin of the change, and the one-sided one above; null as `change`. */
  readonly reach: { readonly both: number; readonly above: number } | null;
  /** What the base lets further runs show; null as `change`. */
  readonly further: HistoryReach | null;
  /** Where there are too few earlier runs for a base: this run against these; null without one. */
  readonly first: FirstChange | null;
}

/** A run against a few earlier ones. Changes are ln of a ratio, positive for the worse. */
export interface FirstChange {
  readonly runs: number;
  /** Over the cells common to all: the pseudomedian of what each changed by; null without a cell. */
  readonly change: number | null;
  /** Two-sided 95 %; null below 6 common cells. */
  readonly interval: PairInterval | null;
}

export type HistoryDecision =
  | { readonly verdict: 'pass'; readonly code: 'within_history' }
  | { readonly verdict: 'fail'; readonly code: 'beyond_limit' | 'beyond_at_first' | 'beyond_at_first_again' }
  | {
      readonly verdict: 'inconclusive';
      readonly code: 'short_history' | 'no_common_cell' | 'beyond_once' | 'lost_cells' | 'not_within_history';
    };

/**
 * Decides each run by those before it; the last decision is the verdict of its rule. The base is the last 8 to 30 runs
 * before the preceding run; mean and s are those of its m runs, over the cells common to all.
 *
 * The run and the one before fail if each exceeds the mean by more than max(ln(1 + limit), t(0.99, m - 1) s sqrt(1 +
 * 1/m)). The run passes if it lost no cell, exceeds the mean by at most ln(1 + limit), and so does the one-sided 95 %
 * bound of both runs: their mean - mean + t(0.95, m - 1) s sqrt(1/2 + 1/m). Two failed runs never join a base.
 *
 * With fewer than 8 runs for a base, a run fails if the 95 % interval of its change, over the common cells, lies beyond
 * ln(1 + atFirst): each cell is held against the median of the earlier runs, the interval is that of Walsh averages. Such
 * a run is left out alone, so that the next one is held against the runs before it.
 *
 * @param runs comparable ones, the earliest first
 */
export function decideRuns(runs: readonly RunCells[], limit: HistoryLimit): readonly RunResult[] {
  return decideSeries(runs, limit).decided;
}

/** What earlier runs let the next ones show. Changes are ln of a ratio, positive for the worse. */
export interface HistoryReach {
  readonly runs: number;
  readonly spread: number;
  /** A change from the next run on that the run after it finds in 4 of 5 cases. */
  readonly detects: number;
  /** The limit within which 4 of 5 unchanged runs pass. */
  readonly passes: number;
}

/** The change at which both next runs fail, and the limit that they keep. Null if the base is too short. */
export function reachOfRuns(runs: readonly RunCells[], limit: HistoryLimit): HistoryReach | null {
  const { failed } = decideSeries(runs, limit);
  const base = baseOf(runs, runs.length, (run) => !failed.has(run));
  const cells = commonCells(base);
  const spread = cells.length === 0 ? null : spreadOver(base, cells, limit);
  return spread === null ? null : reachOf(spread, limit);
}

function spreadOver(base: readonly RunCells[], cells: readonly string[], { worse }: HistoryLimit): RunSpread | null {
  return spreadOf(base.map((run) => levelOver(run, cells, worse)));
}

function reachOf(spread: RunSpread, limit: HistoryLimit): HistoryReach {
  return {
    runs: spread.runs,
    spread: spread.deviation,
    detects: beyondOf(spread, limit) + spread.margin(FOUND_EACH),
    passes: spread.margin(CONFIDENCE, DECIDED_RUNS) + spread.margin(PASSED, DECIDED_RUNS),
  };
}

/** The change above which a run is beyond the limit, and beyond what earlier runs vary by. */
function beyondOf({ margin }: RunSpread, { worse, share }: HistoryLimit): number {
  return Math.max(lnWorsening(worse, share), margin(NEXT_RUN_LEVEL));
}

function decideSeries(
  runs: readonly RunCells[],
  limit: HistoryLimit,
): { readonly decided: readonly RunResult[]; readonly failed: ReadonlySet<RunCells> } {
  const failed = new Set<RunCells>();
  const decided: RunResult[] = [];
  for (const [at, run] of runs.entries()) {
    const counts = (earlier: RunCells) => !failed.has(earlier);
    const before = runs[at - 1];
    const base = before === undefined ? [] : baseOf(runs, at - 1, counts);
    if (before === undefined || base.length < FEWEST_RUNS) {
      const last = decided.at(-1)?.decision;
      const result = { ...decideFirst(runs.slice(0, at).filter(counts), run, limit, last), runs: base.length };
      if (result.decision.verdict === 'fail') failed.add(run);
      decided.push(result);
      continue;
    }
    const result = decideRun(base, before, run, limit);
    if (result.decision.verdict === 'fail') failed.add(before).add(run);
    decided.push(result);
  }
  return { decided, failed };
}

/** @param earlier at least one */
export function changeSince(earlier: readonly RunCells[], run: RunCells, worse: HistoryLimit['worse']): FirstChange {
  const changes = commonCells([run, ...earlier]).map((cell) => {
    const usual = median(sortSample(earlier.map((one) => one.get(cell) ?? 0))) ?? 0;
    return ((run.get(cell) ?? 0) - usual) * (worse === 'increase' ? 1 : -1);
  });
  const test = signedRankTest(changes);
  return { runs: earlier.length, change: test.estimate, interval: intervalOf(test, CONFIDENCE) };
}

/** @param last what was decided of the run before */
function decideFirst(
  earlier: readonly RunCells[],
  run: RunCells,
  { worse, atFirst }: HistoryLimit,
  last: HistoryDecision | undefined,
): RunResult {
  if (earlier.length === 0) return NO_BASE;
  const first = changeSince(earlier, run, worse);
  const { interval } = first;
  const result = { ...NO_BASE, cells: commonCells([run, ...earlier]).length, first };
  if (atFirst === null || interval === null || interval.low <= lnWorsening(worse, atFirst)) return result;
  const isAgain = last?.verdict === 'fail';
  return { ...result, decision: { verdict: 'fail', code: isAgain ? 'beyond_at_first_again' : 'beyond_at_first' } };
}

const NO_BASE: RunResult = {
  decision: { verdict: 'inconclusive', code: 'short_history' },
  runs: 0,
  cells: 0,
  lostCells: 0,
  change: null,
  reach: null,
  further: null,
  first: null,
};

function decideRun(base: readonly RunCells[], before: RunCells, run: RunCells, limit: HistoryLimit): RunResult {
  const runs = base.length;
  const known = commonCells(base);
  const shared = known.filter((cell) => before.has(cell) && run.has(cell));
  const lostCells = known.length - shared.length;
  const spread = shared.length === 0 ? null : spreadOver(base, shared, limit);
  if (spread === null) {
    return { ...NO_BASE, decision: { verdict: 'inconclusive', code: 'no_common_cell' }, runs, lostCells };
  }
  const aboveBase = (one: RunCells) => levelOver(one, shared, limit.worse) - spread.mean;
  const [now, then] = [aboveBase(run), aboveBase(before)];
  const change = (now + then) / DECIDED_RUNS;
  const marginOf = (level: number) => spread.margin(level, DECIDED_RUNS);
  const reach = { both: marginOf((1 + CONFIDENCE) / 2), above: marginOf(CONFIDENCE) };
  const allowed = lnWorsening(limit.worse, limit.share);
  const beyond = beyondOf(spread, limit);
  const isWithin = now <= allowed && change + reach.above <= allowed;
  return {
    decision: decide(now > beyond, then > beyond, lostCells > 0, isWithin),
    runs,
    cells: shared.length,
    lostCells,
    change,
    reach,
    further: reachOf(spread, limit),
    first: null,
  };
}

function decide(beyond: boolean, beforeBeyond: boolean, lost: boolean, isWithin: boolean): HistoryDecision {
  if (beyond && beforeBeyond) return { verdict: 'fail', code: 'beyond_limit' };
  if (beyond) return { verdict: 'inconclusive', code: 'beyond_once' };
  if (lost) return { verdict: 'inconclusive', code: 'lost_cells' };
  return isWithin
    ? { verdict: 'pass', code: 'within_history' }
    : { verdict: 'inconclusive', code: 'not_within_history' };
}

/** Cells with a value in all these runs. */
export function commonCells([first, ...others]: readonly RunCells[]): readonly string[] {
  return [...(first?.keys() ?? [])].filter((cell) => others.every((run) => run.has(cell)));
}

/** Mean ln over these cells; larger is worse, also where more is better. */
export function levelOver(run: RunCells, cells: readonly string[], worse: HistoryLimit['worse']): number {
  const level = sum(cells.map((cell) => run.get(cell) ?? 0)) / cells.length;
  return worse === 'increase' ? level : -level;
}
