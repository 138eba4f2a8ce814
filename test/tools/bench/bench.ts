import { writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { analysisRows } from './analysis-cost.ts';
import { examinationRows } from './examination.ts';
import type { Row } from './figures.ts';
import { fleetRows } from './fleet.ts';
import { kernelTable, rankStatisticRows } from './kernels.ts';
import { manySamplesRows } from './many-samples.ts';
import { openLoadRows } from './open-load-rows.ts';
import { pageRows } from './pages.ts';
import { clearScratch } from './scratch.ts';
import { startUpRows } from './start-up.ts';
import { throughputRows } from './throughput.ts';
import { inputTimingRows, measureTiming, type TimingCell, timingRows } from './timing.ts';

/*
 * npm run bench: what Retake costs, as ratios to a yardstick in the same run, beside the bars it is held to.
 * Nothing here passes or fails: the load of a shared machine decides too much. The figures are printed and written as
 * JSON.
 *
 *   npm run bench -- throughput timing                            some parts only
 *   RETAKE_BENCH_SAMPLES=100000 npm run bench -- many-samples     the full count; 10,000 by default
 *   RETAKE_BENCH_PICTURES=1000 npm run bench -- examination       the full count; 100 by default
 *
 * Files go below the folder for temporary ones: TMPDIR=/dev/shm takes the disk out of the figures.
 */

const samples = Number(process.env.RETAKE_BENCH_SAMPLES ?? 10_000);
if (!Number.isInteger(samples) || samples < 1000) throw new Error('RETAKE_BENCH_SAMPLES takes a number from 1000 on');

const images = Number(process.env.RETAKE_BENCH_PICTURES ?? 100);
if (!Number.isInteger(images) || images < 20 || images % 2 !== 0) {
  throw new Error('RETAKE_BENCH_PICTURES takes an even number from 20 on');
}

const rows: Row[] = [];
/** What the machine did before: with much of it, no figure below is Retake's own. */
const loadBefore = Number(loadavg()[0]?.toFixed(2));
let timing: readonly TimingCell[] = [];
let kernels: Awaited<ReturnType<typeof kernelTable>> = [];

const PARTS: Readonly<Record<string, () => Promise<unknown> | unknown>> = {
  throughput: async () => rows.push(...(await throughputRows())),
  timing: async () => {
    timing = await measureTiming();
    rows.push(...timingRows(timing));
  },
  inputs: async () => rows.push(...(await inputTimingRows())),
  'open-load': async () => rows.push(...(await openLoadRows())),
  fleet: async () => rows.push(...(await fleetRows())),
  'many-samples': async () => rows.push(...(await manySamplesRows(samples))),
  'start-up': () => rows.push(...startUpRows()),
  examination: async () => rows.push(...(await examinationRows(images))),
  analysis: () => rows.push(...analysisRows()),
  pages: async () => rows.push(...(await pageRows())),
  kernels: async () => {
    kernels = await kernelTable();
    rows.push(...rankStatisticRows());
  },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0)
  throw new Error(`no such part: ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
try {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const start = performance.now();
    await measure();
    console.error(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
} finally {
  clearScratch();
}
print();

function print(): void {
  const cores = cpus();
  console.log(
    `node ${process.version}, ${cores.length} x ${cores[0]?.model ?? 'unknown'}, load average before ${loadBefore}`,
  );
  console.table(rows.map(({ what, measured, bar }) => ({ what, measured, bar })));
  if (timing.length > 0) {
    console.log(
      '\ntiming: total as told less what the server itself says, in ms; raw is a bare undici loop that only receives',
    );
    console.table(
      timing.map(({ inFlight, requests, decoding, ...figures }) => ({
        'in flight': inFlight,
        n: requests,
        decoding,
        ...Object.fromEntries(Object.entries(figures).map(([name, ms]) => [name, Number(ms.toFixed(2))])),
      })),
    );
    console.log(
      `Server, wire thread, main thread and decoders share ${cores.length} cores: what waits for one is error.`,
    );
  }
  if (kernels.length > 0) console.table(kernels);
  const path = join(tmpdir(), 'retake-bench.json');
  const all = { node: process.version, cpu: cores[0]?.model, cores: cores.length, loadBefore, rows, timing, kernels };
  writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
  console.log(`written to ${path}`);
}
