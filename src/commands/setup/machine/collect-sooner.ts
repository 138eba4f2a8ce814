import { setFlagsFromString } from 'node:v8';

/** In percent of live memory. */
const MOST_GARBAGE = 30;

/**
 * Makes the garbage collector run more often from now on. With much memory, V8 lets a heap grow to several times what
 * is live: a report of 100,000 samples took 1.2 GB with 0.3 GB live. Measuring is over when a run is reported, so a
 * pause distorts no timestamp. Costs nothing for small runs, which never collect.
 */
export function collectSooner(): void {
  setFlagsFromString(`--heap-growing-percent=${MOST_GARBAGE}`);
}
