import { type DurationUnit, duration, rate } from '../../kit/wording.ts';

/** `8.00/s`, `30.0/min`, within a sentence. */
export function ratePer(perSecond: number, per: 's' | 'min'): string {
  return rate(perSecond, per).replace(' / ', '/');
}

/** Null: above the time limit. */
export function limitedDuration(ms: number | null, unit: DurationUnit): string {
  return ms === null ? 'above the time limit' : duration(ms, unit);
}
