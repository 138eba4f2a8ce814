import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../../src/record/model/sample.ts';
import type { LoggedRequest, ServiceStats } from '../../src/service/jobs/request-log.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type JournalEntries, journalOf, onlyRun, retake, serveReference } from '../fixtures/retake-process.ts';

/* Open load against the service's own account. Times are compared with the schedule or with the server's stamps. */

const ROUTE = 'POST /v2/image/generations';

interface Result extends JournalEntries {
  readonly code: number | null;
  readonly stats: ServiceStats;
  /** What the service was sent, by seed: every trial has one of its own. */
  readonly received: ReadonlyMap<number, LoggedRequest>;
}

async function runAgainst(rule: string, load: string, more = ''): Promise<Result> {
  const service = await serveReference([rule]);
  try {
    const folder = freshFolder();
    const suite = `suite: 1
name: open
variants:
  fast-lcm: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts: [A red fox]
seeds: { first: 1, count: 1000 }
repeats: 1
load: ${load}
reports: [csv]
${more}`;
    writeFileSync(join(folder, 'suite.yaml'), suite);
    const { code } = await retake(['run', 'suite.yaml'], folder, service.env);
    const stats = await service.stats();
    const generations = stats.requests.filter(({ route }) => route === ROUTE);
    const received = new Map(generations.map((request) => [request.seed ?? -1, request]));
    expect(received.size).toBe(generations.length); // no seed came twice
    return { code, ...journalOf(onlyRun(join(folder, 'results'))), stats, received };
  } finally {
    await service.close();
  }
}

function responseMs({ marks: { scheduledMs, doneMs } }: Sample): number {
  return (doneMs ?? Number.NaN) - (scheduledMs ?? Number.NaN);
}

describe('open load', () => {
  it('open load counts latency from the schedule: a stall of the service shows in all that was due in it', async () => {
    const [fromMs, untilMs] = [2000, 6000];
    const { code, intents, samples, received } = await runAgainst(
      '{ stall: { at: 2s, for: 4s } }',
      '{ mode: open, rate: 5/s, arrivals: constant, duration: 6s, warmup: 0 }',
    );
    expect(code).toBe(0);
    expect(intents).toHaveLength(30);
    expect(samples.map(({ outcome }) => outcome)).toEqual(intents.map(() => 'ok'));
    expect(received.size).toBe(30); // exactly one submit for each intent

    // Evenly spaced, and none begun before its time.
    const dueMs = samples.map(({ marks }) => marks.scheduledMs ?? Number.NaN).sort((a, b) => a - b);
    for (const [at, due] of dueMs.entries()) expect(due - (dueMs[0] ?? 0)).toBeCloseTo(at * 200, 6);
    for (const { marks } of samples) expect(marks.startedMs).toBeGreaterThanOrEqual(marks.scheduledMs ?? Infinity);

    const pairs = samples.map((sample) => ({ sample, request: received.get(sample.trial.seed ?? -1) }));
    // The server's clock is at most this far ahead of ours: nothing is received before it is started.
    const aheadMs = Math.min(
      ...pairs.map(({ sample, request }) => (request?.receivedMs ?? Infinity) - (sample.marks.startedMs ?? 0)),
    );
    const stalled = pairs.filter(
      ({ request }) => request !== undefined && request.receivedMs >= fromMs && request.receivedMs < untilMs,
    );
    expect(stalled.length).toBeGreaterThan(0);
    for (const { sample } of stalled) {
      expect(responseMs(sample)).toBeGreaterThanOrEqual(untilMs - ((sample.marks.scheduledMs ?? Infinity) + aheadMs));
    }
  });

  it('open load drops what finds no place: never sent, no intent, and never more in flight than the ceiling', async () => {
    const { code, intents, samples, received, stats } = await runAgainst(
      '{ latency: { constant: 1500ms } }',
      '{ mode: open, stages: [{ rate: 5/s, for: 2s }, { rate: 20/s, for: 1s }], concurrency: 2, warmup: 1, shuffle: 3 }',
    );
    expect(code).toBe(0);
    const dropped = samples.filter(({ outcome }) => outcome === 'dropped');
    const sent = samples.filter(({ outcome }) => outcome !== 'dropped');
    expect(dropped.length).toBeGreaterThan(0);
    for (const { marks, attempts } of dropped) {
      expect(Object.keys(marks)).toEqual(['scheduledMs']);
      expect(attempts).toBe(0);
    }
    expect(sent.map(({ trial }) => trial.id).sort()).toEqual(intents.map(({ trial }) => trial.id).sort());
    expect([...received.keys()].sort()).toEqual(sent.map(({ trial }) => trial.seed).sort());
    for (const { trial } of dropped) expect(received.has(trial.seed ?? -1)).toBe(false);
    expect(stats.routes[ROUTE]?.mostInFlight).toBeLessThanOrEqual(2);
    // The schedule goes on whatever is dropped.
    expect(new Set(samples.map(({ trial }) => trial.id)).size).toBe(samples.length);
  });

  it('limits.requests holds under open load: what was handed over goes out, and nothing after it', async () => {
    const { code, intents, samples, received } = await runAgainst(
      '{ latency: { constant: 1ms } }',
      '{ mode: open, rate: 40/s, duration: 2s, warmup: 0 }',
      'limits: { requests: 7 }\n',
    );
    expect(code).toBe(3);
    expect(intents).toHaveLength(7);
    expect(samples.filter(({ outcome }) => outcome === 'ok')).toHaveLength(7);
    expect(received.size).toBe(7);
  });

  it('a wait for a throttling service holds its place in flight', async () => {
    const { samples, intents, attempts, stats } = await runAgainst(
      '{ rate_limit: { requests: 1, per: 6s } }',
      '{ mode: open, rate: 5/s, arrivals: constant, duration: 4s, concurrency: 1, warmup: 0 }',
    );
    // The first is served, however slowly; the next is refused and waits, so those due meanwhile find no place.
    expect(samples).toHaveLength(20);
    expect(stats.routes[ROUTE]?.started).toBe(intents.length + attempts.length);
    expect(attempts.length).toBeGreaterThan(0);
    expect(samples.some(({ outcome }) => outcome === 'dropped')).toBe(true);
  });
});

