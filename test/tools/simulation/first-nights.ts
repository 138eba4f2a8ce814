import { decideRuns, type HistoryLimit } from '../../../src/analysis/decide-runs.ts';
import { FEWEST_RUNS, type RunCells } from '../../../src/analysis/earlier-runs.ts';
import { median, sortSample } from '../../../src/statistics/quantile.ts';
import { createRandom, type Random } from '../../../src/statistics/random.ts';
import { drawNormal } from '../../fixtures/simulated-service.ts';
import { seedOf } from './seed.ts';
import { type Column, markdownTable, shareOf } from './table.ts';

/*
 * The first nights of a service whose truth is known, decided by `at_first`: 12 prompts x seeds, 3 takes each, and calls
 * that vary by 15 % besides what all calls of a night vary by.
 */

const CELLS = 12;
const TAKES = 3;
const CALLS_VARY = 0.15;

/** Nights that `at_first` decides: one has no earlier run, and the tenth has a base. */
const FIRST_NIGHTS = FEWEST_RUNS + 1;

const LIMIT: HistoryLimit = { worse: 'increase', share: 0.1, atFirst: 0.5 };

/** Times as long, in one night. */
const CHANGES = [2, 1.5, 1.3] as const;

/** Nights in which the service is slower. */
const CHANGED_IN = [2, 8] as const;

/** What all calls of a night vary by. Heavy tails: Student's t with 3 degrees of freedom, of the same deviation. */
export interface Nights {
  readonly spread: number;
  readonly tails: 'normal' | 'heavy';
}

const NIGHTS: readonly Nights[] = [0.02, 0.05, 0.1].flatMap((spread) => [
  { spread, tails: 'normal' as const },
  { spread, tails: 'heavy' as const },
]);

interface FirstNightsTally {
  readonly nights: number;
  /** Of services that did not change. */
  readonly falseFails: number;
  /** Services that failed in the night in which they were slower, by change and night. */
  readonly found: readonly { readonly change: number; readonly night: number; readonly services: number }[];
}

/** The same count gives the same tally. @param services each of `FIRST_NIGHTS` nights */
export function simulateFirstNights({ spread, tails }: Nights, services: number): FirstNightsTally {
  const random = createRandom(seedOf(`first-nights.${spread}.${tails}`));
  const drawn = Array.from({ length: services }, () =>
    Array.from({ length: FIRST_NIGHTS }, () => drawNight(spread * drawTail(tails, random), random)),
  );
  const failsIn = (nights: readonly RunCells[]) =>
    decideRuns(nights, LIMIT).flatMap(({ decision }, at) => (decision.verdict === 'fail' ? [at + 1] : []));
  return {
    nights: services * (FIRST_NIGHTS - 1),
    falseFails: drawn.reduce((sum, nights) => sum + failsIn(nights).length, 0),
    found: CHANGES.flatMap((change) =>
      CHANGED_IN.map((night) => {
        const slower = drawn.map((nights) => [...nights.slice(0, night - 1), slowed(nights[night - 1], change)]);
        return { change, night, services: slower.filter((nights) => failsIn(nights).includes(night)).length };
      }),
    ),
  };
}

function drawTail(tails: Nights['tails'], random: Random): number {
  const normal = drawNormal(random);
  if (tails === 'normal') return normal;
  const squares = [0, 1, 2].reduce((sum) => sum + drawNormal(random) ** 2, 0);
  // Its variance is 3.
  return normal / Math.sqrt(squares / 3) / Math.sqrt(3);
}

/** ln of the median of each cell. Cells differ, but not from night to night. */
function drawNight(shift: number, random: Random): RunCells {
  const median3 = () => median(sortSample(Array.from({ length: TAKES }, () => CALLS_VARY * drawNormal(random)))) ?? 0;
  return new Map(Array.from({ length: CELLS }, (_, cell) => [`${cell}`, 7 + 0.1 * cell + shift + median3()]));
}

function slowed(night: RunCells = new Map(), change: number): RunCells {
  return new Map([...night].map(([cell, ln]) => [cell, ln + Math.log(change)]));
}

export function firstNightsTable(services: number): string {
  const rows = NIGHTS.map((nights) => ({ ...nights, tally: simulateFirstNights(nights, services) }));
  return markdownTable(rows, [
    ['nights vary by', ({ spread, tails }) => `${100 * spread} %, ${tails} tails`],
    [
      'false fails a night',
      ({ tally: { falseFails, nights } }) =>
        falseFails === 0 ? `0 in ${nights}` : `1 in ${Math.round(nights / falseFails)}`,
    ],
    ...CHANGES.flatMap((change, at) =>
      CHANGED_IN.map(
        (night, nightAt): Column<(typeof rows)[number]> => [
          `+${Math.round(100 * (change - 1))} % found in night ${night}`,
          ({ tally }) => shareOf(tally.found[at * CHANGED_IN.length + nightAt]?.services ?? 0, services),
        ],
      ),
    ),
  ]);
}
