import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { JournalEvent } from '../../../src/record/journal.ts';
import type { ServiceStats } from '../../../src/service/jobs/request-log.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { type PaidService, servePaid, writePaidTargets } from '../../fixtures/paid-service.ts';
import { type Started, serveReference, startRetake } from '../../fixtures/retake-process.ts';

/*
 * All kinds of media, in replies, event streams and polled jobs, one request in twenty with a fault, the process killed
 * every 20 s and resumed, for as long as is asked:
 *
 *   npm run soak                                5 minutes
 *   RETAKE_SOAK_MINUTES=60 npm run soak
 *
 * At the end a table of what both sides counted.
 */

const MINUTES = Number(process.env.RETAKE_SOAK_MINUTES ?? 5);
const LIFE_MS = 20_000;

/** Together one request in twenty. */
const FAULTS = [
  '{ when: { probability: 0.01 }, error: { status: 503 } }',
  '{ when: { probability: 0.01 }, drop_connection: { at: before_headers } }',
  '{ when: { probability: 0.01 }, truncated_body: {} }',
  '{ when: { probability: 0.01 }, moderation: { answer: refuse } }',
  '{ when: { probability: 0.01 }, error: { status: 429, code: slow_down, retry_after: 1s } }',
];

/** A job whose media always break is abandoned within the life of one process: a resumed one begins its time again. */
const SUITE = `suite: 1
name: soak
variants:
  image: { target: reference/text-to-image, const: { model: fast-lcm } }
  anime: { target: reference/anime-image, const: { model: fast-lcm } }
  video: { target: reference/text-to-video, const: { model: fast-lcm }, optional: true }
  sync: { target: ./image.yaml }
  stream: { target: ./events.yaml }
  job: { target: ./jobs.yaml }
prompts: [A red fox, A lighthouse, An old oak, A harbour, A market]
inputs: { seconds: 1 }
seeds: { first: 1, count: 400 }
repeats: 1
load: { concurrency: 4, warmup: 0 }
limits: { failures: 100%, timeout: 8s }
reports: [csv]
`;

/** What a process holds, where /proc tells. */
interface Held {
  readonly rssMb: number;
  readonly files: number;
  readonly sockets: number;
}

/** One process, from its start to its end. */
interface Life {
  readonly early: Held | null;
  readonly late: Held | null;
  /** Null: it was killed. */
  readonly code: number | null;
  /** Written by it. */
  readonly samples: number;
}

function heldBy(pid: number): Held | null {
  const folder = `/proc/${pid}`;
  if (!existsSync(folder)) return null;
  try {
    const status = readFileSync(join(folder, 'status'), 'utf8');
    const handles = readdirSync(join(folder, 'fd')).map((handle) => readlinkSync(join(folder, 'fd', handle)));
    const sockets = handles.filter((target) => target.startsWith('socket:')).length;
    const rssMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    return { rssMb, files: handles.length - sockets, sockets };
  } catch {
    return null; // it has just ended
  }
}

