import type { JudgedSample } from './analysis.ts';
import { groupBy } from './grouping.ts';

/** An output of a cell, and how many of its takes gave it. */
export interface Mode {
  readonly sha256: string;
  readonly takes: number;
}

/** The distinct outputs among digests, most frequent first, ties in the order they were first seen. */
export function modesOf(digests: readonly string[]): Mode[] {
  const modes = [...groupBy(digests, (sha256) => sha256)].map(([sha256, takes]) => ({ sha256, takes: takes.length }));
  return modes.sort((a, b) => b.takes - a.takes);
}

/** The digest of what a trial delivered; null unless it is ok. */
export function deliveredDigest({ outcome, output }: JudgedSample): string | null {
  return outcome === 'ok' && output !== null ? output.sha256 : null;
}

/** The key of a trial's cell within its variant: prompt x seed. */
export function cellKey(prompt: string, seed: number | null): string {
  return `${seed} ${prompt}`;
}

/** The modes of each cell that delivered at least two takes; a single take cannot differ. */
export function repeatedCells(samples: readonly JudgedSample[]): Mode[][] {
  const cells: Mode[][] = [];
  for (const takes of groupBy(samples, ({ sample: { trial } }) => cellKey(trial.prompt, trial.seed)).values()) {
    const digests = takes.map(deliveredDigest).filter((digest) => digest !== null);
    if (digests.length >= 2) cells.push(modesOf(digests));
  }
  return cells;
}
