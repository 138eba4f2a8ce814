import { type HeldTake, holdAlpha, limitFinding } from '../../../src/analysis/held-load.ts';
import { createRandom, type Random } from '../../../src/statistics/random.ts';
import { SERVICE_LAWS, simulateSlice } from '../../fixtures/simulated-service.ts';
import { seedOf } from './seed.ts';
import { markdownTable, shareOf } from './table.ts';

/*
 * Closed load on a queue, in groups of 10 takes for each one in flight, as a sweep sends them: what is said of a load at
 * exactly its limit, where both claims are wrong, of one well within it, and of one well beyond it. One claim a run.
 */

interface HoldSetting {
  readonly law: string;
  readonly workers: number;
  readonly inFlight: number;
}

/** Without constant times: of those no take is beyond their p95. */
const LAWS = ['exponential', 'lognormal, CV 50 %', 'lognormal, CV 100 %'] as const;

const HOLD_SETTINGS: readonly HoldSetting[] = LAWS.flatMap((law) =>
  [1, 2, 4, 8].map((workers) => ({ law, workers, inFlight: 2 * workers })),
);

const TAKES = [260, 740] as const;

/** So many takes place the limit to within 0.1 points of 5 %. */
const LONG = 400_000;

interface HoldTally {
  /** At exactly the limit, where 5 % of the takes are beyond it. */
  readonly holds: number;
  readonly fails: number;
  /** With a limit 1.5 times as long, and with two thirds of it. */
  readonly holdsWithin: number;
  readonly failsBeyond: number;
}

/** Draws so many runs of so many takes. The same count gives the same tally. */
function simulateHold(setting: HoldSetting, takes: number, runs: number): HoldTally {
  const random = createRandom(seedOf(`${setting.law}.${setting.workers}.${takes}`));
  const limitMs = quantile95(latencies(setting, LONG, random));
  const alpha = holdAlpha(1, 1);
  const tally = { holds: 0, fails: 0, holdsWithin: 0, failsBeyond: 0 };
  for (let run = 0; run < runs; run += 1) {
    const held = latencies(setting, takes, random).map((ms): HeldTake => ({ ms, missed: false }));
    const shows = (share: number) =>
      limitFinding(held, { name: 'p95', limitMs: limitMs * share, share: 0.05 }, alpha)?.shows;
    const at = shows(1);
    if (at === 'holds') tally.holds += 1;
    if (at === 'fails') tally.fails += 1;
    if (shows(1.5) === 'holds') tally.holdsWithin += 1;
    if (shows(2 / 3) === 'fails') tally.failsBeyond += 1;
  }
  return tally;
}

/** Of whole groups, each without its first takes: as many as are in flight. */
function latencies({ law, workers, inFlight }: HoldSetting, atLeast: number, random: Random): readonly number[] {
  const service = SERVICE_LAWS.find(({ name }) => name === law);
  if (service === undefined) throw new Error(`no law ${law}`);
  const taken: number[] = [];
  while (taken.length < atLeast) {
    const slice = simulateSlice(10 * inFlight, inFlight, workers, service, random);
    for (const { fromMs, untilMs } of slice.slice(inFlight)) taken.push(untilMs - fromMs);
  }
  return taken.slice(0, atLeast);
}

function quantile95(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? Number.NaN;
}

/** A Markdown table of every setting; shares have their Monte Carlo error (95 %). */
export function holdTable(runs: number): string {
  const rows = HOLD_SETTINGS.flatMap((setting) =>
    TAKES.map((takes) => ({ ...setting, takes, ...simulateHold(setting, takes, runs) })),
  );
  return markdownTable(rows, [
    ['service times', ({ law }) => law],
    ['workers, in flight', ({ workers, inFlight }) => `${workers}, ${inFlight}`],
    ['takes', ({ takes }) => takes],
    ['at the limit: says it holds (5 %)', ({ holds }) => shareOf(holds, runs)],
    ['at the limit: says it fails (5 %)', ({ fails }) => shareOf(fails, runs)],
    ['limit 1.5 times as long: says it holds', ({ holdsWithin }) => shareOf(holdsWithin, runs)],
    ['limit two thirds: says it fails', ({ failsBeyond }) => shareOf(failsBeyond, runs)],
  ]);
}
