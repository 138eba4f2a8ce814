import { Worker } from 'node:worker_threads';
import { askedOf, wholeNumber } from '../arguments.ts';
import type { FuzzTask } from './fuzz-worker.ts';
import { PROPERTIES } from './properties.ts';
import type { Fuzzed, FuzzProperty } from './property.ts';

/*
 * npm run fuzz: inputs that are almost right, for everything that reads what others wrote. Ends with 1 where a promise
 * broke, and prints the input as code, so that it can be pasted into a test.
 *
 *   npm run fuzz -- suites journals          some kinds only
 *   RETAKE_FUZZ_INPUTS=1000000 npm run fuzz  so many inputs in all; 100,000 by default
 *   RETAKE_FUZZ_SEED=7 npm run fuzz          the same inputs again; drawn by default, and printed
 */

/**
 * An input that is not ready after so long is stalled: far above what any takes, as other programs may have the
 * processors.
 */
const STALLED_MS = 60_000;
const SHOWN_BYTES = 4 * 1024 * 1024;
const HEAP_MIB = 1024;

const inputs = wholeNumber('RETAKE_FUZZ_INPUTS', 100_000);
const seed = wholeNumber('RETAKE_FUZZ_SEED', Math.floor(Math.random() * 2 ** 31));
const asked = askedOf(PROPERTIES.map(({ kind }) => kind));
const chosen = PROPERTIES.filter(({ kind }) => asked.includes(kind));
const shares = chosen.reduce((sum, { share }) => sum + share, 0);

console.log(`seed ${seed}\n`);
let tried = 0;
let failed = 0;
const beganAt = performance.now();
for (const property of chosen) {
  const startedAt = performance.now();
  const result = await fuzz(property, Math.ceil((inputs * property.share) / shares));
  tried += result.inputs;
  const took = `${((performance.now() - startedAt) / 1000).toFixed(0)} s, slowest ${result.slowestMs.toFixed(0)} ms`;
  console.log(`${property.kind.padEnd(18)}${String(result.inputs).padStart(8)} inputs  ${took}`);
  if (result.broken === null) continue;
  failed += 1;
  console.log(`  BROKEN: ${property.promise}\n  ${result.broken.why}\n  input: ${result.broken.input}\n`);
}
console.log(
  `\n${tried} inputs in ${((performance.now() - beganAt) / 1000).toFixed(0)} s, ${failed} promises broken, seed ${seed}`,
);
process.exitCode = failed === 0 ? 0 : 1;

/** Tries a property in a thread of its own, which is ended where an input makes it stall. */
function fuzz(property: FuzzProperty, count: number): Promise<Fuzzed> {
  const task: FuzzTask = {
    kind: property.kind,
    inputs: count,
    seed,
    counts: new SharedArrayBuffer(8),
    text: new SharedArrayBuffer(SHOWN_BYTES),
  };
  const counts = new Int32Array(task.counts);
  const broken = (why: string): Fuzzed => {
    const input = new TextDecoder().decode(new Uint8Array(task.text).slice(0, counts[1]));
    return { inputs: counts[0] ?? 0, broken: { input, why }, slowestMs: Number.NaN };
  };
  const worker = new Worker(new URL('./fuzz-worker.js', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  return new Promise((resolve) => {
    let seen = -1;
    let seenAt = performance.now();
    const watch = setInterval(() => {
      if (counts[0] !== seen) {
        seen = counts[0] ?? 0;
        seenAt = performance.now();
      } else if (performance.now() - seenAt > STALLED_MS) end(broken(`stalled for ${STALLED_MS / 1000} s`));
    }, 1000);
    const end = (result: Fuzzed): void => {
      clearInterval(watch);
      void worker.terminate();
      resolve(result);
    };
    worker.on('message', end);
    worker.on('error', (error: Error) => end(broken(error.stack ?? String(error))));
    worker.on('exit', (code) => end(broken(`the thread ended (${code})`)));
  });
}
