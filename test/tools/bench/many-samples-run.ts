import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { readLines } from '../../../src/record/read-record.ts';
import { sortEvents } from '../../../src/record/trial-histories.ts';
import { buildStoredRun } from '../../fixtures/stored-run-builder.ts';
import { closedLoad, openBenchRun, planOf } from './bench-run.ts';
import type { Memory, Spent } from './many-samples.ts';

/*
 * One run of many samples, in a process of its own so that its memory is that of the main process of a run alone. Then
 * the journal is read again and analysed.
 */

const [baseUrl = '', folder = '', count = '0'] = process.argv.slice(2);
const samples = Number(count);
const memories: Memory[] = [];
let done = 0;
let peak = 0;

function look(): void {
  // What is live, not what waits to be collected.
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  memories.push({ samples: done, heapMb: heapUsed / 1e6, rssMb: rss / 1e6 });
}

function onEnded(): void {
  done += 1;
  if (done % 100 === 0) peak = Math.max(peak, process.memoryUsage.rss());
  if (done === 1000 || done === samples || (done > 1000 && Number.isInteger(Math.log10(done)))) look();
}

const load = closedLoad(16);
const run = await openBenchRun(baseUrl, load, folder);
const plan = planOf(
  Array.from({ length: samples }, (_, seed) => seed),
  load,
);
const start = performance.now();
await run.measure(plan, onEnded);
const measured = performance.now();
await run.close();

const journal = await readLines(run.folder(), 'journal.jsonl');
if (!journal.ok) throw new Error(journal.diagnostics[0]?.cause);
const { samples: told } = sortEvents(journal.value.values);
const read = performance.now();
// The run.json of a bench says next to nothing.
const stored = buildStoredRun({
  samples: told,
  prompts: ['fox'],
  seeds: plan.slices[0]?.trials.flatMap(({ seed }) => seed ?? []) ?? [],
  repeats: 1,
});
const began = performance.now();
const { analysis } = analyse(stored, METRICS);
const ended = performance.now();

const spent: Spent = {
  memories,
  peakRssMb: peak / 1e6,
  perSecond: (samples / (measured - start)) * 1000,
  read: told.length,
  readMs: read - measured,
  analysisMs: ended - began,
  analysed: analysis.variants.reduce((sum, { outcomes }) => sum + (outcomes.ok ?? 0), 0),
};
process.send?.(spent);
process.disconnect();
