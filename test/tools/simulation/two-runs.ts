import { type SequentialRatio, sequentialRatios } from '../../../src/analysis/two-runs.ts';
import type { BaselineCell } from '../../../src/record/kept-run.ts';
import { median, sortSample } from '../../../src/statistics/quantile.ts';
import { createRandom, type Random } from '../../../src/statistics/random.ts';
import { nightLine } from '../../fixtures/history-lines.ts';
import { drawNormal } from '../../fixtures/simulated-service.ts';
import { SPREADS } from './history.ts';
import { seedOf } from './seed.ts';
import { markdownTable, shareOf } from './table.ts';

/*
 * Two runs of a service, the later one compared with the one before by the functions of `retake compare`. All calls of a
 * run are longer or shorter by what runs vary by, and each call by 15 % besides.
 */

/** Standard deviation of ln latency between calls of a cell, and between cells. */
const CALLS_VARY = 0.15;
const CELLS_VARY = 0.3;

const DESIGNS = [
  { cells: 12, takes: 3 },
  { cells: 36, takes: 3 },
  { cells: 100, takes: 1 },
] as const;

/** Earlier runs of the two. Fewer than 8 tell nothing. */
const EARLIER = [7, 8, 30] as const;

const CHANGE = 1.1;

const TYPICAL_MS = 2000;

/** What came of pairs of runs that have so many earlier ones. */
interface TwoRunsTally {
  readonly earlier: number;
  /** Pairs without a change that are told apart. */
  readonly falselyApart: number;
  /** Pairs without a change whose interval over cells, which tells no change, excludes 1. */
  readonly beyondCells: number;
  /** Pairs that would be told apart if the later one took 10 % longer. */
  readonly found: number;
}

/** The same count gives the same tally. */
export function simulateTwoRuns(
  spread: number,
  design: (typeof DESIGNS)[number],
  pairs: number,
): readonly TwoRunsTally[] {
  const random = createRandom(seedOf(`two-runs.${spread}.${design.cells}`));
  const made = Array.from({ length: pairs }, () => drawPair(spread, design, random));
  return EARLIER.map((earlier) => {
    const compared = made.map((pair) => comparedAfter(pair, earlier));
    const of = (holds: (ratio: SequentialRatio) => boolean) => compared.filter(holds).length;
    return {
      earlier,
      falselyApart: of(({ toldApart }) => toldApart),
      beyondCells: of(({ overCells }) => overCells !== null && (overCells.low > 1 || overCells.high < 1)),
      found: of(({ ciLow, ciHigh }) => CHANGE * (ciLow ?? 0) > 1 || CHANGE * (ciHigh ?? Infinity) < 1),
    };
  });
}

/** ln of the value of each cell, of each run: the two that are compared stand last. */
type DrawnRuns = readonly (readonly number[])[];

function drawPair(spread: number, { cells, takes }: (typeof DESIGNS)[number], random: Random): DrawnRuns {
  const levels = Array.from({ length: cells }, () => Math.log(TYPICAL_MS) + CELLS_VARY * drawNormal(random));
  return Array.from({ length: Math.max(...EARLIER) + 2 }, () => {
    const shift = spread * drawNormal(random);
    return levels.map((level) => {
      const calls = Array.from({ length: takes }, () => CALLS_VARY * drawNormal(random));
      return level + shift + (median(sortSample(calls)) ?? 0);
    });
  });
}

function comparedAfter(runs: DrawnRuns, earlier: number): SequentialRatio {
  const own = runs.slice(-earlier - 2);
  const lines = own.map((cells, night) => nightLine(night, { nightly: { cellsMs: cells.map(Math.exp) } }));
  const [before = [], after = []] = own.slice(-2);
  const [found] = sequentialRatios(
    { cells: cellsOf(before), measures: [] },
    { cells: cellsOf(after), measures: [] },
    { mode: 'closed' },
    { pair: [`night-${earlier}`, `night-${earlier + 1}`], lines },
  );
  if (found === undefined) throw new Error('nothing was compared');
  return found;
}

function cellsOf(lnValues: readonly number[]): readonly BaselineCell[] {
  return lnValues.map((ln, seed) => ({
    variant: 'nightly',
    kind: 'text-to-image',
    prompt: 'fox',
    seed,
    takes: 1,
    censored: 0,
    values: { 'latency.total': Math.exp(ln) },
    outputs: [],
  }));
}

/** A Markdown table; shares have their Monte Carlo error (95 %). */
export function twoRunsTable(pairs: number): string {
  return markdownTable(
    DESIGNS.flatMap((design) =>
      SPREADS.flatMap((spread) =>
        simulateTwoRuns(spread, design, pairs).map((tally) => ({ ...design, spread, ...tally })),
      ),
    ),
    [
      ['runs vary by', ({ spread }) => `${100 * spread} %`],
      ['cells x takes', ({ cells, takes }) => `${cells} x ${takes}`],
      ['earlier runs', ({ earlier }) => earlier],
      ['no change: told apart', ({ falselyApart }) => shareOf(falselyApart, pairs)],
      ['interval over cells excludes 1', ({ beyondCells }) => shareOf(beyondCells, pairs)],
      ['+10 %: told apart', ({ found }) => shareOf(found, pairs)],
    ],
  );
}
