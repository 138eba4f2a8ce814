import { decideRuns, type HistoryLimit, type RunResult, reachOfRuns } from '../../../src/analysis/decide-runs.ts';
import type { RunCells } from '../../../src/analysis/earlier-runs.ts';
import { historySeries } from '../../../src/analysis/series.ts';
import type { HistoryLine } from '../../../src/record/kept-run.ts';
import { median, sortSample } from '../../../src/statistics/quantile.ts';
import { createRandom, type Random } from '../../../src/statistics/random.ts';
import { drawNormal } from '../../fixtures/simulated-service.ts';
import { seedOf } from './seed.ts';

/*
 * Nightly runs of a service whose truth is known, decided by the files that decide rules with `against: history`, and
 * searched for changes by those of the history. A night is what these see of a run: ln of its mean over the cells.
 */

/** Standard deviations of ln latency between the nights of one service. */
export const SPREADS = [0.02, 0.03, 0.05] as const;

/** Limits of the rule `max_increase`. */
const LIMITS = [0.05, 0.1] as const;

const YEAR = 365;

/** From the ninth night on every call takes this times as long. */
const SLOWED = { from: 8, ratio: 1.15 } as const;

/** Earlier runs of those that a plan is told for. */
const PLANNED_AFTER = [8, 12, 30] as const;

/** Nights in which the slower service is looked for. */
const SEARCHED = 30;

const TYPICAL_MS = 2000;

/** What a rule decided, over all years and all slowed services of one spread. */
interface RuleTally {
  readonly services: number;
  /** Fails in years without a change. */
  readonly alarms: number;
  readonly yearsWithAlarm: number;
  readonly nightsPassed: number;
  readonly nightsDecided: number;
  /** Slowed services that failed by the tenth night, the eleventh, the fourteenth; none before the ninth. */
  readonly foundBy: Readonly<Record<'tenth' | 'eleventh' | 'fourteenth', number>>;
  /** Slowed services that failed before they were slowed. */
  readonly failedEarly: number;
  /** Nights of all services that passed with a bound above the limit. */
  readonly passedBeyond: number;
  /** Services slower by exactly the limit from the ninth night on that passed in the tenth. */
  readonly passedAtLimit: number;
  /** What a plan said after so many nights, and what became of it. */
  readonly planned: ReadonlyMap<number, PlanTally>;
}

/** What a plan said of the next two nights. */
interface PlanTally {
  /**
   * The change that it said would be found, and the limit that it said would pass: medians over all services, as
   * ratios.
   */
  readonly detects: number;
  readonly passes: number;
  /** Services slower by that change from the next night on that failed in the night after it. */
  readonly found: number;
  /** Unchanged services that passed within that limit in the night after the next. */
  readonly passed: number;
}

/** What the search for changes found. */
interface ChangeTally {
  readonly services: number;
  /** Changes found in years without one. */
  readonly falseChanges: number;
  readonly yearsWithChange: number;
  /** Of slowed services, after 12 nights and after 30: the ninth is named, and it or a night beside it is. */
  readonly after12: NamedNights;
  readonly after30: NamedNights;
}

interface NamedNights {
  readonly ninth: number;
  readonly beside: number;
}

/** What became of all services of one spread. */
export interface HistoryTally {
  readonly spread: number;
  readonly rules: ReadonlyMap<number, RuleTally>;
  readonly changes: ChangeTally;
}

/** Draws so many years and so many slowed services of one spread. The same count gives the same tally. */
export function simulateHistory(spread: number, services: number): HistoryTally {
  const seed = seedOf(`history.${spread}`);
  const years = Array.from({ length: services }, (_, at) => nights(YEAR, spread, 1, createRandom(seed + at)));
  const slowed = Array.from({ length: services }, (_, at) =>
    nights(SEARCHED, spread, SLOWED.ratio, createRandom(seed + services + at)),
  );
  return {
    spread,
    rules: new Map(LIMITS.map((limit) => [limit, tallyRule(years, slowed, limit)])),
    changes: tallyChanges(years, slowed),
  };
}

/** ln of the level of each night. */
function nights(count: number, spread: number, ratio: number, random: Random): readonly number[] {
  return Array.from(
    { length: count },
    (_, night) => Math.log(TYPICAL_MS) + spread * drawNormal(random) + (night >= SLOWED.from ? Math.log(ratio) : 0),
  );
}

type Levels = readonly (readonly number[])[];

