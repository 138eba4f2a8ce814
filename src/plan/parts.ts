import { ownValue } from '../suite/document/own-value.ts';

/**
 * Why a plan is sent in parts, with a look at the gate after each; what is left is sent only while the gate is undecided.
 * - `confirm`: the plan, then the same cells again.
 * - `until_decided`: the case-seeds in tranches.
 */
export type LookKind = 'confirm' | 'until_decided';

/** The parts of a plan, and how many looks at the gate it allows for. */
export interface PlannedLooks {
  readonly kind: LookKind;
  /** Looks at most. */
  readonly of: number;
  /** What a difference of two variants stands on: blocks at concurrency 1, rounds above it. */
  readonly unit: 'blocks' | 'rounds';
  /** Until each of the looks, how many of these the variant with the most has. */
  readonly units: readonly number[];
  /** In the order they are sent, one for each look; fewer of a run that was decided early. */
  readonly parts: readonly PlannedPart[];
}

/** What is measured between two looks. */
export interface PlannedPart {
  /** The number of its last slice in the plan: the look comes after it. */
  readonly lastSlice: number;
  readonly caseSeeds: number;
  /** Measured trials, by variant. */
  readonly trials: Readonly<Record<string, number>>;
}

/** Case-seeds that the first parts of a plan ask for. */
export function caseSeedsOf({ kind, parts }: Pick<PlannedLooks, 'kind' | 'parts'>): number {
  // A confirmation asks for the same ones again.
  const asked = kind === 'confirm' ? parts.slice(0, 1) : parts;
  return asked.reduce((sum, { caseSeeds }) => sum + caseSeeds, 0);
}

/** Measured trials of a variant in parts of a plan. */
export function trialsIn(parts: readonly PlannedPart[], variant: string): number {
  return parts.reduce((sum, { trials }) => sum + (ownValue(trials, variant) ?? 0), 0);
}

/** Measured trials of all variants in parts of a plan. */
export function trialsInAll(parts: readonly PlannedPart[]): number {
  return parts.flatMap(({ trials }) => Object.values(trials)).reduce((sum, each) => sum + each, 0);
}

/** Takes of each cell that a plan asks for, in the parts given. */
export function takesOfCell(repeats: number, looks: Pick<PlannedLooks, 'kind' | 'parts'> | null): number {
  return looks?.kind === 'confirm' ? looks.parts.length * repeats : repeats;
}
