import { expect, it } from 'vitest';
import type { BlockPair } from '../../../src/analysis/pair-units.ts';
import { isBeyond } from '../../../src/gate/allowed-range.ts';
import { decideNone } from '../../../src/gate/bounds/events.ts';
import { decideBound, value as valueKind } from '../../../src/gate/bounds/value.ts';
import { decideChange, type LimitedChange, weighChange } from '../../../src/gate/bounds/worsening.ts';
import type { Decision } from '../../../src/gate/verdict.ts';
import { blockPairs, cellPairs } from '../../fixtures/block-pairs.ts';

const FIVE_PERCENT: LimitedChange = { effect: 'ratio', kind: 'cells', worse: 'increase', limit: 0.05 };

const FEWER: LimitedChange = { ...FIVE_PERCENT, worse: 'decrease' };
const TWO_UNITS: LimitedChange = { ...FIVE_PERCENT, effect: 'difference', limit: 2 };
const FIVE_POINTS: LimitedChange = { ...FIVE_PERCENT, effect: 'rate' };
const A_THIRD: LimitedChange = { ...FIVE_POINTS, limit: 1 / 3 };
const OVER_ROUNDS: LimitedChange = { ...FIVE_POINTS, kind: 'rounds' };

/** Of a gate of so many comparisons. */
function decide(blocks: readonly BlockPair[], rule: LimitedChange, comparisons = 1) {
  const evidence = weighChange(blocks, rule, 0.05);
  const { p } = evidence;
  return decideChange(evidence, p === null ? null : Math.min(1, comparisons * p), 0.05);
}

/** Within 1 % of a ratio, in a fixed pattern. */
const around = (ratio: number) => (cell: number, repeat: number) =>
  ratio * (1 + ((cell * 7 + repeat * 3) % 5) / 200 - 0.01);

const of = (ratio: number, cells = 12) => cellPairs(cells, around(ratio));

const wide = cellPairs(8, (cell) => (cell % 2 === 0 ? 0.7 : 1.4));

/** Twenty cell pairs, equal; the candidate lost its first `takes` of each of the first `cells`. */
const lost = (cells: number, takes: number) =>
  cellPairs(20, (cell, repeat) => (cell < cells && repeat < takes ? null : 1));

const lostByBaseline = of(1, 20).map((block, at) => (at < 6 ? { ...block, baseline: null } : block));

/** Values below 0, the candidate's higher by this. */
const higherBy = (amount: number) =>
  blockPairs(Array.from({ length: 12 }, (_, seed) => ({ seed, baseline: -1, candidate: -1 + amount + seed / 100 })));

/** n blocks: the first `candidate` have the event on that side, the last `baseline` on the other. */
function events(n: number, candidate: number, baseline = 0, rounds = n): readonly BlockPair[] {
  return blockPairs(
    Array.from({ length: n }, (_, at) => ({
      seed: at,
      round: String(at % rounds),
      baseline: Number(at >= n - baseline),
      candidate: Number(at < candidate),
    })),
  );
}

const inTwoRounds = events(120, 16).map((block, at) => ({ ...block, round: String(Math.floor(at / 8)) }));

const lostOf60 = (count: number) =>
  events(60, 0).map((block, at) => (at < count ? { ...block, candidate: null } : block));

it.each<[name: string, LimitedChange, readonly BlockPair[], Decision['verdict'], Decision['code']]>([
  ['equal variants', FIVE_PERCENT, of(1), 'pass', 'within_limit'],
  ['a change above the limit in every cell pair', FIVE_PERCENT, of(1.2), 'fail', 'beyond_limit'],
  ['the same in few', FIVE_PERCENT, of(1.2, 5), 'fail', 'beyond_limit'],
  ['a wide spread around a value within the limit', FIVE_PERCENT, wide, 'inconclusive', 'limit_not_excluded'],
  ['too few cell pairs for a bound, however alike', FIVE_PERCENT, of(1, 4), 'inconclusive', 'too_few_units'],
  ['nothing', FIVE_PERCENT, [], 'inconclusive', 'nothing_to_count'],
  ['time-outs: slower than all', FIVE_PERCENT, cellPairs(12, () => Infinity), 'fail', 'beyond_limit'],
  // Two of three takes of six cell pairs are lost: only 12 blocks in 60 are.
  ['losses: a pass holds with each as slow as can be', FIVE_PERCENT, lost(6, 2), 'inconclusive', 'lost_blocks'],
  ['few losses', FIVE_PERCENT, lost(2, 1), 'pass', 'within_limit'],
  ['more than a fifth of the blocks lost', FIVE_PERCENT, lost(13, 1), 'inconclusive', 'too_many_missing'],
  ['failures of the baseline: only missing', FIVE_PERCENT, lostByBaseline, 'pass', 'within_limit'],

  ['max_decrease: what fell', FEWER, of(0.8), 'fail', 'beyond_limit'],
  ['max_decrease: what is equal', FEWER, of(1), 'pass', 'within_limit'],
  ['max_decrease: what rose', FEWER, of(1.3), 'pass', 'within_limit'],
  ['max_decrease: losses count as fallen', FEWER, lost(6, 2), 'inconclusive', 'lost_blocks'],

  ['a difference of values below 0, equal', TWO_UNITS, higherBy(0), 'pass', 'within_limit'],
  ['a difference of values below 0, above the limit', TWO_UNITS, higherBy(5), 'fail', 'beyond_limit'],

  ['no event, enough to exclude three times the limit', FIVE_POINTS, events(60, 0), 'pass', 'within_limit'],
  ['no event, too few for that', FIVE_POINTS, events(10, 0), 'inconclusive', 'limit_not_excluded'],
  ['events on both sides alike', FIVE_POINTS, events(100, 10, 10), 'pass', 'within_limit'],
  ['a rise far above the limit', FIVE_POINTS, events(60, 20), 'fail', 'beyond_limit'],
  ['a rise just above the limit', FIVE_POINTS, events(60, 5), 'inconclusive', 'not_significant'],
  ['many rounds of events only', OVER_ROUNDS, events(60, 60, 0, 12), 'fail', 'beyond_limit'],
  ['one round alone', OVER_ROUNDS, events(60, 60, 0, 1), 'inconclusive', 'too_few_units'],
  ['events of many rounds', OVER_ROUNDS, events(120, 16, 0, 15), 'fail', 'beyond_limit'],
  ['the same events in two rounds', OVER_ROUNDS, inTwoRounds, 'inconclusive', 'not_significant'],
  // As a candidate within the limit has them; 12 of 15 rounds have none.
  ['3 events in 120 blocks', OVER_ROUNDS, events(120, 3, 0, 15), 'pass', 'within_limit'],
  ['losses: count as events before anything passes', FIVE_POINTS, lostOf60(11), 'inconclusive', 'lost_blocks'],
  ['more than a fifth of the events lost', FIVE_POINTS, lostOf60(20), 'inconclusive', 'too_many_missing'],
  ['a limit of a third: no rate rises by 100 points', A_THIRD, events(60, 0), 'pass', 'within_limit'],
  ['no block', FIVE_POINTS, [], 'inconclusive', 'nothing_to_count'],
])('a change: %s', (_, rule, blocks, verdict, code) => {
  expect(decide(blocks, rule)).toEqual({ verdict, code });
});