function tallyRule(years: Levels, slowed: Levels, share: number): RuleTally {
  const limit: HistoryLimit = { worse: 'increase', share, atFirst: null };
  let passedBeyond = 0;
  const decisions = (levels: readonly number[]) => {
    const decided = decideRuns(levels.map(cellOf), limit);
    passedBeyond += decided.filter((each) => passesBeyond(each, share)).length;
    return decided.map(({ decision }) => decision);
  };
  const byYear = years.map((levels) => decisions(levels));
  const alarms = byYear.map((decided) => decided.filter(({ verdict }) => verdict === 'fail').length);
  const firstFails = slowed.map((levels) => decisions(levels).findIndex(({ verdict }) => verdict === 'fail'));
  const foundBy = (night: number) => firstFails.filter((at) => at >= SLOWED.from && at < night).length;
  const atLimit = years.map((levels) =>
    decisions(slowedFrom(levels.slice(0, SLOWED.from + 2), SLOWED.from, Math.log1p(share))),
  );
  const decided = byYear.flatMap((each) => each.filter((decision) => decision.code !== 'short_history'));
  return {
    services: years.length,
    alarms: alarms.reduce((total, count) => total + count, 0),
    yearsWithAlarm: alarms.filter((count) => count > 0).length,
    nightsPassed: decided.filter(({ verdict }) => verdict === 'pass').length,
    nightsDecided: decided.length,
    foundBy: { tenth: foundBy(10), eleventh: foundBy(11), fourteenth: foundBy(14) },
    failedEarly: firstFails.filter((at) => at >= 0 && at < SLOWED.from).length,
    passedBeyond,
    passedAtLimit: atLimit.filter((each) => each.at(-1)?.verdict === 'pass').length,
    planned: new Map(PLANNED_AFTER.map((earlier) => [earlier, tallyPlan(years, earlier, limit)])),
  };
}

function passesBeyond({ decision, change, reach }: RunResult, share: number): boolean {
  return decision.verdict === 'pass' && (change ?? Infinity) + (reach?.above ?? Infinity) > Math.log1p(share);
}

/** What a plan says after so many nights, held against the next two of each year. */
function tallyPlan(years: Levels, earlier: number, limit: HistoryLimit): PlanTally {
  const told = years.flatMap((levels) => {
    const reach = reachOfRuns(levels.slice(0, earlier).map(cellOf), limit);
    if (reach === null) return [];
    const lastOf = (ln: number, share: number) =>
      decideRuns(slowedFrom(levels.slice(0, earlier + 2), earlier, ln).map(cellOf), { ...limit, share }).at(-1);
    const found = lastOf(reach.detects, limit.share)?.decision.verdict === 'fail';
    const passed = lastOf(0, Math.expm1(reach.passes))?.decision.verdict === 'pass';
    return [{ ...reach, found, passed }];
  });
  const middle = (values: readonly number[]) => Math.exp(median(sortSample(values)) ?? 0);
  return {
    detects: middle(told.map(({ detects }) => detects)),
    passes: middle(told.map(({ passes }) => passes)),
    found: told.filter(({ found }) => found).length,
    passed: told.filter(({ passed }) => passed).length,
  };
}

/** The levels of a service that is slower by ln from a night on. */
function slowedFrom(levels: readonly number[], from: number, ln: number): readonly number[] {
  return levels.map((level, night) => level + (night >= from ? ln : 0));
}

function cellOf(level: number): RunCells {
  return new Map([['cell', level]]);
}

function tallyChanges(years: Levels, slowed: Levels): ChangeTally {
  const found = years.map((levels) => changesOf(levels).length);
  const named = (night: number): NamedNights => {
    const changes = slowed.map((levels) => changesOf(levels.slice(0, night)));
    const share = (reach: number) =>
      changes.filter((indexes) => indexes.some((index) => Math.abs(index - SLOWED.from) <= reach)).length;
    return { ninth: share(0), beside: share(1) };
  };
  return {
    services: years.length,
    falseChanges: found.reduce((total, count) => total + count, 0),
    yearsWithChange: found.filter((count) => count > 0).length,
    after12: named(12),
    after30: named(SEARCHED),
  };
}

/** The runs, from 0, at which the history says that the series changes. */
function changesOf(levels: readonly number[]): readonly number[] {
  return (historySeries(levels.map(lineOf))[0]?.changes ?? []).map(({ index }) => index);
}

function lineOf(level: number, night: number): HistoryLine {
  return {
    format: 1,
    run: `night-${night + 1}`,
    startedAt: new Date(Date.UTC(2026, 0, 1 + night)).toISOString(),
    suiteDigest: '',
    complete: true,
    verdict: 'none',
    variants: [
      {
        variant: 'nightly',
        kind: 'text-to-image',
        comparableDigest: '',
        cells: [{ prompt: 'prompt', seed: 1 }],
        lnValues: { 'latency.total': [level] },
        meanLn: { 'latency.total': level },
        rates: {},
      },
    ],
  };
}
