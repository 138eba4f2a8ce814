import type { Comparison } from '../../compare/comparison.ts';
import { inverse, ratioInterval, tellsApart, times } from './comparison-statement.ts';

/** As the sentence of a comparison says it: `2.15x as fast`, `1.20x as long`. */
export function speedWords(ratio: number): string {
  return ratio < 1 ? `${times(1 / ratio)} as fast` : `${times(ratio)} as long`;
}

/** The interval of such a ratio, turned as the words are, or that there is none. */
export function speedEvidence({ value, ciLow, ciHigh, ciLevel, finding, ...comparison }: Comparison): string {
  if (finding === 'too_few' || ciLevel === null || value === null) return 'too few cell pairs to compare';
  const turned = value < 1;
  const interval = turned ? ratioInterval(inverse(ciHigh), inverse(ciLow)) : ratioInterval(ciLow, ciHigh);
  return tellsApart({ finding, notes: comparison.notes }) ? interval : `${interval}, not told apart`;
}
