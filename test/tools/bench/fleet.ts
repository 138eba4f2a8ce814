import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile, sortSample } from '../../../src/statistics/quantile.ts';
import { removeFreshFolders } from '../../fixtures/fresh-folder.ts';
import { NO_NATS_SERVER, startNatsServer } from '../../fixtures/nats-server.ts';
import { startTcpProxy, type TcpProxy } from '../../fixtures/proxies.ts';
import { journalOf, type Started, startRetake } from '../../fixtures/retake-process.ts';
import { type Child, startServer } from './child.ts';
import { medianOf, p95Of, type Row } from './figures.ts';
import { noiseImage } from './noise-image.ts';
import { scratchFolder } from './scratch.ts';

/** Round trips from a worker to the NATS server. */
const ROUND_TRIPS_MS = [0, 80];
const PROGRAM = resolve('dist/main.js');

/** What the server says of a request. */
interface Taken {
  readonly seed: number;
  readonly ms: number;
  readonly receivedMs: number;
  readonly finishedMs: number;
}

/** What being in step with others costs a worker. All processes share this machine. */
export async function fleetRows(): Promise<readonly Row[]> {
  if (NO_NATS_SERVER !== null) return [{ what: 'a fleet', measured: NO_NATS_SERVER, bar: 'none: not measured' }];
  const file = join(scratchFolder(), 'image.png');
  writeFileSync(file, await noiseImage());
  const { baseUrl, child: server } = await startServer('timing-server', [file]);
  try {
    return [
      ...(await timingRows(baseUrl, server)),
      ...(await gapRows(baseUrl, server)),
      ...(await beginRows(baseUrl, server)),
    ];
  } finally {
    await server.close();
    removeFreshFolders();
  }
}

const TARGET = `target: 1
id: bench/image
kind: text-to-image
base_url: \${env.RETAKE_BASE_URL}
submit: { path: /generate, encoding: json, body: { prompt: "\${case.prompt}", seed: "\${case.seed}" } }
result: { from: body, expect: image/* }
`;

/** The folder of a suite of one variant. */
function suiteFolder(seeds: string, load: string): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'image.yaml'), TARGET);
  writeFileSync(
    join(folder, 'suite.yaml'),
    `suite: 1\nname: bench\nvariants: { one: { target: ./image.yaml } }\nprompts: [a fox]\nseeds: ${seeds}\nrepeats: 1\nload: ${load}\nreports: [csv]\n`,
  );
  return folder;
}

interface Fleet {
  /** Of the run that was merged. */
  readonly record: string;
  /** Most memory that the coordinator held at once. */
  readonly mostMiB: number;
}

/** Measures a suite by a fleet: one worker for each way to the NATS server. */
async function measureByFleet(folder: string, baseUrl: string, roundTripsMs: readonly number[]): Promise<Fleet> {
  const nats = await startNatsServer();
  const ways: TcpProxy[] = [];
  try {
    const env = { RETAKE_BASE_URL: baseUrl };
    const workers: Started[] = [];
    for (const [at, roundTripMs] of roundTripsMs.entries()) {
      const way = await startTcpProxy(Number(new URL(nats.url).port), { delayMs: roundTripMs / 2 });
      ways.push(way);
      const url = roundTripMs === 0 ? nats.url : `nats://127.0.0.1:${way.port}`;
      const args = ['work', 'suite.yaml', '--fleet', url, '--name', `w${at + 1}`, '--out', `w${at + 1}`, '--quiet'];
      workers.push(startRetake(args, folder, env, PROGRAM));
    }
    const args = ['run', 'suite.yaml', '--fleet', nats.url, '--workers', String(workers.length), '--run', 'fleet'];
    const coordinator = startRetake([...args, '--quiet'], folder, env, PROGRAM);
    const most = mostMemory(coordinator);
    for (const { ended } of [coordinator, ...workers]) {
      const { code, stderr } = await ended;
      if (code !== 0) throw new Error(`a process of the fleet ended with ${code}: ${stderr}`);
    }
    return { record: join(folder, 'results', 'bench', 'fleet'), mostMiB: await most };
  } finally {
    await Promise.all([nats.stop(), ...ways.map(({ close }) => close())]);
  }
}

async function mostMemory({ pid, ended }: Started): Promise<number> {
  let isThere = true;
  void ended.then(() => {
    isThere = false;
  });
  let mostKiB = 0;
  while (isThere) {
    try {
      const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      mostKiB = Math.max(mostKiB, Number(kib ?? 0));
    } catch {
      // It has just ended, or this is not Linux.
    }
    await sleep(100);
  }
  return mostKiB / 1024;
}

async function takenBy(server: Child): Promise<ReadonlyMap<number, Taken>> {
  const answer = server.next();
  server.send('taken');
  const taken = (await answer) as readonly (readonly [number, number, number])[];
  return new Map(
    taken.map(([seed, ms, receivedMs]) => [seed, { seed, ms, receivedMs, finishedMs: receivedMs + ms }] as const),
  );
}

const TIMED = 80;
const ROUNDS = 4;