describe('open load in shards', () => {
  it('the shards send the schedule of the suite between them, each call at its time, and the merged run has every one', async () => {
    const service = await serveReference();
    const folder = freshFolder();
    const suite = `suite: 1
name: open
variants: { fast-lcm: { target: reference/text-to-image, const: { model: fast-lcm } } }
prompts: [A red fox]
seeds: { first: 1, count: 18 }
repeats: 1
load: { mode: open, rate: 6/s, arrivals: poisson, concurrency: 9, warmup: 0 }
reports: [csv, json]
`;
    writeFileSync(join(folder, 'suite.yaml'), suite);
    const planned = await retake(['plan', 'suite.yaml', '--json'], folder);
    const schedule = planned.stdout
      .trim()
      .split('\n')
      // After the trials come sources and the cost.
      .filter((line) => line.startsWith('{"slice"'))
      .map((line): { readonly id: string; readonly dueMs: number } => JSON.parse(line));
    const shards = [1, 2, 3];
    const args = (index: number) => ['run', 'suite.yaml', '--shard', `${index}/3`, '--run', 'r', '--quiet'];
    const ended = await Promise.all(shards.map((index) => retake(args(index), folder, service.env)));
    await service.close();
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    const folders = shards.map((index) => join(folder, 'results', 'open', `r-${index}of3`));
    const sent = folders.map((shard) => journalOf(shard).samples);
    for (const [at, samples] of sent.entries()) {
      const own = schedule.filter((_, i) => i % 3 === at);
      expect(samples.map(({ trial }) => trial.id).toSorted()).toEqual(own.map(({ id }) => id).toSorted());
      const due = new Map(samples.map(({ trial, marks }) => [trial.id, marks.scheduledMs ?? Number.NaN]));
      const [first] = own;
      const gaps = own.map(
        ({ id, dueMs }) => (due.get(id) ?? 0) - (due.get(first?.id ?? '') ?? 0) - (dueMs - (first?.dueMs ?? 0)),
      );
      for (const gap of gaps) expect(gap).toBeCloseTo(0, 6);
    }
    const merged = await retake(['merge', ...folders], folder);
    expect(merged.code).toBe(0);
    expect(journalOf(join(folder, 'results', 'open', 'r')).samples).toHaveLength(schedule.length);
  });
});
