import type { HistoryLine } from '../../record/kept-run.ts';
import { studentQuantile } from '../../statistics/distributions.ts';
import { standardDeviation } from '../../statistics/mean.ts';
import { cellsOfRun, comparableRuns, FEWEST_RUNS, isBefore, MOST_RUNS, type RunCells } from '../earlier-runs.ts';
import { CONFIDENCE } from '../measures/confidence.ts';
import { commonCells, levelOver } from './decide-runs.ts';

export interface TwoOfHistory {
  readonly pair: readonly [earlier: string, later: string];
  readonly lines: readonly HistoryLine[];
}

export interface ChangeOfRuns {
  /** Comparable runs with a cell in common, at most 30: those of the run that has fewer. */
  readonly earlierRuns: number;
  /** Change of the mean ln over these cells, and its 95 % margin; null with fewer than 8 earlier runs. */
  readonly change: { readonly ln: number; readonly reach: number } | null;
}

/**
 * The margin is t(0.975, m - 1) sqrt(s1^2 + s2^2): s the standard deviation of the means of the m runs comparable with
 * a run that began before the later one. Two comparable runs share them: t s sqrt(2). For others m is the smaller
 * number, never too narrow (Mickey and Brown, Ann. Math. Statist. 37, 1966, 639-643).
 */
export function changeOfRuns({ lines, pair }: TwoOfHistory, variant: string, metric: string): ChangeOfRuns {
  const measured = pair.flatMap((run) => {
    const line = lines.find((other) => other.run === run);
    const ofVariant = line?.variants.find((summary) => summary.variant === variant);
    return line === undefined || ofVariant === undefined
      ? []
      : [{ line, digest: ofVariant.comparableDigest, now: cellsOfRun(ofVariant, metric) }];
  });
  const [one, other] = measured.map(({ line }) => line);
  if (one === undefined || other === undefined) return { earlierRuns: 0, change: null };
  const later = isBefore(one, other) ? other : one;
  const earlier = measured.map(({ digest }) =>
    comparableRuns(lines, { variant, digest })
      .filter(({ line }) => !pair.includes(line.run) && isBefore(line, later))
      .slice(-MOST_RUNS)
      .map(({ of }) => cellsOfRun(of, metric)),
  );
  const both = measured.map(({ now }) => now);
  const cells = commonCells([...both, ...earlier.flat()]);
  const fewest = cells.length === 0 ? 0 : Math.min(...earlier.map((runs) => runs.length));
  if (fewest < FEWEST_RUNS) return { earlierRuns: fewest, change: null };
  const levelsOf = (runs: readonly RunCells[]) => runs.map((run) => levelOver(run, cells, 'increase'));
  const [before = 0, after = 0] = levelsOf(both);
  const spread = Math.hypot(...earlier.map((runs) => standardDeviation(levelsOf(runs)) ?? 0));
  const reach = studentQuantile((1 + CONFIDENCE) / 2, fewest - 1) * spread;
  return { earlierRuns: fewest, change: { ln: after - before, reach } };
}
