import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { keeperOfMedia } from '../../../src/record/output-files.ts';
import { closedLoad, openBenchRun, planOf } from './bench-run.ts';
import { type Child, startChild, startServer } from './child.ts';
import { medianOf, p95Of, type Row } from './figures.ts';
import { noiseImage } from './noise-image.ts';
import { scratchFolder } from './scratch.ts';

/** How many requests tell enough at so many in flight. */
const REQUESTS = new Map([
  [1, 24],
  [8, 640],
  [32, 192],
  [64, 256],
]);
/** The work is split, and the two take turns, so that what else the machine does meets both. */
const ROUNDS = 2;

/** Total as told less the server's own, of each request. */
interface Errors {
  readonly raw: readonly number[];
  readonly retake: readonly number[];
}

export interface TimingCell {
  readonly inFlight: number;
  readonly requests: number;
  readonly decoding: boolean;
  readonly rawP50Ms: number;
  readonly rawP95Ms: number;
  readonly retakeP50Ms: number;
  readonly retakeP95Ms: number;
  readonly aboveP50Ms: number;
  readonly aboveP95Ms: number;
}

/**
 * The error of what is told as the latency, against the server's own stamps: of a run that hashes and keeps every body,
 * and of a bare undici loop that does nothing but receive them. Idle beside it, and while media is being decoded.
 */
export async function measureTiming(): Promise<readonly TimingCell[]> {
  const folder = scratchFolder();
  const image = await noiseImage();
  const file = join(folder, 'image.png');
  writeFileSync(file, image);
  const sha256 = keeperOfMedia(folder)(image, 'png');
  const { baseUrl, child: server } = await startServer('timing-server', [file]);
  const cells: TimingCell[] = [];
  // The first requests compile both sides.
  await errorsAt(baseUrl, server, 8, 32);
  for (const decoding of [false, true]) {
    const examining = decoding ? await startChild('examining', [folder, sha256, String(image.length)]) : null;
    for (const [inFlight, requests] of REQUESTS) {
      const { raw, retake } = await errorsAt(baseUrl, server, inFlight, requests);
      const cell = {
        rawP50Ms: medianOf(raw),
        rawP95Ms: p95Of(raw),
        retakeP50Ms: medianOf(retake),
        retakeP95Ms: p95Of(retake),
      };
      const above = { aboveP50Ms: cell.retakeP50Ms - cell.rawP50Ms, aboveP95Ms: cell.retakeP95Ms - cell.rawP95Ms };
      cells.push({ inFlight, requests, decoding, ...cell, ...above });
    }
    await examining?.close();
  }
  await server.close();
  return cells;
}

/** The rows of the cells that there is a bar for. */
export function timingRows(cells: readonly TimingCell[]): readonly Row[] {
  return cells
    .filter(({ inFlight }) => inFlight === 8)
    .map(({ decoding, aboveP50Ms, aboveP95Ms }) => ({
      what: `timing error above that of a raw loop that only receives, 1.5 MB bodies, 8 in flight, ${
        decoding ? `${availableParallelism()} decoders at work on ${availableParallelism()} cores` : 'nothing beside it'
      }`,
      measured: `p50 ${aboveP50Ms.toFixed(2)} ms, p95 ${aboveP95Ms.toFixed(2)} ms`,
      bar: decoding ? 'p50 <= 0.5 ms, p95 <= 3 ms' : 'none: for comparison',
    }));
}

async function errorsAt(baseUrl: string, server: Child, inFlight: number, requests: number): Promise<Errors> {
  const found: Record<keyof Errors, number[]> = { raw: [], retake: [] };
  const each = Math.ceil(requests / ROUNDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    const seeds = Array.from({ length: each }, (_, at) => round * each + at);
    const ways: (keyof Errors)[] = round % 2 === 0 ? ['raw', 'retake'] : ['retake', 'raw'];
    for (const way of ways) {
      const told = await (way === 'raw' ? rawTotals : retakeTotals)(baseUrl, inFlight, seeds);
      const answer = server.next();
      server.send('taken');
      const taken = new Map((await answer) as [number, number][]);
      for (const [seed, totalMs] of told) found[way].push(totalMs - (taken.get(seed) ?? Number.NaN));
    }
  }
  return found;
}

/** Total of each request by its seed. */
type Totals = ReadonlyMap<number, number>;

async function rawTotals(baseUrl: string, inFlight: number, seeds: readonly number[]): Promise<Totals> {
  const agent = new Agent({ connections: inFlight, pipelining: 1 });
  const slots = pLimit(inFlight);
  const totals = new Map<number, number>();
  const one = async (seed: number): Promise<void> => {
    const startedMs = performance.now();
    const { body } = await request(`${baseUrl}/generate`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'a fox', seed }),
    });
    await body.arrayBuffer();
    totals.set(seed, performance.now() - startedMs);
  };
  await Promise.all(seeds.map((seed) => slots(() => one(seed))));
  await agent.close();
  return totals;
}

async function retakeTotals(baseUrl: string, inFlight: number, seeds: readonly number[]): Promise<Totals> {
  const load = closedLoad(inFlight);
  const run = await openBenchRun(baseUrl, load, scratchFolder());
  const totals = new Map<number, number>();
  await run.measure(planOf(seeds, load), ({ trial, marks, outcome }) => {
    if (outcome !== 'ok' || marks.startedMs === undefined)
      throw new Error(`a request of the bench ended as ${outcome}`);
    totals.set(trial.seed ?? 0, marks.doneMs - marks.startedMs);
  });
  await run.close();
  return totals;
}
