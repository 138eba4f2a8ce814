import { DEFAULT_LIMITS, type LevelLimits, levelOf } from '../media/level.ts';
import { type Fact, orderedPair } from '../record/fact.ts';
import type { LevelOfPair } from './probe-finding.ts';

/**
 * The level of two outputs from what examination found: `byte` for one digest, `pixel` for equal pixels, else by their
 * difference, within the limits of a variant. Null where nobody compared them.
 */
export function pairLevels(facts: readonly Fact[]): (limits?: LevelLimits) => LevelOfPair {
  const pixels = new Map<string, string>();
  const differences = new Map<string, Extract<Fact, { compared: true }>['difference']>();
  for (const fact of facts) {
    if (fact.fact === 'output') {
      if (fact.decodes === true && fact.shown !== undefined) pixels.set(fact.sha256, fact.shown.pixelSha256);
    } else if (fact.compared) {
      differences.set(keyOf(fact.a, fact.b), fact.difference);
    }
  }
  return (limits = DEFAULT_LIMITS) =>
    (a, b) => {
      if (a === b) return 'byte';
      const shown = pixels.get(a);
      if (shown !== undefined && shown === pixels.get(b)) return 'pixel';
      const difference = differences.get(keyOf(a, b));
      return difference === undefined ? null : levelOf(difference, limits);
    };
}

/** The levels of each variant's outputs, within its own limits, by its name. */
export type LevelsByVariant = ReadonlyMap<string, LevelOfPair>;

/** Those of one variant; a variant that the run does not know has none. */
export function levelsOf(levels: LevelsByVariant, variant: string): LevelOfPair {
  return levels.get(variant) ?? ((a, b) => (a === b ? 'byte' : null));
}

function keyOf(one: string, other: string): string {
  return orderedPair(one, other).join(' ');
}
