import { groupBy } from '../../kit/grouping.ts';
import { caseSeedOf } from '../../plan/plan.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { PairReading, ValueReading } from '../metric.ts';
import { sliceOf } from '../samples/sample-times.ts';

/** One block (prompt, seed and repeat) of two variants. A value is null if its take was not sent or does not count. */
export interface BlockPair<Value> {
  readonly block: string;
  readonly prompt: string;
  readonly cellPair: string;
  /** Shared by all blocks sent in the same two slices. */
  readonly round: string;
  readonly baseline: Value | null;
  readonly candidate: Value | null;
  /** Whether a flag may affect a time of either take. */
  readonly flagged: boolean;
}

export type TakePair = BlockPair<EffectiveSample>;

/** The blocks answered by at least one of two variants, in sending order. All takes belong to one load, or one step. */
export function pairTakes(
  baseline: readonly EffectiveSample[],
  candidate: readonly EffectiveSample[],
  isBent: (take: EffectiveSample) => boolean,
): readonly TakePair[] {
  const blocks = groupBy(
    [...baseline.map(sideOf('baseline')), ...candidate.map(sideOf('candidate'))],
    ({ take }) => take.sample.trial.block,
  );
  const roundOf = roundsOf(blocks.values());
  return [...blocks].map(([block, sides]): TakePair => {
    const of = (side: Side) => sides.find((sided) => sided.side === side)?.take ?? null;
    const [{ take }] = nonEmpty(sides);
    return {
      block,
      prompt: take.sample.trial.prompt,
      cellPair: caseSeedOf(take.sample.trial),
      round: roundOf(sides),
      baseline: of('baseline'),
      candidate: of('candidate'),
      flagged: sides.some((sided) => isBent(sided.take)),
    };
  });
}

export type EachReading<Value> = { readonly read: (take: EffectiveSample) => Value | null } & Pick<
  ValueReading,
  'outputUnits'
>;

/** The readings of both takes of each block. A reading of outputs alone is never flagged. */
export function readBlocks<Value>(
  pairs: readonly TakePair[],
  { read, outputUnits }: EachReading<Value>,
): readonly BlockPair<Value>[] {
  const readFrom = (take: EffectiveSample | null) => (take === null ? null : read(take));
  return pairs.map((pair) => ({
    ...pair,
    baseline: readFrom(pair.baseline),
    candidate: readFrom(pair.candidate),
    flagged: outputUnits === undefined && pair.flagged,
  }));
}

/** Which blocks had an event on which side; for pair readings only blocks whose question was asked. */
export function readEvents(
  pairs: readonly TakePair[],
  reading: EachReading<boolean> | PairReading,
): readonly BlockPair<boolean>[] {
  if (!('readPair' in reading)) return readBlocks(pairs, reading);
  return pairs.flatMap((pair) => {
    const { candidate, baseline } = pair;
    const worse = candidate === null || baseline === null ? undefined : reading.readPair(candidate, baseline);
    return worse === undefined ? [] : [{ ...pair, ...(worse ?? UNANSWERED), flagged: false }];
  });
}

const UNANSWERED = { candidate: null, baseline: null } as const;

type Side = 'baseline' | 'candidate';

interface SidedTake {
  readonly side: Side;
  readonly take: EffectiveSample;
}

function sideOf(side: Side): (take: EffectiveSample) => SidedTake {
  return (take) => ({ side, take });
}

/** The baseline's slice names the round. A block without a baseline take joins the round of its candidate's slice. */
function roundsOf(blocks: Iterable<readonly SidedTake[]>): (sides: readonly SidedTake[]) => string {
  const partner = new Map<string, string>();
  for (const sides of blocks) {
    const baseline = sliceOfSide(sides, 'baseline');
    const candidate = sliceOfSide(sides, 'candidate');
    if (baseline !== null && candidate !== null) partner.set(candidate, baseline);
  }
  return (sides) => {
    const candidate = sliceOfSide(sides, 'candidate') ?? '';
    return sliceOfSide(sides, 'baseline') ?? partner.get(candidate) ?? `candidate ${candidate}`;
  };
}

function sliceOfSide(sides: readonly SidedTake[], side: Side): string | null {
  const sided = sides.find((other) => other.side === side);
  return sided === undefined ? null : sliceOf(sided.take.sample);
}

function nonEmpty<T>(items: readonly T[]): readonly [T, ...T[]] {
  const [first, ...rest] = items;
  if (first === undefined) throw new Error('a block without a take');
  return [first, ...rest];
}
