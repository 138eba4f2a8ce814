import type { Measure } from '../../analysis/analysis.ts';

/** A number of one of two runs with its two-sided 95 % interval; null where there is none. */
export interface NumberOfRun {
  readonly value: number | null;
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  readonly n: number;
}

export function numberOfRun({ value, ciLow, ciHigh, n }: Pick<Measure, keyof NumberOfRun>): NumberOfRun {
  return { value, ciLow, ciHigh, n };
}
