import type { EffectiveSample } from '../analysis.ts';
import { BLANK } from './blank.ts';
import { SEED_ECHO } from './echoed-seed.ts';

/** Flags that say nothing of its times: a blank image has none that count, and a seed is no time. */
const UNBENT: ReadonlySet<string> = new Set([BLANK, SEED_ECHO]);

/** Whether a take carries a flag of something that may have bent its times. */
export function isBent({ flags }: Pick<EffectiveSample, 'flags'>): boolean {
  return flags.some((flag) => !UNBENT.has(flag));
}
