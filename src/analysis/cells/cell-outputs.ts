import { groupBy } from '../../kit/grouping.ts';
import { cellOf } from '../../plan/plan.ts';
import type { EqualOutputs } from '../../record/output-pairs.ts';
import type { EffectiveSample } from '../effective-sample.ts';

export interface JoinedOutputs {
  /** Most frequent first; ties in the order first seen. */
  readonly outputGroups: readonly EqualOutputs[];
  /** Takes that could not be compared; they are in no group. */
  readonly unknown: number;
}

/** Joins each output to the first earlier one that it equals; the group has the digest of its first output. */
export function joinEqualOutputs(
  outputs: readonly EqualOutputs[],
  equals: (leader: string, other: string) => boolean | null,
): JoinedOutputs {
  const leaders: { sha256: string; takes: number }[] = [];
  let unknown = 0;
  for (const { sha256, takes } of outputs) {
    const leader = leaders.find((group) => equals(group.sha256, sha256) === true);
    if (leader !== undefined) leader.takes += takes;
    else if (leaders.some((group) => equals(group.sha256, sha256) === null)) unknown += takes;
    else leaders.push({ sha256, takes });
  }
  return { outputGroups: leaders.sort((a, b) => b.takes - a.takes), unknown };
}

/** The digest of the delivered output; null unless the trial is ok. */
export function deliveredDigest(effective: EffectiveSample): string | null {
  return effective.outcome === 'ok' ? (effective.output?.sha256 ?? null) : null;
}

/** The distinct outputs of each cell, in order. A cell with one delivered take is left out: it cannot differ. */
export function repeatedCells(samples: readonly EffectiveSample[]): EqualOutputs[][] {
  const cells: EqualOutputs[][] = [];
  for (const takes of groupBy(samples, ({ sample }) => cellOf(sample.trial)).values()) {
    const digests = takes.map(deliveredDigest).filter((digest) => digest !== null);
    if (digests.length < 2) continue;
    cells.push([...groupBy(digests, (digest) => digest)].map(([sha256, equal]) => ({ sha256, takes: equal.length })));
  }
  return cells;
}
