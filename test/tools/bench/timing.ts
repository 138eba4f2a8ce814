import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { Agent, request } from 'undici';

import { keeperOfMedia } from '../../../src/record/output-files.ts';
import type { InputImage } from '../../../src/suite/suite.ts';
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

/** Which requests send an image, by their seed. */
type InputOf = (seed: number) => InputImage | null;

const NO_INPUT: InputOf = () => null;

/** How the error of calls at 4 in flight depends on what these, or those beside them, send. */
export async function inputTimingRows(): Promise<readonly Row[]> {
  const file = join(scratchFolder(), 'image.png');
  writeFileSync(file, await noiseImage());
  const { baseUrl, child: server } = await startServer('timing-server', [file]);
  const [of8, of32] = [inputOfSize(8), inputOfSize(32)];
  const kinds: readonly { what: string; inputOf: InputOf; counts: (seed: number) => boolean; requests: number }[] = [
    { what: 'without inputs', inputOf: NO_INPUT, counts: () => true, requests: 240 },
    { what: 'with inputs of 8 MiB', inputOf: () => of8, counts: () => true, requests: 240 },
    {
      what: 'without inputs, beside as many with inputs of 8 MiB',
      inputOf: (seed) => (seed % 2 === 0 ? of8 : null),
      counts: (seed) => seed % 2 === 1,
      requests: 480,
    },
    {
      what: 'without inputs, beside as many with inputs of 32 MiB',
      inputOf: (seed) => (seed % 2 === 0 ? of32 : null),
      counts: (seed) => seed % 2 === 1,
      requests: 240,
    },
  ];
  await errorsAt(baseUrl, server, 4, 16, () => of8);
  const rows: Row[] = [];
  for (const { what, inputOf, counts, requests } of kinds) {
    const { raw, retake } = await errorsAt(baseUrl, server, 4, requests, inputOf, counts);
    const [p50Ms, p95Ms] = [medianOf(retake) - medianOf(raw), p95Of(retake) - p95Of(raw)];
    rows.push({
      what: `timing error above that of a raw loop that sends what was encoded before, 4 in flight, calls ${what}`,
      measured: `p50 ${p50Ms.toFixed(2)} ms, p95 ${p95Ms.toFixed(2)} ms (raw: ${medianOf(raw).toFixed(2)}, ${p95Of(raw).toFixed(2)}; n = ${retake.length})`,
      bar: 'p50 <= 0.5 ms, p95 <= 3 ms',
    });
  }
  await server.close();
  return rows;
}

function inputOfSize(mebibytes: number): InputImage {
  const bytes = randomBytes(mebibytes * 1024 * 1024);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { fileName: 'input.png', mime: 'image/png', sha256, width: 1, height: 1, alpha: false, bytes };
}

async function errorsAt(
  baseUrl: string,
  server: Child,
  inFlight: number,
  requests: number,
  inputOf: InputOf = NO_INPUT,
  counts: (seed: number) => boolean = () => true,
): Promise<Errors> {
  const found: Record<keyof Errors, number[]> = { raw: [], retake: [] };
  const each = Math.ceil(requests / ROUNDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    const seeds = Array.from({ length: each }, (_, at) => round * each + at);
    const ways: (keyof Errors)[] = round % 2 === 0 ? ['raw', 'retake'] : ['retake', 'raw'];
    for (const way of ways) {
      const told = await (way === 'raw' ? rawTotals : retakeTotals)(baseUrl, inFlight, seeds, inputOf);
      const answer = server.next();
      server.send('taken');
      const taken = new Map((await answer) as [number, number][]);
      for (const [seed, totalMs] of told) {
        if (counts(seed)) found[way].push(totalMs - (taken.get(seed) ?? Number.NaN));
      }
    }
  }
  return found;
}

/** Total of each request by its seed. */
type Totals = ReadonlyMap<number, number>;

async function rawTotals(
  baseUrl: string,
  inFlight: number,
  seeds: readonly number[],
  inputOf: InputOf,
): Promise<Totals> {
  const agent = new Agent({ connections: inFlight, pipelining: 1 });
  const slots = pLimit(inFlight);
  const totals = new Map<number, number>();
  // Nothing is encoded while others are in flight: the seed is in the address.
  const encoded = new Map([...new Set(seeds.map(inputOf))].map((input) => [input, encodedBefore(input)]));
  const one = async (seed: number): Promise<void> => {
    const startedMs = performance.now();
    const { body } = await request(`${baseUrl}/generate?seed=${seed}`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: encoded.get(inputOf(seed)) ?? null,
    });
    await body.arrayBuffer();
    totals.set(seed, performance.now() - startedMs);
  };
  await Promise.all(seeds.map((seed) => slots(() => one(seed))));
  await agent.close();
  return totals;
}

function encodedBefore(input: InputImage | null): Buffer {
  const image = input === null ? {} : { image: Buffer.from(input.bytes).toString('base64') };
  return Buffer.from(JSON.stringify({ prompt: 'a fox', ...image }), 'latin1');
}

async function retakeTotals(
  baseUrl: string,
  inFlight: number,
  seeds: readonly number[],
  inputOf: InputOf,
): Promise<Totals> {
  const load = closedLoad(inFlight);
  const run = await openBenchRun(baseUrl, load, scratchFolder(), inputOf);
  const totals = new Map<number, number>();
  await run.measure(planOf(seeds, load), ({ trial, marks, outcome }) => {
    if (outcome !== 'ok' || marks.startedMs === undefined)
      throw new Error(`a request of the bench ended as ${outcome}`);
    totals.set(trial.seed ?? 0, marks.doneMs - marks.startedMs);
  });
  await run.close();
  return totals;
}
