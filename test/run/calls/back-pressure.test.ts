import { expect, it, onTestFinished } from 'vitest';
import type * as Expand from '../../../src/plan/expand.ts';
import type { Run } from '../../../src/record/run.ts';
import type * as Store from '../../../src/record/store.ts';
import type * as ClockModule from '../../../src/run/clock.ts';
import type * as Runner from '../../../src/run/runner.ts';
import type * as WireModule from '../../../src/run/wire.ts';
import type { Load } from '../../../src/suite/load.ts';
import { NO_PROXIES } from '../../../src/targets/origins.ts';
import { renderSubmit } from '../../../src/targets/request.ts';
import { built } from '../../fixtures/built.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { serve } from '../../targets/loopback.ts';
import { caseWith, targetWith, variantOf } from '../../targets/target-fixture.ts';

/* Bodies that come faster than the disk takes them, through the built runner and its wire thread. */

const BODY_BYTES = 1.5 * 1024 * 1024;
const DISK_MS = 40;
const IN_FLIGHT = 16;
/** More than may be held at once, twice what is in flight and what waits among it. */
const REQUESTS = 80;
const MOST_WAITING_BYTES = 32 * 1024 * 1024;

const LOADS: readonly Load[] = [
  { mode: 'closed', concurrency: IN_FLIGHT, order: 'mixed', steps: null, warmup: 0, onThrottle: 'fail', shuffle: 1 },
  {
    mode: 'open',
    concurrency: IN_FLIGHT,
    order: 'sequential',
    arrivals: 'constant',
    stages: [{ ratePerSecond: 200, forMs: null }],
    warmup: 0,
    onThrottle: 'fail',
    shuffle: 1,
  },
];

it.each(LOADS)('a run under $mode load bounds what waits for a slow disk', async (load) => {
  const [{ expandPlan }, { createRecord }, { startClock }, { measure }, { startWire }]: [
    typeof Expand,
    typeof Store,
    typeof ClockModule,
    typeof Runner,
    typeof WireModule,
  ] = await Promise.all(
    ['plan/expand.js', 'record/store.js', 'run/clock.js', 'run/runner.js', 'run/wire.js'].map(built),
  ).then(([a, b, c, d, e]) => [a, b, c, d, e]);
  const body = Buffer.alloc(BODY_BYTES, 7);
  body.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const server = await serve((_seen, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(body);
  });
  const variant = variantOf(targetWith({ base_url: server.url }));
  const seeds = Array.from({ length: REQUESTS }, (_, at) => at);
  const plan = expandPlan({ variants: [variant], cases: [caseWith()], seeds, repeats: 1, load, probes: [], nonce: 0 });
  const clock = startClock();
  const wire = await startWire({
    origin: clock.origin,
    targets: { [variant.target.id]: variant.target },
    connections: IN_FLIGHT,
    proxies: NO_PROXIES,
    secrets: [],
    jitter: 1,
  });
  onTestFinished(() => wire.close());
  const folder = freshFolder();
  const record = createRecord(folder, { format: 1, id: 'run', suite: { name: 'suite' } } as Run);
  onTestFinished(() => record.close());

  // A disk that takes its time: this thread waits while it writes.
  const still = new Int32Array(new SharedArrayBuffer(4));
  const slow: Store.RecordWriter = {
    ...record,
    keepMedia: (bytes, extension) => {
      Atomics.wait(still, 0, 0, DISK_MS);
      return record.keepMedia(bytes, extension);
    },
  };
  let begun = 0;
  let ended = 0;
  let mostHeld = 0;
  await measure(
    {
      plan,
      load,
      limits: { timeoutMs: null, requests: null, usd: null, failures: 1 },
      holds: false,
      resumption: null,
      requestOf: ({ seed, requestDigest: digest }) => ({
        target: variant.target.id,
        baseUrl: server.url,
        submit: renderSubmit(variant, { case: caseWith(), seed }, { baseUrl: server.url, secrets: {}, digest }),
        timeoutMs: 60_000,
        onThrottle: 'fail',
      }),
      isPerSecond: () => false,
      costOf: () => ({ leastUsd: 0, mostUsd: 0, delivered: null }),
      serverOf: () => null,
      expectedOf: () => null,
    },
    {
      clock,
      wire,
      record: slow,
      drain: new AbortController().signal,
      observe: ({ event, ...of }) => {
        if (event === 'started') begun += 1;
        if ('sample' in of && of.sample.outcome !== 'dropped') ended += 1;
        mostHeld = Math.max(mostHeld, begun - ended);
      },
    },
  );
  expect(ended).toBe(begun);
  // What is in flight, what may wait, and the one that brought it over the bound.
  expect(mostHeld).toBeLessThanOrEqual(2 * IN_FLIGHT + Math.ceil(MOST_WAITING_BYTES / BODY_BYTES));
  if (load.mode === 'closed') expect(ended).toBe(REQUESTS);
});
