import type { TimedSample } from '../../../src/analysis/effective-sample.ts';
import { capacity } from '../../../src/analysis/metrics/capacity.ts';
import { hasNote } from '../../../src/analysis/note.ts';
import { indexTakes } from '../../../src/analysis/take-index.ts';
import { drawArrivals } from '../../../src/plan/load-slices.ts';
import { createRandom, type Random } from '../../../src/statistics/random.ts';
import type { Hold, OpenLoad } from '../../../src/suite/load.ts';
import { lawNamed, queueTimes, simulateSlice } from '../../fixtures/simulated-service.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';
import { summaries, takesAlone } from './experiment.ts';
import { seedOf } from './seed.ts';
import { markdownTable, shareOf } from './table.ts';
import { effective } from './timed-takes.ts';

/*
 * A load on a queue, first in first out, before workers: what is said of a load at exactly its limits, where both claims
 * are wrong, of one well within them, and of one well beyond. Closed load comes in groups of 10 takes for each one in
 * flight; the arrivals of open load are those of a plan, and meet a service that is empty. One claim a run.
 */

/** A call: when it was due, how long it took from then, and whether it failed at its end. Mean service times. */
interface HeldCall {
  readonly slice: number;
  readonly dueMs: number;
  readonly tookMs: number;
  readonly failed: boolean;
}

/** What is asked of a load. */
interface AskedLimits {
  readonly words: string;
  readonly quantiles: readonly (keyof typeof SHARES)[];
  /** The share of calls that fail, and the limit on it. */
  readonly errors?: number;
}

interface HeldSetting {
  readonly law: string;
  readonly workers: number;
  readonly limits: AskedLimits;
  readonly arrivals: 'in flight' | OpenLoad['arrivals'];
  /** In flight for each worker; of open load what arrives, of what the workers could do. */
  readonly load: number;
}

const SHARES = { p50Ms: 0.5, p95Ms: 0.05 } as const;

const P95: AskedLimits = { words: 'p95', quantiles: ['p95Ms'] };

const SEVERAL: readonly AskedLimits[] = [
  { words: 'p50 and p95', quantiles: ['p50Ms', 'p95Ms'] },
  { words: 'p95 and errors', quantiles: ['p95Ms'], errors: 0.02 },
];

const WORKERS = [1, 2, 4, 8] as const;

/** Without constant times: of those no take is beyond their p95. */
const CLOSED: readonly HeldSetting[] = ['exponential', 'lognormal, CV 50 %', 'lognormal, CV 100 %'].flatMap((law) =>
  WORKERS.map((workers) => ({ law, workers, limits: P95, arrivals: 'in flight', load: 2 }) as const),
);

/** A service with more workers meets its limit at a higher share of what they could do. */
const LOAD_AT_LIMIT: Readonly<Record<number, number>> = { 1: 0.7, 2: 0.76, 4: 0.82, 8: 0.9 };

const OPEN: readonly HeldSetting[] = (
  [
    ['constant', 'poisson'],
    ['exponential', 'poisson'],
    ['lognormal, CV 50 %', 'poisson'],
    ['lognormal, CV 50 %', 'constant'],
  ] as const
).flatMap(([law, arrivals]) =>
  WORKERS.map((workers) => ({ law, workers, limits: P95, arrivals, load: LOAD_AT_LIMIT[workers] ?? 1 })),
);

/** What is simulated of loads that settle. */
export const HELD_LOADS = {
  closed: CLOSED,
  open: OPEN,
  several: SEVERAL.flatMap((limits) =>
    [...CLOSED, ...OPEN]
      .filter(({ law, workers }) => law === 'exponential' && (workers === 1 || workers === 4))
      .map((setting) => ({ ...setting, limits })),
  ),
} as const;

const TAKES = { closed: [260, 740], open: [600, 2400] } as const;

/** So many takes place a limit of closed load to within 0.1 points of 5 %. */
const LONG = { closed: 400_000, open: 4_000_000 } as const;

/** A mean service time. */
const MEAN_MS = 1000;

function isOpen({ arrivals }: HeldSetting): boolean {
  return arrivals !== 'in flight';
}

/** Of open load arrivals per second. */
function stepOf({ load, workers }: HeldSetting): number {
  return load * workers;
}

