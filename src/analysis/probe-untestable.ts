import { plural } from '../kit/wording.ts';
import type { SkippedProbeReason } from '../plan/recorded-plan.ts';

/** Why a probe found nothing, and what to do about it; null if the plan has nothing to test. */
export interface Untestable {
  readonly why: string;
  readonly remedy: string | null;
}

export function untestable(why: string): Untestable {
  return { why, remedy: 'look at its rows in samples.csv (phase probe), then run again' };
}

export const FROM_CACHE = 'repeats come from a cache';

export const CACHED: Untestable = { why: FROM_CACHE, remedy: 'turn the cache off and run again' };

export const NOT_COMPARED = untestable('takes have different bytes and were not compared further');

/** Why a probe, or a part of it, has nothing to test, as a clause. */
export function skippedReason(reason: SkippedProbeReason): string {
  switch (reason.code) {
    case 'no_seed':
      return 'the target takes no seed';
    case 'no_spare_seed':
      return 'the target takes no seeds besides those of the suite';
    case 'too_few_seeds':
      return `the target takes only ${plural(reason.seeds, 'seed')}, too few to draw fresh ones`;
    case 'seed_required':
      return 'the target always sends a seed';
    case 'concurrency_1':
      return 'load.concurrency is 1, so requests never run together';
    case 'one_cell':
      return 'the plan has one prompt and seed, so requests never run together';
  }
}
