import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expandPlan } from '../../src/plan/expand.ts';
import type { Run } from '../../src/record/run.ts';
import type { Sample } from '../../src/record/sample.ts';
import { createRecord } from '../../src/record/store.ts';
import { startClock } from '../../src/run/clock.ts';
import { measure, type RunnerEvent } from '../../src/run/runner.ts';
import { startWire } from '../../src/run/wire.ts';
import { median, quantile } from '../../src/statistics/quantile.ts';
import { sortSample } from '../../src/statistics/sorted-sample.ts';
import type { OpenLoad } from '../../src/suite/suite.ts';
import { renderSubmit } from '../../src/target/request.ts';
import { benchCase, benchVariant } from './bench-variant.ts';

export interface OpenLoadSetup {
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly bodyBytes: number;
  /** From the begin of measuring, about; null: the server does not stall. */
  readonly stall: { readonly atMs: number; readonly forMs: number } | null;
}

export interface OpenLoadFigures {
  readonly sent: number;
  readonly dropped: number;
  /** started - scheduled. */
  readonly startLag: { readonly p50Ms: number | null; readonly p99Ms: number | null; readonly maxMs: number };
  readonly responseP99Ms: number | null;
  /**
   * The same from the schedule alone: what was due in the stall had to wait for its end, everything else is answered at
   * once. Null without a stall.
   */
  readonly exactP99Ms: number | null;
}

/** Poisson arrivals at a server that answers at once, but for a stall: how late calls begin, and what latency is told. */
export async function measureOpenLoad({
  ratePerSecond,
  seconds,
  bodyBytes,
  stall,
}: OpenLoadSetup): Promise<OpenLoadFigures> {
  const server = fork(fileURLToPath(new URL('./stalling-server.js', import.meta.url)), [String(bodyBytes)]);
  const [port] = await once(server, 'message');
  const clock = startClock();
  const zeroMs = clock.origin.seconds * 1e3 + clock.origin.nanoseconds / 1e6;
  const load: OpenLoad = {
    mode: 'open',
    order: 'sequential',
    arrivals: 'poisson',
    stages: [{ ratePerSecond, forMs: seconds * 1000 }],
    // No start is dropped: what is offered in the stall fits in.
    concurrency: 1024,
    // The first calls compile both sides.
    warmup: 50,
    onThrottle: 'fail',
    shuffle: 1,
  };
  let firstMs = 0;
  const samples = await run(`http://127.0.0.1:${String(port)}`, load, clock, (dueMs) => {
    firstMs = dueMs;
    if (stall !== null) server.send(windowOf(stall, zeroMs + firstMs));
  });
  server.disconnect();

  const started = samples.flatMap(({ marks: { scheduledMs, startedMs } }) =>
    scheduledMs === undefined || startedMs === undefined ? [] : [startedMs - scheduledMs],
  );
  const responses = samples.flatMap(({ outcome, marks: { scheduledMs, doneMs } }) =>
    outcome !== 'ok' || scheduledMs === undefined || doneMs === undefined ? [] : [doneMs - scheduledMs],
  );
  const lag = sortSample(started);
  return {
    sent: started.length,
    dropped: samples.filter(({ outcome }) => outcome === 'dropped').length,
    startLag: { p50Ms: median(lag), p99Ms: quantile(lag, 99), maxMs: lag.at(-1) ?? 0 },
    responseP99Ms: quantile(sortSample(responses), 99),
    exactP99Ms:
      stall === null ? null : quantile(sortSample(samples.map((sample) => waitOf(sample, stall, firstMs))), 99),
  };
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
async function run(
  baseUrl: string,
  load: OpenLoad,
  clock: ReturnType<typeof startClock>,
  onFirst: (dueMs: number) => void,
): Promise<readonly Sample[]> {
  const folder = mkdtempSync(join(tmpdir(), 'retake-bench-'));
  const variant = benchVariant();
  const plan = expandPlan({ variants: [variant], cases: [benchCase], seeds: [1], repeats: 1, load });
  const targets = { [variant.target.id]: variant.target };
  const wire = await startWire({
    origin: clock.origin,
    targets,
    connections: load.concurrency,
    secrets: [],
    jitter: 1,
  });
  const record = createRecord(folder, { format: 1, id: 'bench', suite: { name: 'bench' } } as Run);
  const samples: Sample[] = [];
  let told = false;
  const observe = (event: RunnerEvent) => {
    if (event.event !== 'ended' || event.sample.trial.phase !== 'trial') return;
    samples.push(event.sample);
    if (!told) onFirst(event.sample.marks.scheduledMs ?? 0);
    told = true;
  };
  await measure(
    {
      plan,
      load,
      limits: { timeoutMs: null, requests: null, usd: null, failures: 1 },
      segment: 1,
      secrets: [],
      requestOf: ({ seed }) => ({
        target: variant.target.id,
        baseUrl,
        submit: renderSubmit(variant, { case: benchCase, seed }, { baseUrl, secrets: {} }),
        timeoutMs: 60_000,
        onThrottle: 'fail',
      }),
      expectedOf: () => 'image/*',
    },
    { clock, wire, record, wind: new AbortController().signal, observe },
  );
  record.close();
  await wire.close();
  rmSync(folder, { recursive: true });
  return samples;
}