function callsOf(setting: HeldSetting, atLeast: number, random: Random): readonly HeldCall[] {
  const failed = () => random.uniform() < (setting.limits.errors ?? 0);
  if (setting.arrivals !== 'in flight') {
    const due = dueTimes(setting, setting.arrivals, atLeast, random);
    const took = responses(due, setting, random);
    return due.map((dueMs, at) => ({ slice: 0, dueMs, tookMs: took[at] ?? 0, failed: failed() }));
  }
  const calls: HeldCall[] = [];
  const inFlight = stepOf(setting);
  // The first of each group do not count.
  for (let slice = 0; calls.length < (atLeast * 10) / 9; slice += 1) {
    for (const { fromMs, untilMs } of simulateSlice(
      10 * inFlight,
      inFlight,
      setting.workers,
      lawNamed(setting.law),
      random,
    ))
      calls.push({ slice, dueMs: MEAN_MS * fromMs, tookMs: MEAN_MS * (untilMs - fromMs), failed: failed() });
  }
  return calls;
}

function dueTimes(
  setting: HeldSetting,
  arrivals: OpenLoad['arrivals'],
  most: number,
  random: Random,
): readonly number[] {
  const stages = [{ ratePerSecond: (1000 / MEAN_MS) * stepOf(setting), forMs: null }];
  return drawArrivals({ arrivals, stages }, most, random);
}

/** From the due time, at a service that is empty before. */
function responses(due: readonly number[], { law, workers }: HeldSetting, random: Random): Float64Array {
  const { draw } = lawNamed(law);
  return queueTimes(due, workers, () => MEAN_MS * draw(random));
}

/** The limits that hold exactly, from very many takes. Those of open load begin in a service that has worked for long. */
function trueHold(setting: HeldSetting, random: Random): Hold {
  const { quantiles, errors = 0 } = setting.limits;
  const inFlight = stepOf(setting);
  const sorted =
    setting.arrivals === 'in flight'
      ? Float64Array.from(
          callsOf(setting, LONG.closed, random).filter((_, at) => at % (10 * inFlight) >= inFlight),
          ({ tookMs }) => tookMs,
        ).sort()
      : responses(dueTimes(setting, setting.arrivals, LONG.open, random), setting, random)
          .subarray(LONG.open / 20)
          .sort();
  const limits = quantiles.map((quantile) => {
    // A take that failed is beyond it, too.
    const late = (SHARES[quantile] - errors) / (1 - errors);
    return [quantile, sorted[Math.ceil((1 - late) * sorted.length) - 1] ?? Number.NaN];
  });
  return { ...Object.fromEntries(limits), ...(errors === 0 ? {} : { errors }) };
}

/** What the shipped code says of the takes of one load. */
function shownBy(setting: HeldSetting, calls: readonly HeldCall[], hold: Hold): 'holds' | 'fails' | null {
  const step = stepOf(setting);
  const shared = { steps: [step], warmup: 0, onThrottle: 'wait', shuffle: 1 } as const;
  const load = isOpen(setting)
    ? ({ ...shared, mode: 'open', order: 'sequential', concurrency: 1000, arrivals: 'poisson', stages: [] } as const)
    : ({ ...shared, mode: 'closed', order: 'paired', concurrency: step } as const);
  const samples = calls.map(({ slice, dueMs, tookMs, failed }, at): TimedSample => {
    const { [failed ? 'error' : 'ok']: made } = madeOf(at);
    const trial = { ...made.sample.trial, step };
    const endedMs = dueMs + tookMs;
    const marks = { scheduledMs: dueMs, startedMs: dueMs };
    const timings = failed ? made.timings : { ...made.timings, totalMs: tookMs, responseMs: tookMs };
    return { ...made, sample: { ...made.sample, trial, slice, marks, endedMs } as TimedSample['sample'], timings };
  });
  const { run } = buildStoredRun({ variants: [{ plannedTrials: samples.length }], load, hold, samples: [] });
  const [variant] = summaries(run);
  const subjects = variant === undefined ? [] : takesAlone(run, indexTakes(samples)).ofVariant(variant);
  const subject = subjects.find((one) => one.step === step);
  const [found] = subject === undefined ? [] : capacity({ hold, load, variants: 1 }).measure(subject);
  if (found === undefined) throw new Error('a load has no finding');
  return hasNote(found.notes, 'load_holds') ? 'holds' : hasNote(found.notes, 'load_fails') ? 'fails' : null;
}

