import type { Cluster } from '../rates/clustered-rate.ts';
import { type Alternative, type SignedRank, signedRank } from './signed-rank.ts';

/** Trials of both sides that belong together, as those of one round: how many, and how many had the event. */
export interface PairedRates {
  readonly candidate: Cluster;
  readonly baseline: Cluster;
}

/** Rates that are equal differ by less in a double, others by more. */
const STEPS = 1_099_511_627_776; // 2^40

/**
 * The signed rank test of the differences of two rates within rounds, candidate less baseline, about `rise`. Rates have few values,
 * so that ties and differences of exactly `rise` are common: the differences are rounded to 2^-40, lest the last bit of a division
 * breaks them. Rounds without a trial on either side are left out.
 *
 * @param rise as a share
 */
export function signedRankOfRates(rounds: readonly PairedRates[], alternative: Alternative, rise = 0): SignedRank {
  const departures = rounds
    .filter(({ candidate, baseline }) => candidate.trials > 0 && baseline.trials > 0)
    .map(({ candidate, baseline }) => rateOf(candidate) - rateOf(baseline) - rise);
  return signedRank(
    departures.map((departure) => Math.round(departure * STEPS) / STEPS),
    alternative,
  );
}

function rateOf({ events, trials }: Cluster): number {
  return events / trials;
}
