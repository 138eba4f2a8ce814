import { availableParallelism } from 'node:os';
import { EXAMINE_LIMITS_MS, openExaminers } from '../../../src/examine/examiners.ts';

/*
 * Examines the media of a record over and over, as the report of another run does: as many decoders as that takes, each
 * in a process of its own. Asked, it says how many outputs were decoded since it was asked last.
 */

const [folder = '', sha256 = '', bytes = '0'] = process.argv.slice(2);
const workers = availableParallelism();
const stop = new AbortController();
const examiners = openExaminers({ workers, timeLimitMs: EXAMINE_LIMITS_MS, signal: stop.signal });
const output = { sha256, bytes: Number(bytes), mime: 'image/png' };
let decoded = 0;

process.on('message', () => {
  process.send?.(decoded);
  decoded = 0;
});
process.on('disconnect', () => stop.abort());

async function decodeOn(worker: number): Promise<void> {
  while (!stop.signal.aborted) {
    const fact = await examiners.examine(folder, output, worker);
    if (fact !== null && fact.decodes !== true) throw new Error('the image of the bench does not decode');
    decoded += 1;
  }
}

const all = Array.from({ length: workers }, (_, worker) => decodeOn(worker));
process.send?.('decoding');
await Promise.all(all);
await examiners.close();
