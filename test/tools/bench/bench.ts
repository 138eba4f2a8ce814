import { writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { askedOf, wholeNumber } from '../arguments.ts';
import { analysisRows } from './analysis-cost.ts';
import type { Row } from './figures.ts';
import { manySamplesRows } from './many-samples.ts';
import { openLoadRows } from './open-load.ts';
import { clearScratch } from './scratch.ts';
import { startUpRows } from './start-up.ts';
import { throughputRows } from './throughput.ts';
import { measureTiming, type TimingCell, timingRows } from './timing.ts';

/*
 * npm run bench: what Retake costs, as ratios to a yardstick in the same run, beside the bars it is held to.
 * Nothing here passes or fails: the load of a shared machine decides too much. The figures are printed and written as
 * JSON.
 *
 *   npm run bench -- throughput timing                            some parts only
 *   RETAKE_BENCH_SAMPLES=100000 npm run bench -- many-samples     the full count; 10,000 by default
 *
 * Files go below the folder for temporary ones: TMPDIR=/dev/shm takes the disk out of the figures.
 */

const samples = wholeNumber('RETAKE_BENCH_SAMPLES', 10_000, 1000);

const rows: Row[] = [];
/** What the machine did before: with much of it, no figure below is Retake's own. */
const loadBefore = Number(loadavg()[0]?.toFixed(2));
let timing: readonly TimingCell[] = [];

const PARTS: Readonly<Record<string, () => Promise<unknown> | unknown>> = {
  throughput: async () => rows.push(...(await throughputRows())),
  timing: async () => {
    timing = await measureTiming();
    rows.push(...timingRows(timing));
  },
  'open-load': async () => rows.push(...(await openLoadRows())),
  'many-samples': async () => rows.push(...(await manySamplesRows(samples))),
  'start-up': () => rows.push(...startUpRows()),
  analysis: async () => rows.push(...(await analysisRows())),
};

const asked = askedOf(Object.keys(PARTS));
try {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (!asked.includes(name)) continue;
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
  const path = join(tmpdir(), 'retake-bench.json');
  const all = { node: process.version, cpu: cores[0]?.model, cores: cores.length, loadBefore, rows, timing };
  writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
  console.log(`written to ${path}`);
}
