import type { LevelLimits } from '../../media/difference.ts';
import { HELD_LEVELS, type HeldLevel, isAtLeast } from '../../media/level.ts';
import { LEAST_QUALITY, pdqDistance } from '../../media/pdq.ts';
import { cellOf } from '../../plan/plan.ts';
import type { BaselineCell, BaselineOutput } from '../../record/kept-run.ts';
import type { GateEvent } from '../../suite/gate.ts';
import type { GateRule } from '../../suite/rule.ts';
import { joinEqualOutputs } from '../cells/cell-outputs.ts';
import type { LevelOfPair } from '../cells/pair-levels.ts';

/** The levels at which digests alone tell whether two outputs are equal. */
export const DIGEST_LEVELS = ['byte', 'pixel', 'related'] as const satisfies readonly HeldLevel[];

/** The metric of each level: it needs a stored baseline, so that no run has it alone. */
export const STABILITY_METRICS: ReadonlyMap<string, HeldLevel> = new Map(
  HELD_LEVELS.map((level) => [`stability.${level}`, level]),
);

/** What such a metric counts: cells whose usual output changed. */
export const STABILITY_EVENT: GateEvent = 'change';

export function needsMedia(level: HeldLevel): level is 'near' | 'similar' {
  return level === 'near' || level === 'similar';
}

export function comparesMedia({ metric }: Pick<GateRule, 'metric'>): boolean {
  const level = STABILITY_METRICS.get(metric);
  return level !== undefined && needsMedia(level);
}

export interface Stability {
  /** Cells that both have. */
  readonly common: number;
  /** Common cells that are stable in the baseline: at least two takes, all equal at the level. */
  readonly stable: number;
  /** Stable cells whose usual outputs were compared. In the others nothing was delivered, or it was not decoded. */
  readonly compared: number;
  /** Compared cells whose usual output does not match. */
  readonly changed: readonly BaselineCell[];
  /** Common cells in which outputs could not be compared at the level. */
  readonly unknown: number;
}

/** What tells whether two outputs of a variant are equal, beside their digests. */
export interface LevelKnowledge {
  readonly limits: Pick<LevelLimits, 'related'>;
  /** Of pairs that examination compared: `near` and `similar` are told by it alone. */
  readonly levelOf: LevelOfPair;
}

/**
 * Compares the usual output of each cell with that of the stored baseline. Takes that sometimes depart are a matter of
 * determinism.
 *
 * @param cells of the run, of one variant
 * @param stored of the baseline, of any variants
 */
export function stabilityOf(
  cells: readonly BaselineCell[],
  stored: readonly BaselineCell[],
  level: HeldLevel,
  knowledge: LevelKnowledge,
): Stability {
  const before = new Map(stored.map((cell) => [cellOf(cell), cell]));
  const pairs = cells.flatMap((cell) => {
    const old = before.get(cellOf(cell));
    return old === undefined ? [] : [{ cell, old }];
  });
  const incomparable = new Set<BaselineCell>();
  const equalsIn = (cell: BaselineCell) => (a: BaselineOutput, b: BaselineOutput) => {
    const equal = equalAt(level, a, b, knowledge);
    if (equal === null) incomparable.add(cell);
    return equal;
  };
  const stable = pairs.flatMap(({ cell, old }) => {
    const usual = usualOutput(old.outputs, equalsIn(cell));
    return usual?.isOnly === true && usual.takes >= 2 ? [{ cell, usual: usual.output }] : [];
  });
  const compared = stable.flatMap(({ cell, usual }) => {
    const now = usualOutput(cell.outputs, equalsIn(cell));
    const equal = now === null ? null : equalsIn(cell)(usual, now.output);
    return equal === null ? [] : [{ cell, equal }];
  });
  return {
    common: pairs.length,
    stable: stable.length,
    compared: compared.length,
    changed: compared.filter(({ equal }) => !equal).map(({ cell }) => cell),
    unknown: incomparable.size,
  };
}

interface UsualOutput {
  readonly output: BaselineOutput;
  readonly takes: number;
  /** Whether all takes were compared and none departs from it. */
  readonly isOnly: boolean;
}

/** Null of a cell without an output. */
function usualOutput(
  outputs: readonly BaselineOutput[],
  equals: (a: BaselineOutput, b: BaselineOutput) => boolean | null,
): UsualOutput | null {
  const byDigest = new Map(outputs.map((output) => [output.sha256, output]));
  const { outputGroups, unknown } = joinEqualOutputs(outputs, (leader, other) => {
    const [a, b] = [byDigest.get(leader), byDigest.get(other)];
    return a === undefined || b === undefined ? null : equals(a, b);
  });
  const [first] = outputGroups;
  const output = first === undefined ? undefined : byDigest.get(first.sha256);
  if (first === undefined || output === undefined) return null;
  return { output, takes: first.takes, isOnly: outputGroups.length === 1 && unknown === 0 };
}

/** Whether two outputs are equal at a level or better; null where their digests do not tell. */
function equalAt(
  level: HeldLevel,
  a: BaselineOutput,
  b: BaselineOutput,
  { limits, levelOf }: LevelKnowledge,
): boolean | null {
  if (a.sha256 === b.sha256) return true;
  if (level === 'byte') return false;
  if (a.pixelSha256 === null || b.pixelSha256 === null) return null;
  if (a.pixelSha256 === b.pixelSha256) return true;
  if (level === 'pixel') return false;
  if (needsMedia(level)) {
    const found = levelOf(a.sha256, b.sha256);
    return found === null ? null : isAtLeast(found, level);
  }
  if (a.pdq === null || b.pdq === null) return null;
  if (Math.min(a.pdqQuality ?? 0, b.pdqQuality ?? 0) < LEAST_QUALITY) return null;
  return pdqDistance(a.pdq, b.pdq) <= limits.related.pdqDistance;
}
