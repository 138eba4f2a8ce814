import type { EffectiveSample } from '../analysis.ts';
import { groupBy } from '../grouping.ts';
import { isBlank } from '../samples/blank.ts';

/** An output of a cell, and how many of its takes gave it, or one as good as equal to it. */
export interface Mode {
  readonly sha256: string;
  readonly takes: number;
}

/** The outputs of a cell at some level of equality. */
export interface Modes {
  /** Most frequent first, ties in the order they were first seen. */
  readonly modes: readonly Mode[];
  /** Takes of which it is not known whether they equal the others; they are in no mode. */
  readonly unknown: number;
}

/** The distinct outputs among digests, most frequent first, ties in the order they were first seen. */
export function modesOf(digests: readonly string[]): Mode[] {
  const modes = [...groupBy(digests, (sha256) => sha256)].map(([sha256, takes]) => ({ sha256, takes: takes.length }));
  return modes.sort((a, b) => b.takes - a.takes);
}

/**
 * Joins each output to the first earlier one it equals. The one that leads a mode gives it its digest.
 *
 * @param outputs distinct ones in the order they were first seen, with their takes
 * @param equals null where that is not known
 */
export function joinModes(outputs: readonly Mode[], equals: (leader: string, other: string) => boolean | null): Modes {
  const leaders: { sha256: string; takes: number }[] = [];
  let unknown = 0;
  for (const { sha256, takes } of outputs) {
    const leader = leaders.find((each) => equals(each.sha256, sha256) === true);
    if (leader !== undefined) leader.takes += takes;
    else if (leaders.some((each) => equals(each.sha256, sha256) === null)) unknown += takes;
    else leaders.push({ sha256, takes });
  }
  return { modes: leaders.sort((a, b) => b.takes - a.takes), unknown };
}

/** The digest of what a trial delivered; null unless it is ok, and something is to be seen on it. */
export function deliveredDigest(judged: EffectiveSample): string | null {
  return judged.outcome === 'ok' && judged.output !== null && !isBlank(judged) ? judged.output.sha256 : null;
}

/** The key of a trial's cell within its variant: prompt x seed. */
export function cellKey(prompt: string, seed: number | null): string {
  return `${seed} ${prompt}`;
}

/** Of each cell that delivered at least two takes its distinct outputs, in the order they came; a single take cannot differ. */
export function repeatedCells(samples: readonly EffectiveSample[]): Mode[][] {
  const cells: Mode[][] = [];
  for (const takes of groupBy(samples, ({ sample: { trial } }) => cellKey(trial.prompt, trial.seed)).values()) {
    const digests = takes.map(deliveredDigest).filter((digest) => digest !== null);
    if (digests.length < 2) continue;
    cells.push([...groupBy(digests, (digest) => digest)].map(([sha256, each]) => ({ sha256, takes: each.length })));
  }
  return cells;
}
