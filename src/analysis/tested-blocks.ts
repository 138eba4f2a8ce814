import { groupBy } from '../kit/grouping.ts';
import { meanTest } from '../statistics/mean.ts';
import type { PairTest } from '../statistics/pair-test.ts';
import { clusteredRiseTest, type PairCluster, type PairedEvents, pairedRiseTest } from '../statistics/rise-test.ts';
import { signedRankTest } from '../statistics/signed-rank.ts';
import {
  type BlockPair,
  type Combining,
  type CountedBlock,
  countedBlocks,
  type LostAs,
  type UnitKind,
  type Units,
  unitsOf,
} from './pair-units.ts';

export interface TestedBlocks extends Units {
  /** Of the differences: ln of a ratio, or in the metric's unit. */
  readonly test: PairTest;
}

export interface TestedAs extends Combining {
  readonly kind: UnitKind;
}

/** Tests a reading of blocks: rates by Tango's score, means by Student's t, all else by signed ranks. */
export function testBlocks(
  blocks: readonly BlockPair[],
  { kind, effect, centre }: TestedAs,
  lostAs: LostAs | null = null,
): TestedBlocks {
  const units = unitsOf(blocks, { kind, effect, centre }, lostAs);
  if (effect === 'rate') return { ...units, test: riseTest(countedBlocks(blocks, effect, lostAs), kind) };
  const differences = units.units.map(({ difference }) => difference);
  if (centre === undefined) return { ...units, test: signedRankTest(differences) };
  const { range } = centre;
  const limits = range === null ? null : { low: range[0] - range[1], high: range[1] - range[0] };
  return { ...units, test: meanTest(differences, limits) };
}

function riseTest(counted: readonly CountedBlock[], kind: UnitKind): PairTest {
  const rounds = [...groupBy(counted, ({ block }) => block.round).values()].map(eventsIn);
  return riseTestOf(eventsIn(counted), rounds, kind);
}

function eventsIn(counted: readonly CountedBlock[]): PairedEvents {
  return {
    pairs: counted.length,
    candidateOnly: counted.filter(({ difference }) => difference > 0).length,
    baselineOnly: counted.filter(({ difference }) => difference < 0).length,
  };
}

/** Over blocks, which are independent at concurrency 1; above it over rounds, whose blocks are not. */
export function riseTestOf(events: PairedEvents, rounds: readonly PairedEvents[], kind: UnitKind): PairTest {
  if (kind !== 'rounds') return knownTest(events);
  const clusters = rounds.map(
    ({ pairs, candidateOnly, baselineOnly }): PairCluster => ({
      pairs,
      difference: candidateOnly - baselineOnly,
    }),
  );
  return clusteredRiseTest(events, clusters);
}

/** Few counts recur in many comparisons, and the exact bounds are slow. */
const known = new Map<string, PairTest>();

function knownTest(events: PairedEvents): PairTest {
  const { pairs, candidateOnly, baselineOnly } = events;
  const key = `${pairs} ${candidateOnly} ${baselineOnly}`;
  const test = known.get(key) ?? remembering(pairedRiseTest(events));
  known.set(key, test);
  return test;
}

function remembering(test: PairTest): PairTest {
  return {
    ...test,
    greater: once(test.greater),
    less: once(test.less),
    lower: once(test.lower),
    upper: once(test.upper),
  };
}

function once(of: (asked: number) => number | null): (asked: number) => number | null {
  const answers = new Map<number, number | null>();
  return (asked) => {
    const answer = answers.get(asked) ?? of(asked);
    answers.set(asked, answer);
    return answer;
  };
}
