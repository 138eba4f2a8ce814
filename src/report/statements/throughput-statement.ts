import { rate, type rateUnit } from '../../text/wording.ts';
import { noteClauses } from '../words/measures/note-words.ts';
import { type Measures, type Statement, statementOf } from './statement.ts';

/** Assets per second: the ends of the interval, or of the bracket; null without both. */
export interface ThroughputRange {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export function throughputRange(measures: Measures, variant: string, step: number | null): ThroughputRange {
  const measure = measures(variant, 'throughput', 'rate', step);
  return {
    value: measure?.value ?? null,
    low: measure?.ciLow ?? measures(variant, 'throughput', 'rate_low', step)?.value ?? null,
    high: measure?.ciHigh ?? measures(variant, 'throughput', 'rate_high', step)?.value ?? null,
  };
}

/** Throughput with its interval; where slices are too short for one number, its bracket: `17 to 33 / s`. */
export function throughputStatement(
  measures: Measures,
  variant: string,
  step: number | null,
  per: ReturnType<typeof rateUnit>,
): Statement {
  const measure = measures(variant, 'throughput', 'rate', step);
  const stated = statementOf(
    measure,
    (value) => rate(value, per),
    (low, high) => `${numberOf(low, per)} – ${rate(high, per)}`,
  );
  if (measure === null || measure.method !== 'bracket') return stated;
  const notes = [...noteClauses(measure.notes), 'for one number, use a sweep with more repeats, or open load'];
  const { low, high } = throughputRange(measures, variant, step);
  if (low === null || high === null) return { ...stated, notes };
  return { ...stated, value: `${numberOf(low, per)} to ${rate(high, per)}`, notes };
}

function numberOf(perSecond: number, per: ReturnType<typeof rateUnit>): string {
  return rate(perSecond, per).replace(/ .*$/, '');
}
