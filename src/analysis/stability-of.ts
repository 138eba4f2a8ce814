import { pick } from '../kit/json.ts';
import type { LevelLimits } from '../media/difference.ts';
import { type HeldLevel, isAtLeast } from '../media/level.ts';
import { LEAST_QUALITY, pdqDistance } from '../media/pdq.ts';
import { cellOf } from '../plan/plan.ts';
import type { BaselineCell, BaselineOutput } from '../record/kept-run.ts';
import { joinEqualOutputs } from './cells/cells.ts';
import type { LevelOfPair } from './pair-levels.ts';

/** A level of outputs, or the model that answered. */
export type StabilityLevel = HeldLevel | 'model';

export function needsMedia(level: StabilityLevel): level is 'near' | 'similar' {
  return level === 'near' || level === 'similar';
}

export interface Stability {
  readonly common: number;
  /** Common cells with at least two takes in the baseline, all equal at the level. */
  readonly stable: number;
  /** Stable cells with comparable usual outputs; the others have no output, or it was not decoded. */
  readonly compared: number;
  /** Compared cells whose usual output differs. */
  readonly changed: readonly ChangedCell[];
  /** Common cells whose outputs could not be compared. */
  readonly unknown: number;
}

export interface ChangedCell extends Pick<BaselineCell, 'prompt' | 'seed'> {
  /** Usual outputs, that of the stored baseline first; null where the models are compared. */
  readonly outputs: readonly [stored: string, now: string] | null;
}

/** What decides whether two outputs of a variant are equal, beside their digests. */
interface LevelKnowledge {
  readonly limits: Pick<LevelLimits, 'related'>;
  /** From examination, the only source of `near` and `similar`. */
  readonly levelOf: LevelOfPair;
}

/** Compares usual outputs; occasional departures are a matter of determinism. `stored`: of any variants. */
export function stabilityOf(
  cells: readonly BaselineCell[],
  stored: readonly BaselineCell[],
  level: StabilityLevel,
  knowledge: LevelKnowledge,
): Stability {
  const before = new Map(stored.map((cell) => [cellOf(cell), cell]));
  const pairs = cells.flatMap((cell) => {
    const old = before.get(cellOf(cell));
    return old === undefined ? [] : [{ cell, old }];
  });
  return level === 'model' ? stabilityOfModels(pairs) : stabilityOfOutputs(pairs, level, knowledge);
}

interface CellAgain {
  readonly cell: BaselineCell;
  readonly old: BaselineCell;
}

function stabilityOfModels(pairs: readonly CellAgain[]): Stability {
  const compared = pairs.filter(({ cell, old }) => cell.models !== undefined && old.models !== undefined);
  const changed = compared.filter(({ cell, old }) => cell.models?.join('\n') !== old.models?.join('\n'));
  return {
    common: pairs.length,
    stable: compared.length,
    compared: compared.length,
    changed: changed.map(({ cell }) => ({ ...pick(cell, 'prompt', 'seed'), outputs: null })),
    unknown: 0,
  };
}

function stabilityOfOutputs(pairs: readonly CellAgain[], level: HeldLevel, knowledge: LevelKnowledge): Stability {
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
    if (now === null || equal === null) return [];
    const outputs = [usual.sha256, now.output.sha256] as const;
    return [{ equal, changed: { ...pick(cell, 'prompt', 'seed'), outputs } }];
  });
  return {
    common: pairs.length,
    stable: stable.length,
    compared: compared.length,
    changed: compared.filter(({ equal }) => !equal).map(({ changed }) => changed),
    unknown: incomparable.size,
  };
}

interface UsualOutput {
  readonly output: BaselineOutput;
  readonly takes: number;
  /** Whether all takes were compared and are equal. */
  readonly isOnly: boolean;
}

/** Null if the cell has no output. */
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

/** Whether two outputs are equal at a level or better; null if their digests do not tell. */
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
    const pairLevel = levelOf(a.sha256, b.sha256);
    return pairLevel === null ? null : isAtLeast(pairLevel, level);
  }
  if (a.pdq === null || b.pdq === null) return null;
  if (Math.min(a.pdqQuality ?? 0, b.pdqQuality ?? 0) < LEAST_QUALITY) return null;
  return pdqDistance(a.pdq, b.pdq) <= limits.related.pdqDistance;
}
