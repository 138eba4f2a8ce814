import type { EffectiveSample } from '../effective-sample.ts';
import { SEED_ECHO } from './echoed-seed.ts';
import { BLANK } from './effective-outcome.ts';

/** Flags that say nothing of times. `slowed` is not one: fewer concurrent calls make a sample faster. */
const UNBENT: ReadonlySet<string> = new Set([BLANK, SEED_ECHO]);

export function isBent({ flags }: Pick<EffectiveSample, 'flags'>): boolean {
  return flags.some((flag) => !UNBENT.has(flag));
}
