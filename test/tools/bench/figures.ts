import { median, quantile, sortSample } from '../../../src/statistics/quantile.ts';

/** One line of the table: what was measured beside the bar it is held to. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly bar: string;
}

/** NaN of none. */
export function medianOf(values: readonly number[]): number {
  return median(sortSample(values)) ?? Number.NaN;
}

/** NaN where there are too few to tell. */
export function p95Of(values: readonly number[]): number {
  return quantile(sortSample(values), 95) ?? Number.NaN;
}
