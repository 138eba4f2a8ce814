import { firstWhere } from '../statistics/first-where.ts';
import { sum } from '../statistics/mean.ts';
import { clopperPearsonLower, clopperPearsonUpper } from '../statistics/rate-interval.ts';
import { dependenceTime } from '../statistics/serial-dependence.ts';
import type { HeldLimit } from '../suite/sweep.ts';

/** A take of one load, in sending order. */
export interface HeldTake {
  /** Until its output came; `Infinity` without one. */
  readonly ms: number;
  /** Failed, refused for its rate, dropped, or sent late because of a refusal: it missed this load. */
  readonly missed: boolean;
}

/** The statistic of `capacity` for one limit at one load. */
export function beyondStatistic({ name }: Pick<HeldLimit, 'name'>): string {
  return `beyond_${name}`;
}

/** Error rates of the one-sided bounds of one load. */
export interface HoldAlpha {
  /** Of the claim that it holds. */
  readonly holds: number;
  /** Of the claim that it fails, by one of its limits. */
  readonly fails: number;
}

/** What the takes of a load show of one limit. `low` and `high` bound the share of bad takes. */
export interface LimitFinding {
  readonly limit: HeldLimit;
  readonly bad: number;
  readonly n: number;
  /** How many independent takes they are worth. */
  readonly effective: number;
  readonly low: number;
  readonly high: number;
  /** At which the two bounds together hold. */
  readonly level: number;
  readonly shows: 'holds' | 'fails' | null;
  /** Takes that would show that it holds, with this share of bad ones; null if it holds or no number would. */
  readonly needs: number | null;
}

/** All claims of a run together are wrong in at most this share of runs. */
const ALPHA = 0.05;

/** One error rate for the run, in equal parts for each variant and load. @param claims variants x loads */
export function holdAlpha(claims: number, limits: number): HoldAlpha {
  return { holds: ALPHA / claims, fails: ALPHA / claims / limits };
}

/**
 * For each limit, whether at most its share of takes is bad, by the bounds of Clopper and Pearson on the effective number
 * of takes: those of a queue come in busy periods, so they are worth fewer. The number is divided by the longest of the
 * dependence times of latencies (ranks, and the highest 20 %) and of bad takes. None without a take.
 */
export function limitFindings(
  takes: readonly HeldTake[],
  limits: readonly HeldLimit[],
  alpha: HoldAlpha,
): readonly LimitFinding[] {
  const n = takes.length;
  if (n === 0) return [];
  const timeOfLatencies = dependenceTime(takes.map(({ ms }) => ms));
  return limits.map((limit) => {
    const bad = takes.map((take) => Number(isBad(take, limit)));
    const time = Math.max(timeOfLatencies, dependenceTime(bad));
    const effective = n / time;
    const events = Math.min(effective, sum(bad) / time);
    const low = clopperPearsonLower(events, effective, 1 - alpha.fails);
    const high = clopperPearsonUpper(events, effective, 1 - alpha.holds);
    const shows = high <= limit.share ? 'holds' : low > limit.share ? 'fails' : null;
    const needs = shows === null ? fewestThatHold(events / effective, limit.share, alpha.holds) : null;
    return {
      limit,
      bad: sum(bad),
      n,
      effective,
      low,
      high,
      level: 1 - alpha.holds - alpha.fails,
      shows,
      needs: needs === null ? null : Math.ceil(needs * time),
    };
  });
}

function isBad({ ms, missed }: HeldTake, { limitMs }: Pick<HeldLimit, 'limitMs'>): boolean {
  return missed || (limitMs !== null && ms > limitMs);
}

/** Nobody sends more to one load. */
const MOST_TAKES = 100_000;

/** Independent takes with which a share of bad ones shows that a load holds; null if none would. */
export function fewestThatHold(rate: number, share: number, alpha: number): number | null {
  if (rate >= share) return null;
  const fewest = firstWhere(1, MOST_TAKES, (n) => clopperPearsonUpper(rate * n, n, 1 - alpha) <= share);
  return fewest > MOST_TAKES ? null : fewest;
}