function makeTake(at: number) {
  const parts = { trial: { phase: 'step', seed: (at % 12) + 1, repeat: 1 + Math.floor(at / 12) } } as const;
  return { ok: effective(buildOk(1, 'image', parts)), error: effective(buildFailure('error', parts)) };
}

const MADE = Array.from({ length: 2600 }, (_, at) => makeTake(at));

function madeOf(at: number): ReturnType<typeof makeTake> {
  return MADE[at] ?? makeTake(at);
}

interface HoldTally {
  readonly holds: number;
  readonly fails: number;
}

function simulate(setting: HeldSetting, takes: number, runs: number, hold: Hold): HoldTally {
  const random = createRandom(seedOf(JSON.stringify([setting, takes])));
  const shown = Array.from({ length: runs }, () => shownBy(setting, callsOf(setting, takes, random), hold));
  const count = (what: 'holds' | 'fails') => shown.filter((shows) => shows === what).length;
  return { holds: count('holds'), fails: count('fails') };
}

/** The same limits, so many times as long. */
function longer(hold: Hold, times: number): Hold {
  const { errors, ...limits } = hold;
  const scaled = Object.fromEntries(Object.entries(limits).map(([name, ms]) => [name, ms * times]));
  return errors === undefined ? scaled : { ...scaled, errors: errors * times };
}

/** A Markdown table of every setting; shares have their Monte Carlo error (95 %). */
export function holdTable(settings: readonly HeldSetting[], runs: number): string {
  const rows = settings.flatMap((setting) => {
    const truth = trueHold(setting, createRandom(seedOf(JSON.stringify(setting))));
    const tally = (times: number, takes: number) =>
      isOpen(setting)
        ? simulate({ ...setting, load: times * setting.load }, takes, runs, truth)
        : simulate(setting, takes, runs, longer(truth, 1 / times));
    return TAKES[isOpen(setting) ? 'open' : 'closed'].map((takes) => {
      const [at, within, beyond] = [tally(1, takes), tally(isOpen(setting) ? 0.7 : 2 / 3, takes), tally(1.5, takes)];
      return { ...setting, takes, at, within, beyond };
    });
  });
  return markdownTable(rows, [
    ['service times', ({ law }) => law],
    ['workers', ({ workers }) => workers],
    ['load', (row) => (isOpen(row) ? `${row.arrivals}, ${row.load}` : `${stepOf(row)} in flight`)],
    ['limits', ({ limits }) => limits.words],
    ['takes', ({ takes }) => takes],
    ['at the limit: says it holds (5 %)', ({ at }) => shareOf(at.holds, runs)],
    ['at the limit: says it fails (5 %)', ({ at }) => shareOf(at.fails, runs)],
    ['limit 1.5 times as long, or 0.7 of the rate: says it holds', ({ within }) => shareOf(within.holds, runs)],
    ['limit two thirds, or 1.5 times the rate: says it fails', ({ beyond }) => shareOf(beyond.fails, runs)],
  ]);
}

/** Of all that the workers can do, or of more: latencies never settle, so that no limit is held. */
export function unsettledTable(runs: number): string {
  const rows = [1, 8].flatMap((workers) =>
    [1, 1.05, 1.2].flatMap((load) =>
      [5, 20].flatMap((limit) =>
        TAKES.open.map((takes) => {
          const setting = { law: 'constant', workers, limits: P95, arrivals: 'poisson', load } as const;
          return { workers, load, limit, takes, ...simulate(setting, takes, runs, { p95Ms: MEAN_MS * limit }) };
        }),
      ),
    ),
  );
  return markdownTable(rows, [
    ['workers, load', ({ workers, load }) => `${workers}, ${load}`],
    ['p95 within', ({ limit }) => `${limit} service times`],
    ['takes', ({ takes }) => takes],
    ['says it holds (5 %)', ({ holds }) => shareOf(holds, runs)],
    ['says it fails', ({ fails }) => shareOf(fails, runs)],
  ]);
}
