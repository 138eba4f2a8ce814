import type { Comparison } from '../../compare/comparison.ts';
import { BY_LESS_THAN_NOISE } from '../words/measures/comparison-note-words.ts';
import { speedInterval } from '../words/measures/speed-words.ts';
import { isBelowFloor, isCompared, tellsApart, whyNoInterval } from './comparison-statement.ts';

/** The interval of a speed, inverted where the words are, and a remark where the number needs one. */
export interface SpeedEvidence {
  readonly interval: string | null;
  readonly remark: string | null;
}

export function speedEvidence(comparison: Comparison): SpeedEvidence {
  const { value, ciLow, ciHigh, ciLevel } = comparison;
  if (value === null || !isCompared(comparison)) return { interval: null, remark: 'not compared' };
  if (ciLevel === null) return { interval: null, remark: whyNoInterval(comparison) };
  return { interval: speedInterval(value, ciLow, ciHigh), remark: remarkOn(comparison) };
}

function remarkOn(comparison: Comparison): string | null {
  if (!tellsApart(comparison)) return 'not told apart';
  return isBelowFloor(comparison) ? BY_LESS_THAN_NOISE : null;
}

/** `[2.05, 2.22]`, `[0.97, 1.05], not told apart`, `no interval: 4 blocks, needs 6`. */
export function speedEvidenceWords(comparison: Comparison): string {
  const { interval, remark } = speedEvidence(comparison);
  return [interval, remark].filter((part) => part !== null).join(', ');
}
