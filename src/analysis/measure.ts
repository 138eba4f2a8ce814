import type { Measure } from './analysis.ts';
import type { Subject } from './metric.ts';

/** The level of every interval that is printed. */
export const CONFIDENCE = 0.95;

/** An interval; an end is null where it is not known. */
export interface MeasuredInterval {
  readonly low: number | null;
  readonly high: number | null;
}

/** What a metric says of its subject; the rest of a measure follows from the subject. */
export interface Finding {
  readonly metric: string;
  readonly statistic: string;
  readonly value: number | null;
  readonly unit: string;
  readonly better: Measure['better'];
  readonly n: number;
  readonly interval: MeasuredInterval | null;
  readonly method: string;
  /** What must be known to read it, codes of note.ts, joined by `;`. */
  readonly notes: readonly string[];
}

/** A measure of a subject. */
export function measureOf({ variant, prompt, step }: Subject, finding: Finding): Measure {
  const { metric, statistic, value, unit, better, n, interval, method, notes } = finding;
  return {
    variant: variant.name,
    kind: variant.kind,
    prompt,
    step,
    metric,
    statistic,
    value,
    unit,
    better,
    n,
    ciLow: interval?.low ?? null,
    ciHigh: interval?.high ?? null,
    ciLevel: interval === null ? null : CONFIDENCE,
    method,
    note: notes.join(';'),
  };
}
