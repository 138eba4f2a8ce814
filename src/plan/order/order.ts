import { groupBy } from '../../kit/grouping.ts';
import type { Random } from '../../statistics/random.ts';
import type { Kind } from '../../suite/kind.ts';
import type { ClosedLoad, Load } from '../../suite/load.ts';
import type { Case, ProbeKind } from '../../suite/suite.ts';
import type { Variant } from '../../targets/target.ts';
import type { LookKind } from '../recorded-plan.ts';
import type { Trial } from '../trial.ts';

export interface KindTrials {
  readonly kind: Kind;
  readonly cells: readonly CellTrials[];
}

/** `takes[repeat - 1]` has one trial of every variant of the kind, in declared order: one block. */
export interface CellTrials {
  readonly takes: readonly (readonly Trial[])[];
}

/**
 * The slices of closed load in the order they are sent, each drained before the next.
 *
 * - `paired`: rounds of a group of cells (one at concurrency 1, else 2 x concurrency) and one repeat; in a round a
 *   slice per variant, in random order, over the same cells in the same order. So a slow drift of the service affects
 *   all variants alike, and variants do not queue behind each other. A repeat of a cell follows the previous repeat of
 *   every cell, so the takes of a cell are spread over the run.
 * - `mixed`: one slice, all variants in flight together.
 * - `sequential`: one slice per variant, in declared order.
 *
 * The same trials, load and random numbers give the same slices.
 */
export function orderTrials(
  kinds: readonly KindTrials[],
  load: Pick<ClosedLoad, 'order' | 'concurrency'>,
  random: Random,
): readonly (readonly Trial[])[] {
  switch (load.order) {
    case 'paired':
      return paired(kinds, load.concurrency === 1 ? 1 : 2 * load.concurrency, random);
    case 'mixed':
      return nonEmpty([random.shuffle(kinds.flatMap(({ cells }) => cells.flatMap(({ takes }) => takes.flat())))]);
    case 'sequential':
      return sequential(kinds, random);
  }
}

function paired(kinds: readonly KindTrials[], groupSize: number, random: Random): readonly (readonly Trial[])[] {
  const groups = kinds.flatMap(({ cells }) => chunk(random.shuffle(cells), groupSize));
  const passes = groups.flat().reduce((most, { takes }) => Math.max(most, takes.length), 0);
  const slices: (readonly Trial[])[] = [];
  for (let pass = 0; pass < passes; pass += 1) {
    for (const group of random.shuffle(groups)) {
      const blocks = random.shuffle(group).flatMap(({ takes }) => takes.slice(pass, pass + 1));
      slices.push(...random.shuffle(byVariant(blocks.flat())));
    }
  }
  return nonEmpty(slices);
}

function sequential(kinds: readonly KindTrials[], random: Random): readonly (readonly Trial[])[] {
  const perVariant = kinds.flatMap(({ cells }) => byVariant(cells.flatMap(({ takes }) => takes.flat())));
  return nonEmpty(perVariant.map((trials) => random.shuffle(trials)));
}

function byVariant(trials: readonly Trial[]): readonly (readonly Trial[])[] {
  return [...groupBy(trials, ({ variant }) => variant).values()];
}

function chunk<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}

function nonEmpty(slices: readonly (readonly Trial[])[]): readonly (readonly Trial[])[] {
  return slices.filter((slice) => slice.length > 0);
}

export interface PlanInput {
  readonly variants: readonly Variant[];
  readonly cases: readonly Case[];
  readonly seeds: readonly number[];
  readonly repeats: number;
  readonly load: Load;
  readonly probes: readonly ProbeKind[];
  /** Drawn for each run, from 0 below 2^53: the seeds of the cache probe follow from it. */
  readonly nonce: number;
  /** For several looks at the gate; absent: one part. Requires that `findLooksFault` gives null. */
  readonly looks?: LookKind | undefined;
  /** The most pairs of takes that a claim counts; more are not sent where claims alone end the run. */
  readonly claimPairs?: number;
}
