import { sum } from '../../statistics/samples/mean.ts';
import { predictionMargin } from '../../statistics/series/prediction-margin.ts';
import { EXCLUDED_MULTIPLE, lnWorsening } from '../effects/worsening.ts';

/*
 * A variant against its own earlier runs. Two runs in a row must lie beyond both the limit and what earlier runs vary by: one slow
 * night is no news, and the spread between nights is measured, not assumed.
 */

/** The fewest and the most runs that a base holds. */
export const FEWEST_RUNS = 8;
export const MOST_RUNS = 30;

/** One-sided probability of the range of the next run. */
const LEVEL = 0.99;

/** One run as a rule sees it: ln of the value of each of its cells, by the cell's key. */
export type RunCells = ReadonlyMap<string, number>;

/** How far a run may lie from earlier ones. */
export interface HistoryLimit {
  readonly worse: 'increase' | 'decrease';
  /** The largest change that is allowed, as a share of the earlier mean; above 0. */
  readonly share: number;
}

/** What earlier runs say of a run. Changes are ln of a ratio; those for the worse are positive. */
export interface RunResult {
  readonly decision: HistoryDecision;
  /** Runs of the base. */
  readonly runs: number;
  /** Cells that all these runs have a value of; it stands on these alone. */
  readonly cells: number;
  /** Cells of every run of the base without a value in this run or the one before. */
  readonly lostCells: number;
  /** From the mean of the base to this run; null where there is no base, or no cell in common. */
  readonly change: number | null;
  /** ln of the mean of the base; null as above. */
  readonly mean: number | null;
  /** The standard deviation of the base; null as above. */
  readonly spread: number | null;
}

export type HistoryDecision =
  | { readonly verdict: 'pass'; readonly code: 'within_history' }
  | { readonly verdict: 'fail'; readonly code: 'beyond_limit' }
  | {
      readonly verdict: 'inconclusive';
      readonly code: 'short_history' | 'no_common_cell' | 'beyond_once' | 'lost_cells' | 'limit_not_excluded';
    };

/**
 * Decides each run of a series by those before it; of the last one that is the verdict of its rule. The base of a run is the last
 * 8 to 30 runs before the run that precedes it. Both of these fail where x - mean > max(ln(1 + limit), t(0.99, m - 1) s
 * sqrt(1 + 1/m)) holds for each, with x the mean over the cells that all have in common, and mean and s over the m runs of the
 * base. A run passes where it is not beyond that, lost no cell, and the same margin is at most ln(1 + 3 limit). Two runs that
 * failed never join a base.
 *
 * @param runs comparable ones, the earliest first
 */
export function decideRuns(runs: readonly RunCells[], limit: HistoryLimit): readonly RunResult[] {
  const failed = new Set<RunCells>();
  const decided: RunResult[] = [];
  for (const [at, run] of runs.entries()) {
    const before = runs[at - 1];
    const base = before === undefined ? [] : lastOf(runs, at - 1, failed);
    const result = before === undefined ? NO_BASE : decideRun(base, before, run, limit);
    if (before !== undefined && result.decision.verdict === 'fail') failed.add(before).add(run);
    decided.push(result);
  }
  return decided;
}

/** The last runs before `end` that did not fail. */
function lastOf(runs: readonly RunCells[], end: number, failed: ReadonlySet<RunCells>): readonly RunCells[] {
  const base: RunCells[] = [];
  for (let at = end - 1; at >= 0 && base.length < MOST_RUNS; at -= 1) {
    const run = runs[at];
    if (run !== undefined && !failed.has(run)) base.push(run);
  }
  return base;
}

const NO_BASE: RunResult = {
  decision: { verdict: 'inconclusive', code: 'short_history' },
  runs: 0,
  cells: 0,
  lostCells: 0,
  change: null,
  mean: null,
  spread: null,
};

function decideRun(base: readonly RunCells[], before: RunCells, run: RunCells, limit: HistoryLimit): RunResult {
  const runs = base.length;
  if (runs < FEWEST_RUNS) return { ...NO_BASE, runs };
  const known = commonCells(base);
  const shared = known.filter((cell) => before.has(cell) && run.has(cell));
  const lostCells = known.length - shared.length;
  const levelOf = (each: RunCells) => levelOver(each, shared, limit.worse);
  const found = shared.length === 0 ? null : predictionMargin(base.map(levelOf), LEVEL);
  if (found === null) {
    return { ...NO_BASE, decision: { verdict: 'inconclusive', code: 'no_common_cell' }, runs, lostCells };
  }
  const [now, then] = [levelOf(run), levelOf(before)];
  const beyond = Math.max(lnWorsening(limit.worse, limit.share), found.margin);
  const isBeyond = (value: number) => value - found.mean > beyond;
  const excludes = found.margin <= lnWorsening(limit.worse, EXCLUDED_MULTIPLE * limit.share);
  return {
    decision: decide(isBeyond(now), isBeyond(then), lostCells > 0, excludes),
    runs,
    cells: shared.length,
    lostCells,
    change: now - found.mean,
    mean: limit.worse === 'increase' ? found.mean : -found.mean,
    spread: found.deviation,
  };
}

function decide(beyond: boolean, beforeBeyond: boolean, lost: boolean, excludes: boolean): HistoryDecision {
  if (beyond && beforeBeyond) return { verdict: 'fail', code: 'beyond_limit' };
  if (beyond) return { verdict: 'inconclusive', code: 'beyond_once' };
  if (lost) return { verdict: 'inconclusive', code: 'lost_cells' };
  return excludes
    ? { verdict: 'pass', code: 'within_history' }
    : { verdict: 'inconclusive', code: 'limit_not_excluded' };
}

function commonCells([first, ...others]: readonly RunCells[]): readonly string[] {
  return [...(first?.keys() ?? [])].filter((cell) => others.every((each) => each.has(cell)));
}

/** The mean of a run over cells that it has, larger where it is worse. */
function levelOver(run: RunCells, cells: readonly string[], worse: HistoryLimit['worse']): number {
  const level = sum(cells.map((cell) => run.get(cell) ?? 0)) / cells.length;
  return worse === 'increase' ? level : -level;
}
