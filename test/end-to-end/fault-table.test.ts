import { lookup } from 'node:dns/promises';
import { readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import type { TlsOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/kit/json.ts';
import type { Sample } from '../../src/record/journal.ts';
import type { ClosedLoad, Load, OpenLoad } from '../../src/suite/load.ts';
import type { Variant } from '../../src/targets/target.ts';
import { type Measured, measurePlan, type RunningWire, startMeasuringWire } from '../fixtures/measured-run.ts';
import { CLOSED } from '../fixtures/plan-input.ts';
import { type ScriptedServer, type Step, serveScripts } from '../fixtures/scripted-server.ts';
import { selfSigned } from '../fixtures/self-signed.ts';
import { closedUrl } from '../targets/loopback.ts';
import { targetWith, variantOf } from '../targets/target-fixture.ts';
import { NIGHTLY } from '../test-options.ts';
import { CONNECTION_FAULTS } from './fault-table/connection-faults.ts';
import { type Fault, image, WAIT } from './fault-table/fault.ts';
import { HTTP_FAULTS } from './fault-table/http-faults.ts';
import { JOB_FAULTS } from './fault-table/job-faults.ts';
import { REPLY_FAULTS } from './fault-table/reply-faults.ts';

/*
 * Every fault of the table is met in a real run: runner, wire thread, sockets, record. One wire thread meets them all,
 * so what one leaves behind is there when the next begins.
 */

const FAULTS = [...CONNECTION_FAULTS, ...HTTP_FAULTS, ...REPLY_FAULTS, ...JOB_FAULTS];
const TRIALS = 2;
/** Descriptors that the platform may open for itself meanwhile. */
const SPARE = 2;

const CONCURRENT: ClosedLoad = { ...CLOSED, concurrency: TRIALS, warmup: 0 };
const OPEN: OpenLoad = {
  mode: 'open',
  order: 'sequential',
  concurrency: TRIALS,
  arrivals: 'constant',
  stages: [{ ratePerSecond: 20, forMs: null }],
  warmup: 0,
  onThrottle: 'wait',
  shuffle: 1,
};

const SHAPES: Readonly<Record<NonNullable<Fault['from']>, { readonly [key: string]: Json }>> = {
  body: { result: { from: 'body', expect: 'image/*' } },
  url: { result: { from: 'url', at: '$.url', expect: 'image/*' }, retry: { poll: 2 } },
  b64: { result: { from: 'b64', at: '$.image', expect: 'image/*' } },
  job: { wait: WAIT, result: { from: 'url', at: '$.url', expect: 'image/*' }, retry: { poll: 2 } },
};

const MARKS = [
  'started',
  'sent',
  'headers',
  'accepted',
  'refused',
  'running',
  'lastPending',
  'ready',
  'firstByte',
  'done',
] as const;

/** The variant of each fault, its base URL to be filled in. */
const variants = [...FAULTS, {}].map(({ from = 'body', target = {}, timeoutMs = 60_000 }: Partial<Fault>, index) =>
  variantOf(targetWith({ ...SHAPES[from], ...target, id: `test/fault-${index}` }), { timeoutMs }),
);

/** The last variant meets no fault. */
const HEALTHY = FAULTS.length;

const { cert, key } = selfSigned('localhost');
const TLS: Readonly<Record<NonNullable<Fault['tls']>, TlsOptions>> = {
  self_signed: { cert, key },
  old: { cert, key, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
};

let shared: RunningWire;
/** Sockets and files that are open while nothing goes on; null where the system does not say. */
let level: number | null;
let trap: ScriptedServer;
/** What this machine calls itself, where that leads to itself: a name that does not read as a private one. */
let ownName: string | null;

beforeAll(async () => {
  shared = await startMeasuringWire(variants, 4);
  trap = await serveScripts({ submit: [] });
  ownName = await lookup(hostname()).then(
    () => hostname(),
    () => null,
  );
  // What opens once and stays is open afterwards.
  const healthy = await serveScripts({ submit: [image()] });
  await measurePlan({ variants: [variantAt(HEALTHY, healthy.port)], load: CONCURRENT, wire: shared });
  await healthy.close();
  level = descriptors();
});
afterAll(async () => {
  await shared.wire.close();
  await trap.close();
});

function variantAt(index: number, port: number): Variant {
  const variant = variants[index];
  if (variant === undefined) throw new Error(`the table has no fault ${index}`);
  return { ...variant, baseUrl: `http://127.0.0.1:${port}` };
}

/** Replies that differ are told apart by their order: one trial then, else several at once. */
function trialsOf({ submit = [], poll = [], media = [] }: Fault): number {
  return Math.max(submit.length, poll.length, media.length) > 1 ? 1 : TRIALS;
}

/** Has a fault met by its trials; what was started for it has ended. */
async function meet(index: number, load: Load): Promise<{ run: Measured; asked: ScriptedServer['asked'] }> {
  const fault = FAULTS[index];
  if (fault === undefined) throw new Error(`the table has no fault ${index}`);
  const trapped = (steps: readonly Step[]) =>
    steps.map((step) => (typeof step === 'string' ? step.replace('TRAP', String(trap.port)) : step));
  const server = await serveScripts(
    { submit: fault.submit ?? [], poll: fault.poll, media: fault.media?.map(trapped), greeting: fault.greeting },
    fault.tls === undefined ? null : TLS[fault.tls],
  );
  const variant = { ...variantAt(index, server.port), baseUrl: await baseUrlOf(fault, server.port) };
  // A run that stops tells its wire to send nothing again.
  const wire = fault.stops === undefined ? shared : await startMeasuringWire([variant], TRIALS);
  try {
    const run = await measurePlan({
      variants: [variant],
      prompts: ['fox'],
      seeds: Array.from({ length: trialsOf(fault) }, (_, at) => at),
      repeats: 1,
      load: { ...load, onThrottle: fault.onThrottle ?? 'fail' },
      wire,
    });
    return { run, asked: server.asked };
  } finally {
    if (wire !== shared) await wire.wire.close();
    await server.close();
  }
}

async function baseUrlOf({ base = 'http' }: Fault, port: number): Promise<string> {
  if (base === 'closed') return closedUrl();
  if (base === 'no_such_host') return `http://no-such-host.invalid:${port}`;
  return `${base === 'https' ? 'https' : 'http'}://${base === 'name' ? ownName : '127.0.0.1'}:${port}`;
}

function expectSample(sample: Sample, { gives, says, http, marks, timeoutMs }: Fault): void {
  expect([sample.outcome, sample.error?.code].filter((part) => part !== undefined).join(' ')).toBe(gives);
  if (says !== undefined) expect(sample.error?.message).toMatch(says);
  if (http !== undefined) expect(sample.httpStatus).toBe(http);
  const stamped = MARKS.flatMap((mark) => {
    const atMs = sample.marks[`${mark}Ms`];
    return atMs === undefined ? [] : [{ mark, atMs }];
  });
  expect(stamped.map(({ mark }) => mark).join(' ')).toMatch(new RegExp(`^${marks.replaceAll(/ (\w+)\?/g, '( $1)?')}$`));
  for (const { atMs } of stamped) {
    expect(atMs).toBeGreaterThanOrEqual(stamped[0]?.atMs ?? Number.NaN);
    expect(atMs).toBeLessThanOrEqual(sample.endedMs);
  }
  const tookMs = sample.endedMs - (stamped[0]?.atMs ?? Number.NaN);
  if (gives.startsWith('timed_out')) expect(tookMs).toBeGreaterThanOrEqual(timeoutMs ?? Number.NaN);
  // Far from the default time limit, also where the machine has other work.
  expect(tookMs).toBeLessThan((timeoutMs ?? 0) + 40_000);
}

/** Sockets and files that this process has open; null where the system does not say. */
function descriptors(): number | null {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : null;
}

/** In the short form test/targets/transport.test.ts meets it, with a lower limit. */
const LARGEST = 'a body without end';

/** The short form meets each fault once: under open load where that can differ. */
const ROWS = FAULTS.flatMap(({ fault, open = false }, index) =>
  [...(NIGHTLY || !open ? [CONCURRENT] : []), ...(open && (NIGHTLY || fault !== LARGEST) ? [OPEN] : [])].map(
    (load) => ({
      fault,
      mode: load.mode,
      index,
      load,
    }),
  ),
);

describe('the table of faults', () => {
  it.each(ROWS)('the fault "$fault" gives one sample a trial ($mode load)', async ({ index, load }) => {
    const fault = FAULTS[index];
    if (fault === undefined) throw new Error(`the table has no fault ${index}`);
    if (fault.base === 'name' && ownName === null) return;
    const { run, asked } = await meet(index, load);
    const { stop, samples, intents, attempts } = run;
    expect(stop.reason).toBe(fault.stops ?? 'finished');
    // A run that stops itself may have begun only some.
    if (fault.stops === undefined) expect(samples).toHaveLength(trialsOf(fault));
    expect(new Set(samples.map(({ trial }) => trial.id)).size).toBe(samples.length);
    expect(samples).toHaveLength(intents.length);
    for (const sample of samples) expectSample(sample, fault);
    expectAsked(asked, fault, samples);
    const sent = samples.reduce((sum, sample) => sum + sample.attempts, 0);
    expect(sent).toBeLessThanOrEqual(intents.length + attempts.length);
    expect(trap.asked).toEqual({ submit: 0, poll: 0, media: 0 });
    if (level !== null) await expect.poll(descriptors).toBeLessThanOrEqual(level + SPARE);
  });

  it.runIf(NIGHTLY)('the faults leave memory at its level, however often the largest of them comes', async () => {
    const largest = FAULTS.findIndex(({ fault }) => fault === LARGEST);
    await meet(largest, CONCURRENT);
    const before = process.memoryUsage.rss();
    for (let times = 0; times < 3; times += 1) await meet(largest, CONCURRENT);
    // Each body is aborted after 256 MiB.
    expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024);
  });
});

function expectAsked(
  seen: ScriptedServer['asked'],
  { asked: { submit = 1, poll, media } = {} }: Fault,
  samples: readonly Sample[],
): void {
  if (submit !== null) expect(seen.submit).toBe(submit * samples.length);
  if (poll !== undefined) expect(seen.poll).toBe(poll * samples.length);
  if (media !== undefined) expect(seen.media).toBe(media * samples.length);
}
