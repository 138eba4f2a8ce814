import { hash } from 'node:crypto';
import { groupBy } from '../kit/grouping.ts';
import type { DeliveredOutput, DeliveredPair } from '../record/delivered-pairs.ts';
import type { Ballot } from '../record/score.ts';
import { createRandom, type Random } from '../statistics/random.ts';

export interface BallotDraw {
  /** 256 random bits as 64 hexadecimal digits: equal ones draw equal ballots. */
  readonly seed: string;
  /** How many pairs of different outputs voters see of each two variants. */
  readonly most: number;
  /** Whether the run has scores. */
  readonly scored: boolean;
}

/**
 * The ballots of a run, in the order that voters see them. Of each two variants that are compared the pairs stand in
 * one random order that takes every prompt before it takes a second seed of one; those at its beginning are drawn.
 * Identical pairs among them are drawn too, and seen by nobody. Sides are random, and each variant is as often on the
 * left as on the right. A tenth of the pairs, at least 3, is shown once more with its sides exchanged, after all
 * others.
 */
export function drawBallots(pairs: readonly DeliveredPair[], { seed, most, scored }: BallotDraw): readonly Ballot[] {
  const random = createRandom(Number.parseInt(seed.slice(0, 12), 16));
  let drawn = 0;
  const newId = () => {
    drawn += 1;
    return hash('sha256', `${seed} ${drawn}`, 'hex').slice(0, 32);
  };
  const parts = [
    ...groupBy(pairs, ({ candidate, baseline }) => JSON.stringify([candidate.variant, baseline.variant])),
  ].map(([, variantPairs]) => {
    const chosen = firstOf(spreadOverPrompts(variantPairs, random), most);
    const shown = sided(
      chosen.filter(({ identical }) => !identical),
      random,
    ).map(([left, right, pair]) => ballotOf(pair, left, right));
    const hidden = chosen
      .filter(({ identical }) => identical)
      .map((pair) => ballotOf(pair, pair.candidate, pair.baseline));
    const mirrored = random
      .shuffle(shown)
      .slice(0, mirrorsOf(shown.length))
      .map(
        (ballot): Ballot => ({
          ...ballot,
          ballot: newId(),
          left: ballot.right,
          right: ballot.left,
          mirrors: ballot.ballot,
        }),
      );
    return { first: [...shown, ...hidden], mirrored };
  });
  return [
    ...random.shuffle(parts.flatMap(({ first }) => first)),
    ...random.shuffle(parts.flatMap(({ mirrored }) => mirrored)),
  ];

  function ballotOf(
    { prompt, seed: ofPair, block }: DeliveredPair,
    left: DeliveredOutput,
    right: DeliveredOutput,
  ): Ballot {
    const side = ({ variant, sha256 }: DeliveredOutput) => ({ variant, sha256 });
    return {
      line: 'ballot',
      ballot: newId(),
      prompt: prompt.id,
      seed: ofPair,
      block,
      left: side(left),
      right: side(right),
      mirrors: null,
      scored,
    };
  }
}

const MIRRORED_SHARE = 0.1;
const FEWEST_MIRRORED = 3;

/** A tenth, at least 3. */
export function mirrorsOf(pairs: number): number {
  return Math.min(pairs, Math.max(FEWEST_MIRRORED, Math.ceil(MIRRORED_SHARE * pairs)));
}

/** In rounds: a pair of each prompt, then a second one of each, in random order within a round. */
function spreadOverPrompts(pairs: readonly DeliveredPair[], random: Random): readonly DeliveredPair[] {
  const byPrompt = [...groupBy(pairs, ({ prompt }) => prompt.id).values()].map((ofPrompt) => random.shuffle(ofPrompt));
  const rounds = Math.max(0, ...byPrompt.map((ofPrompt) => ofPrompt.length));
  return Array.from({ length: rounds }, (_, round) =>
    random.shuffle(byPrompt.flatMap((ofPrompt) => ofPrompt.slice(round, round + 1))),
  ).flat();
}

/** The first pairs, with at most `most` that differ. */
function firstOf(pairs: readonly DeliveredPair[], most: number): readonly DeliveredPair[] {
  const different = pairs.flatMap(({ identical }, at) => (identical ? [] : [at]));
  const last = different[most];
  return last === undefined ? pairs : pairs.slice(0, last);
}

/** One of each two pairs has the candidate on the left. */
function sided(
  pairs: readonly DeliveredPair[],
  random: Random,
): readonly (readonly [DeliveredOutput, DeliveredOutput, DeliveredPair])[] {
  let flip = false;
  return pairs.map((pair, at) => {
    flip = at % 2 === 0 ? random.below(2) === 0 : !flip;
    const { candidate, baseline } = pair;
    return flip ? [candidate, baseline, pair] : [baseline, candidate, pair];
  });
}
