import type { PlannedLooks } from '../plan/recorded-plan.ts';
import { normalCriticalValue, normalUpperTail } from '../statistics/distributions.ts';
import { smallestSignedRankP } from '../statistics/signed-rank.ts';
import { CONFIDENCE } from './measures/confidence.ts';

/** Rounded: 1 - 0.95 leaves binary digits behind 0.05. */
export const ERROR_RATE = Number((1 - CONFIDENCE).toPrecision(12));

/**
 * The share of the error rate per test at each look; 0 with too few units for a signed rank test. The shares add up to
 * it, so that all looks together keep it (Bonferroni): equal at concurrency 1, above it what O'Brien and Fleming's
 * spending function rises by (Lan and DeMets, Biometrika 70, 1983, 659-663).
 */
export function alphasOf(looks: Pick<PlannedLooks, 'unit' | 'units'> | null): readonly number[] {
  if (looks === null) return [ERROR_RATE];
  return looks.unit === 'blocks' ? equalParts(looks.units) : spentParts(looks.units);
}

/** The share of one look, counted from 1; that of the last look after it. */
export function alphaAt(looks: Pick<PlannedLooks, 'unit' | 'units'> | null, look: number): number {
  const alphas = alphasOf(looks);
  return alphas[Math.min(look, alphas.length) - 1] ?? ERROR_RATE;
}

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
    const part = spentUntil(all === 0 ? 0 : until / all) - spent;
    if (smallestSignedRankP(until) > part) return 0;
    spent += part;
    return part;
  });
}

/** 2 - 2 Phi(z / sqrt(share)), z the critical value of half the error rate; the whole error rate at share 1. */
function spentUntil(share: number): number {
  return share === 0 ? 0 : 2 * normalUpperTail(normalCriticalValue(ERROR_RATE / 2) / Math.sqrt(share));
}
