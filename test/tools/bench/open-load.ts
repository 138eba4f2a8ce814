import type { Sample } from '../../../src/record/journal.ts';
import { median, quantile, sortSample } from '../../../src/statistics/quantile.ts';
import type { OpenLoad } from '../../../src/suite/load.ts';
import { OPEN } from '../../fixtures/plan-input.ts';
import { type BenchRun, openBenchRun, planOf } from './bench-run.ts';
import { startServer } from './child.ts';
import type { Row } from './figures.ts';
import { scratchFolder } from './scratch.ts';

/** How late calls of open load begin, and the tail it tells of under a stall, beside what the schedule says. */
export async function openLoadRows(): Promise<readonly Row[]> {
  const bare = await measureBareTimers({ ratePerSecond: RATE_PER_SECOND, seconds: 12 });
  return [
    {
      what: `for orientation: how late a bare timer fires, ${RATE_PER_SECOND} / s, in a process that does nothing else`,
      measured: lagText(bare),
      bar: 'none: what this machine can do',
    },
    ...(await rowsOf(1024, '1 KiB')),
    ...(await rowsOf(64 * 1024, '64 KiB')),
  ];
}

const RATE_PER_SECOND = 200;

async function rowsOf(bodyBytes: number, size: string): Promise<readonly Row[]> {
  const at = { ratePerSecond: RATE_PER_SECOND, bodyBytes };
  const steady = await measureOpenLoad({ ...at, seconds: 12, stall: null });
  const stalled = await measureOpenLoad({ ...at, seconds: 24, stall: { atMs: 8000, forMs: 2000 } });
  const told = stalled.responseP99Ms ?? Number.NaN;
  const exact = stalled.exactP99Ms ?? Number.NaN;
  return [
    {
      what: `start lag of open load, ${RATE_PER_SECOND} / s (Poisson), ${size} bodies`,
      measured: lagText(steady.startLag),
      bar: 'p99 <= 5 ms',
    },
    {
      what: `p99 of the latency from the schedule, the same with a stall of 2 s, to its exact value, ${size} bodies`,
      measured: `${told.toFixed(0)} ms to ${exact.toFixed(0)} ms (${((told / exact - 1) * 100).toFixed(1)} %), ${stalled.dropped} dropped`,
      bar: 'within 5 %',
    },
  ];
}

function lagText({ n, p50Ms, p99Ms, maxMs }: Lag): string {
  return `p50 ${p50Ms?.toFixed(2)} ms, p99 ${p99Ms?.toFixed(2)} ms, at most ${maxMs.toFixed(1)} ms, n = ${n}`;
}

interface OpenLoadSetup {
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly bodyBytes: number;
  /** From the begin of measuring, about; null: the server does not stall. */
  readonly stall: { readonly atMs: number; readonly forMs: number } | null;
}

/** How late something began. */
interface Lag {
  readonly n: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly maxMs: number;
}

interface OpenLoadFigures {
  readonly dropped: number;
  /** started - scheduled. */
  readonly startLag: Lag;
  readonly responseP99Ms: number | null;
  /**
   * The same from the schedule alone: what was due in the stall had to wait for its end, everything else is answered at
   * once. Null without a stall.
   */
  readonly exactP99Ms: number | null;
}

/**
 * Poisson arrivals at a server that answers at once, but for a stall: how late calls begin, and what latency is told.
 */
async function measureOpenLoad({ ratePerSecond, seconds, bodyBytes, stall }: OpenLoadSetup): Promise<OpenLoadFigures> {
  const { baseUrl, child: server } = await startServer('stalling-server', [String(bodyBytes)]);
  const load: OpenLoad = {
    ...OPEN,
    arrivals: 'poisson',
    stages: [{ ratePerSecond, forMs: seconds * 1000 }],
    // No start is dropped: what is offered in the stall fits in.
    concurrency: 1024,
    // The first calls compile both sides.
    warmup: 50,
    onThrottle: 'fail',
  };
  let firstMs = 0;
  const run = await openBenchRun(baseUrl, load, scratchFolder());
  const { seconds: wholeSeconds, nanoseconds } = run.clock.origin;
  const zeroMs = wholeSeconds * 1e3 + nanoseconds / 1e6;
  const samples = await samplesOf(run, load, (dueMs) => {
    firstMs = dueMs;
    if (stall !== null) server.send(windowOf(stall, zeroMs + firstMs));
  });
  await server.close();

  const started = samples.flatMap(({ marks: { scheduledMs, startedMs } }) =>
    scheduledMs === undefined || startedMs === undefined ? [] : [startedMs - scheduledMs],
  );
  const responses = samples.flatMap(({ outcome, marks: { scheduledMs, doneMs } }) =>
    outcome !== 'ok' || scheduledMs === undefined || doneMs === undefined ? [] : [doneMs - scheduledMs],
  );
  return {
    dropped: samples.filter(({ outcome }) => outcome === 'dropped').length,
    startLag: lagOf(started),
    responseP99Ms: quantile(sortSample(responses), 99),
    exactP99Ms:
      stall === null ? null : quantile(sortSample(samples.map((sample) => waitOf(sample, stall, firstMs))), 99),
  };
}

function lagOf(values: readonly number[]): Lag {
  const sorted = sortSample(values);
  return { n: sorted.length, p50Ms: median(sorted), p99Ms: quantile(sorted, 99), maxMs: sorted.at(-1) ?? 0 };
}

/** How late timers fire that are set one after the other, here and now. */
async function measureBareTimers({
  ratePerSecond,
  seconds,
}: Pick<OpenLoadSetup, 'ratePerSecond' | 'seconds'>): Promise<Lag> {
  const lags: number[] = [];
  const beginMs = performance.now();
  for (let index = 1; index <= ratePerSecond * seconds; index += 1) {
    const dueMs = beginMs + (index * 1000) / ratePerSecond;
    await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
    lags.push(Math.max(0, performance.now() - dueMs));
  }
  return lagOf(lags);
}

interface Window {
  readonly fromMs: number;
  readonly untilMs: number;
}

function windowOf({ atMs, forMs }: NonNullable<OpenLoadSetup['stall']>, firstMs: number): Window {
  return { fromMs: firstMs + atMs, untilMs: firstMs + atMs + forMs };
}

/** How long the schedule makes a call wait for the end of the stall. */
function waitOf({ marks }: Sample, stall: NonNullable<OpenLoadSetup['stall']>, firstMs: number): number {
  const { fromMs, untilMs } = windowOf(stall, firstMs);
  const dueMs = marks.scheduledMs ?? 0;
  return dueMs >= fromMs && dueMs < untilMs ? untilMs - dueMs : 0;
}

/** @param onFirst told when a call under open load has ended for the first time, and when it was due */
async function samplesOf(run: BenchRun, load: OpenLoad, onFirst: (dueMs: number) => void): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  await run.measure(planOf([1], load), (sample) => {
    if (sample.trial.phase !== 'trial') return;
    samples.push(sample);
    if (samples.length === 1) onFirst(sample.marks.scheduledMs ?? 0);
  });
  await run.close();
  return samples;
}