it('a change in a gate of many comparisons: fails only while its adjusted p allows it', () => {
  expect(decide(of(1.2, 5), FIVE_PERCENT, 3)).toEqual({ verdict: 'inconclusive', code: 'not_significant' });
});

type BoundedValue = Parameters<typeof decideBound>[0];

const found = (value: number | null, n: number, range: BoundedValue['range'], level: number | null = 0.95) => ({
  value,
  n,
  range,
  level,
});

const between = (low: number, high: number) => found((low + high) / 2, 36, { low, high });

const counted = (high: number) => found(0.02, 57, { low: 0.02, high }, null);

const UNBOUNDED = found(84, 3, { low: -Infinity, high: Infinity });

it.each<[name: string, 'max' | 'min', value: number, BoundedValue, Decision['verdict'], Decision['code']]>([
  ['below it', 'max', 0.2, between(0.01, 0.1), 'pass', 'within_limit'],
  ['above it', 'max', 0.2, between(0.25, 0.5), 'fail', 'beyond_limit'],
  ['around it', 'max', 0.2, between(0.1, 0.3), 'inconclusive', 'spans_limit'],
  ['above it', 'min', 0.2, between(0.25, 0.5), 'pass', 'within_limit'],
  ['below it', 'min', 0.2, between(0.01, 0.1), 'fail', 'beyond_limit'],
  ['around it', 'min', 0.2, between(0.1, 0.3), 'inconclusive', 'spans_limit'],
  ['up to it', 'max', 0.2, between(0, 0.2), 'pass', 'within_limit'],
  ['with an open end', 'max', 20_000, found(Infinity, 36, { low: 0, high: Infinity }), 'inconclusive', 'spans_limit'],
  ['of no take', 'max', 1, found(null, 0, null), 'inconclusive', 'nothing_to_count'],
  ['of too few', 'max', 1, found(0.5, 3, null), 'inconclusive', 'no_interval'],
  ['without an end', 'min', 0.0001, UNBOUNDED, 'inconclusive', 'no_interval'],
  ['counted, up to it', 'max', 0.02, counted(0.02), 'pass', 'within_limit'],
  ['counted, with costs that nobody knows', 'max', 0.05, counted(Infinity), 'inconclusive', 'unknown_cost'],
])('a range %s: %s of %d', (_, is, value, bounded, verdict, code) => {
  expect(decideBound(bounded, valueKind({ is, value }).allows)).toEqual({ verdict, code });
});

it.each([
  ['between both ends', between(0.2, 0.4), 'pass', false],
  ['below both', between(0.01, 0.05), 'fail', true],
  ['above both', between(0.6, 0.9), 'fail', true],
  ['around one', between(0.05, 0.3), 'inconclusive', false],
])('a range %s of a bound with two ends', (_, bounded, verdict, isBeyondIt) => {
  const allows = { low: 0.1, high: 0.5 };
  expect(decideBound(bounded, allows).verdict).toBe(verdict);
  expect(isBeyond(allows, bounded.value ?? 0)).toBe(isBeyondIt);
});

it.each([
  [1, 36, 'fail'],
  [0, 36, 'pass'],
  [0, 0, 'inconclusive'],
])('none allowed: %d events in %d are decided as %s', (count, n, verdict) => {
  expect(decideNone({ events: count, n }).verdict).toBe(verdict);
});
