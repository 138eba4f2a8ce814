import { parentPort, workerData } from 'node:worker_threads';
import { removeFreshFolders } from '../../fixtures/fresh-folder.ts';
import { PROPERTIES } from './properties.ts';
import type { Fuzzed } from './property.ts';

/** What the thread that tries the inputs of one property is given. */
export interface FuzzTask {
  readonly kind: string;
  readonly inputs: number;
  readonly seed: number;
  /** Written before each input: how many were begun, and the length of its text. */
  readonly counts: SharedArrayBuffer;
  /** The text of the input that is being tried. */
  readonly text: SharedArrayBuffer;
}

const encoder = new TextEncoder();

async function tryInputs({ kind, inputs, seed, ...shared }: FuzzTask): Promise<Fuzzed> {
  const property = PROPERTIES.find((each) => each.kind === kind);
  if (property === undefined) throw new Error(`no property ${kind}`);
  const counts = new Int32Array(shared.counts);
  const text = new Uint8Array(shared.text);
  return property.fuzz(inputs, seed, (input) => {
    const bytes = encoder.encode(input).subarray(0, text.length);
    text.set(bytes);
    counts[1] = bytes.length;
    Atomics.add(counts, 0, 1);
  });
}

try {
  parentPort?.postMessage(await tryInputs(workerData));
} finally {
  removeFreshFolders();
}
