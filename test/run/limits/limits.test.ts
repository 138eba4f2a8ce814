import { closeSync, constants, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import type { Outcome } from '../../../src/record/codes.ts';
import { mayGoOn, type OrphanCall } from '../../../src/record/trial-histories.ts';
import { createOrphanWatch, createStopping } from '../../../src/run/limits/abandoned-variants.ts';
import { allowed, limitAfterRefusal, limitAfterTaken, type StartLimit } from '../../../src/run/limits/starts.ts';
import { createFailureLimit } from '../../../src/run/limits.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { type Measured, measurePlan } from '../../fixtures/measured-run.ts';
import { CLOSED } from '../../fixtures/plan-input.ts';
import { mountSmallDisk } from '../../fixtures/small-disk.ts';
import { serve } from '../../targets/loopback.ts';
import { targetWith, variantOf } from '../../targets/target-fixture.ts';

/** After how many of these samples the limit stops the run; null: never. */
function stopsAfter(outcomes: readonly Outcome[], limit: number): number | null {
  const failures = createFailureLimit(limit);
  const at = outcomes.findIndex((outcome) => failures.count(outcome) !== null);
  return at < 0 ? null : at + 1;
}

const all = (outcome: Outcome, n: number): Outcome[] => Array.from({ length: n }, () => outcome);
const everySecond = (n: number): Outcome[] => Array.from({ length: n }, (_, at) => (at % 2 === 0 ? 'error' : 'ok'));

describe('the failure limit', () => {
  it.each([
    // Nothing is said before 20 samples, however bad they are.
    { what: 'only failures', outcomes: all('error', 30), limit: 0.5, stops: 20 },
    { what: 'only failures, few of them', outcomes: all('error', 19), limit: 0.5, stops: null },
    // The service did its work: it refused the prompt.
    { what: 'moderated', outcomes: all('moderated', 100), limit: 0, stops: null },
    { what: 'all well, none allowed', outcomes: all('ok', 100), limit: 0, stops: null },
    // Half failing is not significantly above a half, however long it goes on.
    { what: 'half failing at a limit of a half', outcomes: everySecond(400), limit: 0.5, stops: null },
    { what: 'what stayed throttled counts', outcomes: all('throttled', 30), limit: 0.5, stops: 20 },
    { what: 'aborted by the user', outcomes: all('cancelled', 100), limit: 0.1, stops: null },
    { what: 'a limit of everything', outcomes: all('error', 100), limit: 1, stops: null },
  ])('the failure limit: $what', ({ outcomes, limit, stops }) => {
    expect(stopsAfter(outcomes, limit)).toBe(stops);
  });

  it('the failure limit stops sooner the further above the limit, and gives how far', () => {
    const atHalf = stopsAfter(everySecond(400), 0.2);
    const atAll = stopsAfter(all('error', 400), 0.2);
    expect(atHalf).toBeGreaterThan(atAll ?? 0);
    const failures = createFailureLimit(0.25);
    const exceeded = all('error', 20)
      .map((outcome) => failures.count(outcome))
      .at(-1);
    expect(exceeded).toEqual({ failed: 20, samples: 20, limit: 0.25 });
  });
});

const TIMEOUT = 1000;

/** A call that was sent at once and ended then. */
function call(outcome: OrphanCall['outcome'], startedMs: number, endedMs: number): OrphanCall {
  return { outcome, marks: { startedMs, sentMs: startedMs + 1 }, endedMs, timeoutMs: TIMEOUT };
}

describe('whether the service may be at work on a call that was abandoned', () => {
  const at = { startedMs: 0, sentMs: 1 };
  it.each([
    { what: 'sent, no answer', outcome: 'timed_out', marks: at, goesOn: true },
    { what: 'the head of a reply came, no end', outcome: 'timed_out', marks: { ...at, headersMs: 5 }, goesOn: true },
    {
      what: 'a job that is polled',
      outcome: 'timed_out',
      marks: { ...at, headersMs: 5, acceptedMs: 6, lastPendingMs: 900 },
      goesOn: true,
    },
    { what: 'aborted by the user', outcome: 'cancelled', marks: at, goesOn: true },
    { what: 'never connected', outcome: 'timed_out', marks: { startedMs: 0 }, goesOn: false },
    { what: 'aborted before it was sent', outcome: 'cancelled', marks: { startedMs: 0 }, goesOn: false },
    // Refused as throttled, and the wait for the next attempt outlasted the limit.
    { what: 'refused', outcome: 'timed_out', marks: { ...at, headersMs: 5, acceptedMs: 6 }, goesOn: false },
    {
      what: 'done, and only its download took too long',
      outcome: 'timed_out',
      marks: { ...at, acceptedMs: 6, lastPendingMs: 500, readyMs: 600 },
      goesOn: false,
    },
    { what: 'answered with an error', outcome: 'error', marks: at, goesOn: false },
    { what: 'delivered', outcome: 'ok', marks: at, goesOn: false },
  ] as const)('a request $what may go on at the service: $goesOn', ({ outcome, marks, goesOn }) => {
    expect(mayGoOn({ outcome, marks })).toBe(goesOn);
  });
});

describe('orphans', () => {
  it('orphans are beside what was in flight while they may have run: as long again as their limit', () => {
    const watch = createOrphanWatch();
    expect(watch.ended(call('ok', 0, 900))).toBe(false);
    // Its own orphan is not beside it.
    expect(watch.ended(call('timed_out', 0, 1000))).toBe(false);
    // In flight when it was abandoned, then begun beside it, then begun when it no longer counts.
    expect(watch.ended(call('ok', 950, 1100))).toBe(true);
    expect(watch.ended(call('ok', 1999, 2100))).toBe(true);
    expect(watch.ended(call('ok', 2000, 2200))).toBe(false);
    expect(watch.count()).toBe(1);
  });

  it('orphans are each counted, and a later one lasts longer', () => {
    const watch = createOrphanWatch();
    watch.ended(call('timed_out', 0, 1000));
    expect(watch.ended(call('timed_out', 500, 1500))).toBe(true);
    expect(watch.ended(call('ok', 2400, 2600))).toBe(true);
    expect(watch.ended(call('ok', 2500, 2700))).toBe(false);
    expect(watch.count()).toBe(2);
  });

  it('orphans do not end a longer one early', () => {
    const watch = createOrphanWatch();
    watch.ended({ ...call('timed_out', 0, 9000), timeoutMs: 9000 });
    watch.ended(call('timed_out', 8500, 9500));
    expect(watch.ended(call('ok', 17_000, 17_100))).toBe(true);
  });
});

/** What happens, at milliseconds 0, 1, 2, ...: `x` a refusal, `o` a call that was taken; both were sent just before. */
function after(events: string, declared: number): StartLimit {
  return [...events].reduce<StartLimit>((limit, event, atMs) => {
    const sentMs = atMs - 0.5;
    return event === 'x'
      ? limitAfterRefusal(limit, { declared, sentMs, atMs })
      : limitAfterTaken(limit, { declared, sentMs });
  }, null);
}

test.each([
  { events: '', declared: 8, inFlight: 8 },
  { events: 'oooo', declared: 8, inFlight: 8 },
  { events: 'x', declared: 8, inFlight: 4 },
  { events: 'x', declared: 7, inFlight: 3 },
  { events: 'xx', declared: 8, inFlight: 2 },
  { events: 'xxxxxx', declared: 8, inFlight: 1 },
  { events: 'x', declared: 1, inFlight: 1 },
  // One more once as many were taken as are allowed.
  { events: 'xxxo', declared: 8, inFlight: 2 },
  { events: 'xxxooo', declared: 8, inFlight: 3 },
  { events: 'xxxooooo', declared: 8, inFlight: 3 },
  { events: 'xxxoooooo', declared: 8, inFlight: 4 },
  { events: `xxx${'o'.repeat(1 + 2 + 3 + 4 + 5 + 6 + 7)}`, declared: 8, inFlight: 8 },
  // Refused again on the way up: half of that.
  { events: 'xxxoooooox', declared: 8, inFlight: 2 },
  { events: 'xo', declared: 2, inFlight: 2 },
])('the limit of starts after "$events" of $declared declared is $inFlight', ({ events, declared, inFlight }) => {
  expect(allowed(after(events, declared), declared)).toBe(inFlight);
});

test('the limit of starts is lowered once by refusals that were sent together', () => {
  const together = [10, 11, 12, 13].reduce<StartLimit>(
    (limit, atMs) => limitAfterRefusal(limit, { declared: 8, sentMs: 5, atMs }),
    null,
  );
  expect(allowed(together, 8)).toBe(4);
  expect(allowed(limitAfterRefusal(together, { declared: 8, sentMs: 20, atMs: 21 }), 8)).toBe(2);
});

test('the limit of starts is not raised by calls that were sent before it was lowered', () => {
  const lowered = limitAfterRefusal(null, { declared: 2, sentMs: 5, atMs: 10 });
  expect(allowed(limitAfterTaken(lowered, { declared: 2, sentMs: 6 }), 2)).toBe(1);
  expect(limitAfterTaken(lowered, { declared: 2, sentMs: 11 })).toBeNull();
});

test('the limit of starts is gone once it reaches what is declared, and never above that of a smaller step', () => {
  expect(after('xo', 2)).toBeNull();
  expect(allowed(after('x', 16), 4)).toBe(4);
});

const FULL = '/dev/full';

// A file that stands in its place, as one that a program left there, is never full.
it.skipIf(statSync(FULL, { throwIfNoEntry: false })?.isCharacterDevice() !== true)(
  'a stop for a full disk names no path where the system names none',
  () => {
    const file = openSync(FULL, constants.O_WRONLY);
    onTestFinished(() => closeSync(file));
    const { fault, why } = createStopping(() => {});
    try {
      writeSync(file, 'a line');
    } catch (error) {
      fault(error as Error);
    }
    expect(why()).toEqual({ reason: 'disk', path: null, code: 'ENOSPC' });
  },
);

/* A disk that takes no more, and a folder that is gone, through the built runner. */

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const TRIALS = 200;

/** @param bytes of each output, every one another */
async function measureInto(
  results: string,
  bytes: number,
  onRequest: (count: number) => void = () => {},
): Promise<Measured & { readonly asked: number }> {
  const server = await serve((_seen, response, count) => {
    onRequest(count);
    const body = Buffer.alloc(bytes, count);
    PNG.copy(body);
    body.writeUInt32LE(count, PNG.byteLength);
    response.writeHead(200, { 'content-type': 'image/png' }).end(body);
  });
  const measured = await measurePlan({
    variants: [variantOf(targetWith({ base_url: server.url }))],
    prompts: ['fox'],
    seeds: Array.from({ length: TRIALS }, (_, at) => at),
    repeats: 1,
    load: { ...CLOSED, concurrency: 4, warmup: 0 },
    results,
  });
  return { ...measured, asked: server.seen.length };
}

describe('a run whose disk is full', () => {
  it('a run whose disk is full stops at once with every request in the journal, and is closed', async ({ skip }) => {
    const disk = mountSmallDisk('size=1m');
    if (disk === null) return skip('no file system can be mounted here');
    const { stop, folder, intents, samples, asked } = await measureInto(disk.folder, 50_000);
    expect(stop).toMatchObject({ reason: 'disk', code: 'ENOSPC' });
    expect(asked).toBeLessThan(30);
    expect(intents).toHaveLength(asked);
    expect(samples).toHaveLength(asked);
    const unkept = samples.filter(({ outcome }) => outcome !== 'ok');
    expect(unkept.length).toBeGreaterThan(0);
    for (const { outcome, error } of unkept) expect([outcome, error?.code]).toEqual(['cancelled', 'not_kept']);
    for (const sample of samples) {
      if (sample.outcome !== 'ok') continue;
      const { sha256 } = sample.outputs[0];
      expect(statSync(join(folder, 'media', sha256.slice(0, 2), `${sha256}.png`)).size).toBe(50_000);
    }
    const last = readFileSync(join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n').at(-1);
    expect(JSON.parse(last ?? '')).toMatchObject({ event: 'segment', state: 'ended', stop: { reason: 'disk' } });
  });
});

describe('a run whose folder', () => {
  it.each([
    ['is deleted', (folder: string) => rmSync(folder, { recursive: true, force: true })],
    ['is moved away', (folder: string) => renameSync(folder, `${folder}-moved`)],
  ] as const)('%s stops at the next append', async (_how, remove) => {
    const results = freshFolder();
    let asked = 0;
    const server = measureInto(results, 50_000, (count) => {
      asked = count;
      if (count === 10) remove(join(results, 'suite', 'run'));
    });
    const { stop } = await server;
    expect(stop).toMatchObject({ reason: 'disk', code: 'ENOENT' });
    expect(asked).toBeLessThan(30);
  });
});
