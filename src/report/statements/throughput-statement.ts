import { rate, type rateUnit } from '../../text/quantity.ts';
import { noteClauses } from '../words/measures/note-words.ts';
import { type Measures, type Statement, statementOf } from './statement.ts';

/** The least and the most that throughput may be at a step, in assets per second: its interval, or its bracket; null without. */
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

/** Throughput with its interval; where slices are too short for one number the bracket in its place: `17 to 33 / s`. */
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
