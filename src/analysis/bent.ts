import type { EffectiveSample } from './effective-sample.ts';
import { SEED_ECHO } from './samples/echoed-seed.ts';
import { BLANK } from './samples/effective-outcome.ts';

/** The flag of a sample whose time stamps came late. */
export const LATE = 'harness_lag';

/** The flag of a sample that began while a service that refuses was sent fewer calls at once than declared. */
export const SLOWED = 'slowed';

/**
 * These say nothing of times: a blank image has none that count, and a seed is no time. `slowed` is not among them:
 * fewer calls ran beside the sample, which makes it faster at a service with a queue.
 */
const UNBENT: ReadonlySet<string> = new Set([BLANK, SEED_ECHO]);

export function isBent({ flags }: Pick<EffectiveSample, 'flags'>): boolean {
  return flags.some((flag) => !UNBENT.has(flag));
}
