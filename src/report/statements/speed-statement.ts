import type { Comparison } from '../../compare/comparison.ts';
import { speedInterval } from '../words/measures/speed-words.ts';
import { tellsApart, UNIT_NOUNS } from './comparison-statement.ts';

/** What stands behind such a ratio: its interval, turned as the words are, and a remark where it cannot be taken at its word. */
export interface SpeedEvidence {
  readonly interval: string | null;
  readonly remark: string | null;
}

export function speedEvidence({
  value,
  ciLow,
  ciHigh,
  ciLevel,
  finding,
  units,
  ...comparison
}: Comparison): SpeedEvidence {
  if (finding === 'too_few' || ciLevel === null || value === null)
    return { interval: null, remark: `too few ${UNIT_NOUNS[units]}s to compare` };
  const interval = speedInterval(value, ciLow, ciHigh);
  return { interval, remark: tellsApart({ finding, notes: comparison.notes }) ? null : 'not told apart' };
}

/** The same in one text: `[2.05, 2.22]`, `[0.97, 1.05], not told apart`, `too few cell pairs to compare`. */
export function speedEvidenceWords(comparison: Comparison): string {
  const { interval, remark } = speedEvidence(comparison);
  return [interval, remark].filter((part) => part !== null).join(', ');
}
