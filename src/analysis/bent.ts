import type { EffectiveSample } from './effective-sample.ts';
import { SEED_ECHO } from './samples/echoed-seed.ts';
import { BLANK } from './samples/effective-outcome.ts';

/** The flag of a sample with late timestamps. */
export const LATE = 'harness_lag';

/** The flag of a sample sent while concurrency was below the declared one, because the service refused calls. */
export const SLOWED = 'slowed';

/** Flags that say nothing of times. `slowed` is not one: fewer concurrent calls make a sample faster. */
const UNBENT: ReadonlySet<string> = new Set([BLANK, SEED_ECHO]);

export function isBent({ flags }: Pick<EffectiveSample, 'flags'>): boolean {
  return flags.some((flag) => !UNBENT.has(flag));
}
