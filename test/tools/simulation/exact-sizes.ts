import { exactSize } from '../../fixtures/exact-size.ts';
import { type Column, markdownTable } from './table.ts';

const PAIRS = [36, 60, 105];

/** In shares. */
const LIMITS = [0.02, 0.05, 0.1];

/** Rates of the baseline, 0 to 30 %. */
const BASELINES = Array.from({ length: 31 }, (_, at) => at / 100);

/**
 * A Markdown table: how often `max_rise` at concurrency 1 fails a rise of exactly its limit at most, by counting every
 * outcome.
 */
export function exactSizes(): string {
  return markdownTable(PAIRS, [
    ['blocks', (pairs) => pairs],
    ...LIMITS.map((limit): Column<number> => {
      const size = (pairs: number) => exactSize({ pairs, limit, baselines: BASELINES });
      return [`limit of ${100 * limit} points`, (pairs) => `${Number((100 * size(pairs)).toFixed(2))} %`];
    }),
  ]);
}
