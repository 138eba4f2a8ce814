import { expect, it } from 'vitest';
import type { Load } from '../../../src/suite/load.ts';
import { measurePlan } from '../../fixtures/measured-run.ts';
import { CLOSED, OPEN } from '../../fixtures/plan-input.ts';
import { serve } from '../../targets/loopback.ts';
import { targetWith, variantOf } from '../../targets/target-fixture.ts';

/* Bodies that come faster than the disk takes them, through the built runner and its wire thread. */

const BODY_BYTES = 1.5 * 1024 * 1024;
const DISK_MS = 40;
const IN_FLIGHT = 16;
/** More than may be held at once, twice what is in flight and what waits among it. */
const REQUESTS = 80;
const MOST_WAITING_BYTES = 32 * 1024 * 1024;

const SHARED = { concurrency: IN_FLIGHT, warmup: 0, onThrottle: 'fail' } as const;
const LOADS: readonly Load[] = [
  { ...CLOSED, ...SHARED, order: 'mixed' },
  { ...OPEN, ...SHARED, stages: [{ ratePerSecond: 200, forMs: null }] },
];

it.each(LOADS)('a run under $mode load bounds what waits for a slow disk', async (load) => {
  const body = Buffer.alloc(BODY_BYTES, 7);
  body.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const server = await serve((_seen, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(body);
  });
  const still = new Int32Array(new SharedArrayBuffer(4));
  let begun = 0;
  let ended = 0;
  let mostHeld = 0;
  await measurePlan({
    variants: [variantOf(targetWith({ base_url: server.url }), { timeoutMs: 60_000 })],
    prompts: ['fox'],
    seeds: Array.from({ length: REQUESTS }, (_, at) => at),
    repeats: 1,
    load,
    // A disk that takes its time: this thread waits while it writes.
    recordThrough: (record) => ({
      ...record,
      keepMedia: (bytes, extension) => {
        Atomics.wait(still, 0, 0, DISK_MS);
        return record.keepMedia(bytes, extension);
      },
    }),
    observe: ({ event, ...of }) => {
      if (event === 'started') begun += 1;
      if ('sample' in of && of.sample.outcome !== 'dropped') ended += 1;
      mostHeld = Math.max(mostHeld, begun - ended);
    },
  });
  expect(ended).toBe(begun);
  // What is in flight, what may wait, and the one that brought it over the bound.
  expect(mostHeld).toBeLessThanOrEqual(2 * IN_FLIGHT + Math.ceil(MOST_WAITING_BYTES / BODY_BYTES));
  if (load.mode === 'closed') expect(ended).toBe(REQUESTS);
});
