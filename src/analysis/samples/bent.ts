import type { EffectiveSample } from '../analysis.ts';
import { BLANK } from './blank.ts';
import { SEED_ECHO } from './echoed-seed.ts';

/** The flag of a sample that began while a service that refuses was sent fewer calls at once than declared. */
export const SLOWED = 'slowed';

/**
 * Flags that say nothing of its times: a blank image has none that count, and a seed is no time. A call whose start was
 * slowed began later and was measured as every other; fewer ran beside it, which a warning of its own says. Where an
 * account is rate-limited most calls are slowed, so numbers without them would have nothing left.
 */
const UNBENT: ReadonlySet<string> = new Set([BLANK, SEED_ECHO, SLOWED]);

/** Whether a take carries a flag of something that may have bent its times. */
export function isBent({ flags }: Pick<EffectiveSample, 'flags'>): boolean {
  return flags.some((flag) => !UNBENT.has(flag));
}