/** The error of a worker's latencies against the server's stamps, above that of `retake run` in the same minutes. */
async function timingRows(baseUrl: string, server: Child): Promise<readonly Row[]> {
  const errors: Record<'run' | 'fleet', number[]> = { run: [], fleet: [] };
  let mostMiB = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const seeds = `{ first: ${1 + round * TIMED}, count: ${TIMED} }`;
    for (const way of round % 2 === 0 ? (['run', 'fleet'] as const) : (['fleet', 'run'] as const)) {
      const folder = suiteFolder(seeds, '{ concurrency: 4, warmup: 0 }');
      let record = join(folder, 'results', 'bench', 'alone');
      if (way === 'run') {
        const args = ['run', 'suite.yaml', '--run', 'alone', '--quiet'];
        const { code, stderr } = await startRetake(args, folder, { RETAKE_BASE_URL: baseUrl }, PROGRAM).ended;
        if (code !== 0) throw new Error(`retake run ended with ${code}: ${stderr}`);
      } else {
        const fleet = await measureByFleet(folder, baseUrl, [0]);
        record = fleet.record;
        mostMiB = Math.max(mostMiB, fleet.mostMiB);
      }
      const taken = await takenBy(server);
      for (const { trial, marks, outcome } of journalOf(record).samples) {
        const at = taken.get(trial.seed ?? 0);
        if (outcome !== 'ok' || marks.startedMs === undefined || at === undefined) throw new Error('a request failed');
        errors[way].push(marks.doneMs - marks.startedMs - at.ms);
      }
    }
  }
  const above = (of: (values: readonly number[]) => number) => (of(errors.fleet) - of(errors.run)).toFixed(2);
  const text = (values: readonly number[]) =>
    `p50 ${medianOf(values).toFixed(2)} ms, p95 ${p95Of(values).toFixed(2)} ms`;
  return [
    {
      what: `timing error of a fleet's worker above that of retake run, 1.5 MB bodies, 4 in flight, n = ${errors.run.length} each`,
      measured: `p50 ${above(medianOf)} ms, p95 ${above(p95Of)} ms (of run: ${text(errors.run)})`,
      bar: 'p50 within 0.5 ms, p95 within 3 ms',
    },
    {
      what: `memory of the coordinator, merging ${TIMED} samples with their media`,
      measured: `${mostMiB.toFixed(0)} MiB`,
      bar: '<= 150 MB',
    },
  ];
}

/** From the last answer of a slice to the first request of the next, at the server. */
async function gapRows(baseUrl: string, server: Child): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const roundTripMs of ROUND_TRIPS_MS) {
    const folder = suiteFolder('{ first: 1, count: 60 }', '{ concurrency: 4, warmup: 0 }');
    const { record } = await measureByFleet(folder, baseUrl, [roundTripMs, roundTripMs]);
    const taken = await takenBy(server);
    const slices = new Map<number, { fromMs: number; toMs: number }>();
    for (const { trial, slice } of journalOf(record).samples) {
      const at = taken.get(trial.seed ?? 0);
      if (at === undefined) throw new Error('a request is not known at the server');
      const known = slices.get(slice) ?? { fromMs: at.receivedMs, toMs: at.finishedMs };
      slices.set(slice, { fromMs: Math.min(known.fromMs, at.receivedMs), toMs: Math.max(known.toMs, at.finishedMs) });
    }
    const spans = [...slices].sort(([a], [b]) => a - b).map(([, span]) => span);
    const gaps = spans.slice(1).map(({ fromMs }, at) => fromMs - (spans[at]?.toMs ?? Number.NaN));
    const length = medianOf(spans.map(({ fromMs, toMs }) => toMs - fromMs));
    rows.push({
      what: `gap between two slices of a fleet, 2 workers, round trip of ${roundTripMs} ms, slices of ${length.toFixed(0)} ms`,
      measured: `p50 ${medianOf(gaps).toFixed(1)} ms, at most ${Math.max(...gaps).toFixed(1)} ms, n = ${gaps.length}`,
      bar: `1.5 round trips + 20 ms: ${(1.5 * roundTripMs + 20).toFixed(0)} ms`,
    });
  }
  return rows;
}

const RATE = 20;
const ARRIVALS = 240;

/** How far apart workers begin an open load, at the server: of each, how late its arrivals are on the schedule of all. */
async function beginRows(baseUrl: string, server: Child): Promise<readonly Row[]> {
  const roundTripsMs = [0, 20, 40, 80];
  const load = `{ mode: open, rate: ${RATE}/s, arrivals: constant, concurrency: 80, warmup: 0 }`;
  const folder = suiteFolder(`{ first: 1, count: ${ARRIVALS} }`, load);
  const planned = await startRetake(['plan', 'suite.yaml', '--json'], folder, { RETAKE_BASE_URL: baseUrl }, PROGRAM)
    .ended;
  const order = planned.stdout
    .split('\n')
    .filter((line) => line.startsWith('{"slice"'))
    .map((line): { readonly seed: number } => JSON.parse(line));
  const { record } = await measureByFleet(folder, baseUrl, roundTripsMs);
  const taken = await takenBy(server);
  const late = order.map(({ seed }, at) => (taken.get(seed)?.receivedMs ?? Number.NaN) - (at * 1000) / RATE);
  const begins = roundTripsMs.map((_, worker) =>
    medianOf(late.filter((_each, at) => at % roundTripsMs.length === worker)),
  );
  const spread = Math.max(...begins) - Math.min(...begins);
  const lags = journalOf(record).samples.map(
    ({ marks }) => (marks.startedMs ?? Number.NaN) - (marks.scheduledMs ?? Number.NaN),
  );
  return [
    {
      what: `open load over 4 workers, ${RATE} / s, round trips of ${roundTripsMs.join(', ')} ms: spread of the begins`,
      measured: `${spread.toFixed(1)} ms; ${taken.size} of ${ARRIVALS} arrivals at the server, each once`,
      bar: `half the largest round trip + 20 ms: ${Math.max(...roundTripsMs) / 2 + 20} ms`,
    },
    {
      what: 'the same: start lag on the own schedule of each worker',
      measured: `p99 ${(quantile(sortSample(lags), 99) ?? Number.NaN).toFixed(1)} ms, n = ${lags.length}`,
      bar: '<= 5 ms + spread',
    },
  ];
}
