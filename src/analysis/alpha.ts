import type { PlannedLooks } from '../plan/recorded-plan.ts';
import { normalCriticalValue, normalUpperTail } from '../statistics/distributions.ts';
import { smallestSignedRankP } from '../statistics/signed-rank.ts';
import { CONFIDENCE } from './measures/confidence.ts';

/** What 1 - confidence is, without the last digits of a binary fraction. */
export const ERROR_RATE = Number((1 - CONFIDENCE).toPrecision(12));

/**
 * The part of the error rate that every test and one-sided bound takes at each look of a gate; 0 at a look that comes
 * after too few units for a signed rank test to decide anything. Of a gate that is decided once, all of it. The parts
 * add up to the error rate, so that all looks together keep it, whatever they have in common (Bonferroni).
 *
 * At concurrency 1 the looks that can decide take equal parts. Above it, where a part of a plan has few rounds, a look
 * takes what O'Brien and Fleming's spending function has risen by since the last one that could decide (Lan and DeMets,
 * Biometrika 70, 1983, 659-663): little at first, most at the end.
 */
export function alphasOf(looks: Pick<PlannedLooks, 'unit' | 'units'> | null): readonly number[] {
  if (looks === null) return [ERROR_RATE];
  return looks.unit === 'blocks' ? equalParts(looks.units) : spentParts(looks.units);
}

/** The part of one look, counted from 1; beyond the last look, the last one's. */
export function alphaAt(looks: Pick<PlannedLooks, 'unit' | 'units'> | null, look: number): number {
  const alphas = alphasOf(looks);
  return alphas[Math.min(look, alphas.length) - 1] ?? ERROR_RATE;
}

/** The last look always can: what it cannot decide, none can. */
function equalParts(units: readonly number[]): readonly number[] {
  const looksFrom = (first: number) => units.length - first;
  const first = units.findIndex(
    (until, at) => at === units.length - 1 || smallestSignedRankP(until) <= ERROR_RATE / looksFrom(at),
  );
  return units.map((_until, at) => (at < first ? 0 : ERROR_RATE / looksFrom(first)));
}

function spentParts(units: readonly number[]): readonly number[] {
  const all = units.at(-1) ?? 0;
  let spent = 0;
  return units.map((until, at) => {
    if (at === units.length - 1) return ERROR_RATE - spent;
    // Without a unit nothing can be decided.
    const part = spentUntil(all === 0 ? 0 : until / all) - spent;
    if (smallestSignedRankP(until) > part) return 0;
    spent += part;
    return part;
  });
}

/** 2 - 2 Phi(z / sqrt(share)), with z the critical value of half the error rate: all of it at the end. */
function spentUntil(share: number): number {
  return share === 0 ? 0 : 2 * normalUpperTail(normalCriticalValue(ERROR_RATE / 2) / Math.sqrt(share));
}
