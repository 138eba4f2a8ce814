import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { closedLoad, openBenchRun, planOf } from './bench-run.ts';
import { startServer } from './child.ts';
import { medianOf, type Row } from './figures.ts';
import { scratchFolder } from './scratch.ts';

const BODY_BYTES = 64 * 1024;
const IN_FLIGHT = 16;
const REQUESTS = 4000;
const ROUNDS = 3;

/** What one way of doing the work took. */
interface Cost {
  readonly perSecond: number;
  /** User and system time of the whole process, all its threads. */
  readonly cpuMs: number;
}

interface Round {
  /** A bare undici loop that hashes. */
  readonly raw: Cost;
  /** The same loop, which also writes each body to a file of its own: what the disk takes. */
  readonly written: Cost;
  /** The runner, with journal and media. */
  readonly retake: Cost;
}

/** Throughput and cpu of the runner beside bare loops over the same requests. */
export async function throughputRows(): Promise<readonly Row[]> {
  const rounds = await compareThroughput(ROUNDS);
  const ratio = (of: (round: Round) => number) => `${medianOf(rounds.map(of)).toFixed(2)} x`;
  const figure = (of: (round: Round) => number, digits: number) => medianOf(rounds.map(of)).toFixed(digits);
  const work = '64 KiB bodies, 16 in flight, record and media kept';
  return [
    {
      what: `throughput, ${work}, to a raw undici loop that hashes`,
      measured: `${ratio(({ raw, retake }) => retake.perSecond / raw.perSecond)} (${figure(({ retake }) => retake.perSecond, 0)} / s to ${figure(({ raw }) => raw.perSecond, 0)} / s)`,
      bar: '>= 0.6 x',
    },
    {
      what: 'the same, to that loop writing each body to a file',
      measured: `${ratio(({ written, retake }) => retake.perSecond / written.perSecond)} (${figure(({ written }) => written.perSecond, 0)} / s)`,
      bar: 'none: what the disk takes',
    },
    {
      what: 'cpu per sample, to the loop that hashes',
      measured: `${ratio(({ raw, retake }) => retake.cpuMs / raw.cpuMs)} (${figure(({ retake }) => retake.cpuMs, 2)} ms to ${figure(({ raw }) => raw.cpuMs, 2)} ms)`,
      bar: '<= 2.5 x',
    },
    {
      what: 'the same, to the loop that writes',
      measured: `${ratio(({ written, retake }) => retake.cpuMs / written.cpuMs)} (${figure(({ written }) => written.cpuMs, 2)} ms)`,
      bar: 'none: what the disk takes',
    },
  ];
}

/** The same requests in three ways, in turn, in one process; what is opened before and cleared away after is not counted. */
async function compareThroughput(rounds: number): Promise<readonly Round[]> {
  const { baseUrl, child } = await startServer('body-server', [String(BODY_BYTES)]);
  const found: Round[] = [];
  // The first round compiles and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const raw = await rawLoop(baseUrl, null);
    const written = await rawLoop(baseUrl, scratchFolder());
    const retake = await runnerLoop(baseUrl);
    if (round > 0) found.push({ raw, written, retake });
  }
  await child.close();
  return found;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: REQUESTS / seconds, cpuMs: (user + system) / 1000 / REQUESTS };
}

async function rawLoop(baseUrl: string, folder: string | null): Promise<Cost> {
  const agent = new Agent({ connections: IN_FLIGHT, pipelining: 1 });
  const slots = pLimit(IN_FLIGHT);
  const one = async (seed: number): Promise<void> => {
    const { body } = await request(`${baseUrl}/generate`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'a fox', seed }),
    });
    const bytes = Buffer.from(await body.arrayBuffer());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (folder !== null) writeFileSync(join(folder, sha256), bytes);
  };
  const cost = await costOf(() => Promise.all(Array.from({ length: REQUESTS }, (_, seed) => slots(() => one(seed)))));
  await agent.close();
  return cost;
}

async function runnerLoop(baseUrl: string): Promise<Cost> {
  const load = closedLoad(IN_FLIGHT);
  const run = await openBenchRun(baseUrl, load, scratchFolder());
  // The wire thread compiles its parser with its first request.
  await run.measure(planOf([REQUESTS], load));
  const plan = planOf(
    Array.from({ length: REQUESTS }, (_, seed) => seed),
    load,
  );
  const cost = await costOf(() => run.measure(plan));
  await run.close();
  return cost;
}
