import { CONFIDENCE } from '../../analysis/confidence.ts';
import type { PlannedLooks } from '../../plan/parts.ts';

/** What 1 - confidence is, without the last digits of a binary fraction. */
const ERROR_RATE = Number((1 - CONFIDENCE).toPrecision(12));

/** The error rate of every test at each look; of a gate that is decided once all of it. */
export function alphaOf(looks: Pick<PlannedLooks, 'of'> | null): number {
  return ERROR_RATE / (looks?.of ?? 1);
}
