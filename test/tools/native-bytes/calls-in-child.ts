import { createRandom } from '../../../src/statistics/random.ts';
import { NATIVE_CALLS, type NativeCallName, type Size } from './native-calls.ts';

/*
 * Makes native calls over and over, other sizes and other allocations between two of the same, and says which digests
 * each gave. Started with MALLOC_PERTURB_, which fills what the C library hands out with bytes of our choice.
 */

/** What is to be called, and how often. */
export interface Task {
  readonly calls: readonly NativeCallName[];
  readonly sizes: readonly Size[];
  readonly times: number;
}

/** Of each result, by `call, size: name`, the distinct digests it had. */
export type FoundDigests = Readonly<Record<string, readonly string[]>>;

const { calls, sizes, times }: Task = JSON.parse(process.argv[2] ?? '');
const { below } = createRandom(process.pid);
const junk: Buffer[] = [];

/** Takes memory, leaves something in it, and gives some of it back. */
function stir(): void {
  for (let piece = 0; piece < 6; piece += 1) junk.push(Buffer.alloc(1000 + below(300_000), below(256)));
  while (junk.length > 20) junk.splice(below(junk.length), 1);
}

const found = new Map<string, Set<string>>();
for (let time = 0; time < times; time += 1) {
  for (const size of sizes) {
    for (const call of calls) {
      stir();
      for (const [name, digest] of await NATIVE_CALLS[call](size)) {
        const key = `${call}, ${size.width} x ${size.height}: ${name}`;
        found.set(key, (found.get(key) ?? new Set()).add(digest));
      }
    }
  }
}
process.send?.(Object.fromEntries([...found].map(([key, digests]) => [key, [...digests]])));
process.disconnect();