it('a soak: every submit at the service is in the journal, every trial has one sample, and what a process holds stays level', async () => {
  const service = await serveReference(FAULTS);
  const paid = await servePaid(Math.random, undefined, 0.05);
  const folder = freshFolder();
  writePaidTargets(folder, paid.url);
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  const results = join(folder, 'results', 'soak');
  const runIn = () => readdirSync(results).find((name) => existsSync(join(results, name, 'run.json')));
  const begin = (): Started => {
    const run = existsSync(results) ? runIn() : undefined;
    const resume = run === undefined ? [] : ['--resume', join(results, run)];
    return startRetake(['run', 'suite.yaml', '--quiet', ...resume], folder, service.env);
  };
  const untilMs = performance.now() + MINUTES * 60_000;
  const lives: Life[] = [];
  const samplesNow = () => {
    const run = existsSync(results) ? runIn() : undefined;
    return run === undefined ? 0 : eventsOf(join(results, run)).filter(({ event }) => event === 'sample').length;
  };
  try {
    while (performance.now() < untilMs) {
      const before = samplesNow();
      const process = begin();
      const ended = process.ended.then(({ code }) => code);
      await Promise.race([ended, sleep(LIFE_MS / 4)]);
      const early = heldBy(process.pid);
      await Promise.race([ended, sleep(Math.min((3 / 4) * LIFE_MS, Math.max(0, untilMs - performance.now())))]);
      const late = heldBy(process.pid);
      process.kill('SIGKILL');
      const code = await ended;
      lives.push({ early, late, code, samples: samplesNow() - before });
      // All is measured: it has ended by itself.
      if (code === 0 || code === 3) break;
    }
    const run = runIn();
    if (run === undefined) throw new Error('no run was begun');
    // The last process ends by itself: the first interrupt lets what is in flight end. It comes once the process has
    // taken up the run.
    const before = samplesNow();
    const last = begin();
    for (let waits = 0; waits < 60 && samplesNow() === before; waits += 1) await sleep(1000);
    last.kill('SIGINT');
    const { code } = await last.ended;
    expect([0, 3]).toContain(code);
    const counts = countsOf(join(results, run), await service.stats(), paid);
    console.table(counts);
    console.table(
      lives.map(({ early, late, samples }, at) => ({
        process: at + 1,
        samples,
        ...named('early', early),
        ...named('late', late),
      })),
    );
    // A machine with other work may let a process do no more than begin.
    expect(lives.filter(({ samples }) => samples === 0).length).toBeLessThanOrEqual(lives.length / 4);
    expect(counts.samplesMissing).toBe(0);
    expect(counts.submittedTwice).toBe(0);
    expect(counts.submitsJournalled).toBeGreaterThanOrEqual(counts.submitsAtService);
    // More is journalled only where a process died between the two.
    expect(counts.submitsJournalled - counts.submitsAtService).toBeLessThanOrEqual(4 * lives.length);
    expect(counts.trialsWithTwoIntents).toBe(0);
    expect(counts.trialsWithTwoSamples).toBe(0);
    for (const { early, late } of lives) {
      if (early !== null && late !== null) expect(late.rssMb).toBeLessThan(early.rssMb + 150);
      if (early !== null && late !== null) expect(late.files).toBeLessThan(early.files + 10);
      if (early !== null && late !== null) expect(late.sockets).toBeLessThan(early.sockets + 20);
    }
  } finally {
    await service.close();
    await paid.close();
  }
});

function named(when: string, held: Held | null): Readonly<Record<string, number | null>> {
  return {
    [`${when} MB`]: held === null ? null : Math.round(held.rssMb),
    [`${when} files`]: held?.files ?? null,
    [`${when} sockets`]: held?.sockets ?? null,
  };
}

/** The journal of a run whose process has ended; the last line may have been cut by its kill. */
function eventsOf(run: string): readonly JournalEvent[] {
  const text = readFileSync(join(run, 'journal.jsonl'), 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function countsOf(run: string, { routes }: ServiceStats, { submits: paid }: Pick<PaidService, 'submits'>) {
  const events = eventsOf(run);
  const of = (kind: JournalEvent['event']) => events.filter(({ event }) => event === kind).length;
  const intents = events.flatMap((event) => (event.event === 'intent' ? [event.trial.id] : []));
  const samples = events.flatMap((event) => (event.event === 'sample' ? [event.sample] : []));
  const outcomes: Record<string, number> = {};
  for (const { outcome } of samples) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  // A cancel of a job is a POST too; it orders nothing.
  const routed = Object.entries(routes).filter(([route]) => route.startsWith('POST ') && !route.endsWith('/cancel'));
  const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
  return {
    processes: events.filter((event) => event.event === 'segment' && event.state === 'started').length,
    submitsJournalled: intents.length + of('attempt'),
    submitsAtService: sum(routed.map(([, { started }]) => started)) + sum(paid.values()),
    submittedTwice: [...paid.values()].filter((times) => times > 1).length,
    jobsAccepted: of('accepted'),
    samples: samples.length,
    samplesMissing: new Set(intents).size - new Set(samples.map(({ trial }) => trial.id)).size,
    trialsWithTwoIntents: intents.length - new Set(intents).size,
    trialsWithTwoSamples: samples.length - new Set(samples.map(({ trial }) => trial.id)).size,
    ...outcomes,
  };
}
