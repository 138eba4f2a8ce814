import type { Unit } from '../../../analysis/measures/unit.ts';
import { duration, rate, share, significant, usd } from '../../../text/wording.ts';

export function valueWords(value: number, unit: Unit): string {
  switch (unit) {
    case 'ms':
      return duration(value);
    case '1':
      return share(value);
    case '1/s':
      return rate(value, 's');
    case 'usd':
      return usd(value);
    case 'outputs':
    case 'in_flight':
    case 'levels':
    case 'levels2':
      return significant(value);
  }
}

/** The unit once: `[−9.64, +9.64 points]`. */
export function differenceInterval(low: number, high: number, unit: Unit): string {
  const lower = differenceWords(low, unit);
  return `[${unit === '1' ? lower.slice(0, -' points'.length) : lower}, ${differenceWords(high, unit)}]`;
}

/** Shares differ in percentage points. */
export function differenceWords(difference: number, unit: Unit): string {
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '';
  const size = Math.abs(difference);
  if (unit === '1') return `${sign}${significant(size * 100)} points`;
  return `${sign}${valueWords(size, unit)}`;
}
