import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { closedLoad, openBenchRun, planOf } from './bench-run.ts';
import { startServer } from './child.ts';
import { medianOf, type Row } from './figures.ts';
import { memoryFolder, removeFolder, scratchFolder } from './scratch.ts';

const BODY_BYTES = 64 * 1024;
const IN_FLIGHT = 16;
const REQUESTS = 4000;
const ROUNDS = 7;

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

/** Throughput and cpu of the runner beside bare loops over the same requests, on the disk and in memory. */
export async function throughputRows(): Promise<readonly Row[]> {
  const onDisk = await compareThroughput(scratchFolder, () => {});
  const memory = memoryFolder();
  const work = '64 KiB bodies, 16 in flight, record and media kept';
  const rows = [
    throughputRow(
      `throughput, ${work}, to a raw undici loop that hashes and writes each body`,
      onDisk,
      'written',
      '>= 0.85 x',
    ),
    cpuRow('cpu per sample, the same', onDisk, 'written', '<= 1.5 x'),
  ];
  if (memory === null) return rows;
  const inMemory = await compareThroughput(
    () => scratchFolder(memory),
    // Memory that is given back is used again; new memory, which the first use has to clear, would cost more each
    // round.
    removeFolder,
  );
  return [
    ...rows,
    throughputRow('throughput in memory, to a raw undici loop that only hashes', inMemory, 'raw', '>= 0.6 x'),
    cpuRow('cpu per sample, the same', inMemory, 'raw', '<= 2.5 x'),
  ];
}

function throughputRow(what: string, rounds: readonly Round[], yardstick: 'raw' | 'written', bar: string): Row {
  const ratio = medianOf(rounds.map((round) => round.retake.perSecond / round[yardstick].perSecond));
  const [own, other] = [
    medianOf(rounds.map(({ retake }) => retake.perSecond)),
    medianOf(rounds.map((round) => round[yardstick].perSecond)),
  ];
  return { what, measured: `${ratio.toFixed(2)} x (${own.toFixed(0)} / s to ${other.toFixed(0)} / s)`, bar };
}

function cpuRow(what: string, rounds: readonly Round[], yardstick: 'raw' | 'written', bar: string): Row {
  const ratio = medianOf(rounds.map((round) => round.retake.cpuMs / round[yardstick].cpuMs));
  const [own, other] = [
    medianOf(rounds.map(({ retake }) => retake.cpuMs)),
    medianOf(rounds.map((round) => round[yardstick].cpuMs)),
  ];
  return { what, measured: `${ratio.toFixed(2)} x (${own.toFixed(2)} ms to ${other.toFixed(2)} ms)`, bar };
}

/**
 * The same requests in three ways, in turn, in one process; what is opened before and cleared away after is not
 * counted.
 *
 * @param letGo is given the folders of a round, once it has ended
 */
async function compareThroughput(newFolder: () => string, letGo: (folder: string) => void): Promise<readonly Round[]> {
  const { baseUrl, child } = await startServer('stalling-server', [String(BODY_BYTES)]);
  const load = closedLoad(IN_FLIGHT);
  const seeds = Array.from({ length: REQUESTS }, (_, seed) => seed);
  const plan = planOf(seeds, load);
  // One wire thread for all rounds: it compiles in the first, which is not counted, as the loops do.
  const run = await openBenchRun(baseUrl, load, newFolder());
  const found: Round[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const folders = { written: newFolder(), retake: newFolder() };
    const raw = await rawLoop(baseUrl, null);
    const written = await rawLoop(baseUrl, folders.written);
    run.openRecord(folders.retake);
    const retake = await costOf(() => run.measure(plan));
    if (round > 0) found.push({ raw, written, retake });
    Object.values(folders).forEach(letGo);
  }
  await run.close();
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
