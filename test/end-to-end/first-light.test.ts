import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beganMs } from '../../src/record/codes.ts';
import type { Sample } from '../../src/record/journal.ts';
import type { ServiceStats } from '../../src/service/jobs/request-log.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import {
  type Ended,
  filesBelow,
  type JournalEntries,
  journalOf,
  onlyRun,
  retake,
  retakeHere,
  type ServedService,
  serveHere,
} from '../fixtures/retake-process.ts';

/* A suite file to a report, in a process of its own. */

const CONCURRENCY = 4;
const SUITE = `suite: 1
name: first-light
variants:
  fast: { target: reference/text-to-image, const: { model: fast }, baseline: true }
  fast-lcm: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts:
  - { id: fox, text: A red fox running through fresh snow }
  - A lighthouse in a storm
seeds: [1, 2]
repeats: 2
load: { concurrency: ${CONCURRENCY} }
reports: [csv, html, json]
`;

describe('retake run', () => {
  let service: ServedService;
  let folder: string;
  let ended: Ended;
  let run: string;
  let stats: ServiceStats;
  let samples: JournalEntries['samples'];
  let intents: JournalEntries['intents'];

  beforeAll(async () => {
    // What was drawn once is not drawn again.
    service = await serveHere(['{ cached: {} }']);
    folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    ended = await retake(['run', 'suite.yaml'], folder, service.env);
    stats = await service.stats();
    run = onlyRun(join(folder, 'results'));
    ({ samples, intents } = journalOf(run));
  });
  afterAll(() => service.close());

  const generations = () => stats.requests.filter(({ route }) => route.includes('generations'));
  const measured = () => samples.filter(({ trial }) => trial.phase === 'trial');

  it('retake run ends well and says where the report is', () => {
    expect(ended.stderr).not.toMatch(/defect/);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain(join(run, 'report.html'));
    for (const file of ['run.json', 'samples.csv', 'measures.csv', 'analysis.json', 'report.html', 'facts.jsonl']) {
      expect(existsSync(join(run, file)), file).toBe(true);
    }
  });

  it('retake run gives every planned trial exactly one sample', () => {
    expect(measured()).toHaveLength(2 * 2 * 2 * 2);
    expect(samples).toHaveLength(2 * 2 * 2 * 2 + 2);
    expect(new Set(samples.map(({ trial }) => trial.id)).size).toBe(samples.length);
    expect(samples.map(({ outcome }) => outcome)).toEqual(samples.map(() => 'ok'));
  });

  it('retake run sends exactly as many requests as the journal has attempts', () => {
    expect(generations()).toHaveLength(intents.length);
    expect(intents).toHaveLength(samples.length);
  });

  it('retake run never has more in flight than its concurrency, by the server and by the marks', () => {
    const { mostInFlight = 0 } = stats.routes['POST /v2/image/generations'] ?? {};
    expect(mostInFlight).toBeLessThanOrEqual(CONCURRENCY);
    expect(mostInFlight).toBeGreaterThan(1);
    const edges = samples.flatMap((sample) => [
      { at: beganMs(sample), by: 1 },
      { at: sample.marks.doneMs ?? beganMs(sample), by: -1 },
    ]);
    let inFlight = 0;
    for (const { by } of edges.sort((a, b) => a.at - b.at || a.by - b.by)) {
      inFlight += by;
      expect(inFlight).toBeLessThanOrEqual(CONCURRENCY);
    }
  });

  it('retake run drains one variant before it starts the next, as the server saw it', () => {
    const byStart = generations().toSorted((a, b) => a.receivedMs - b.receivedMs);
    for (const [at, request] of byStart.entries()) {
      const next = byStart[at + 1];
      if (next === undefined || next.model === request.model) continue;
      const finished = byStart.slice(0, at + 1).map(({ finishedMs }) => finishedMs);
      expect(Math.max(...finished)).toBeLessThanOrEqual(next.receivedMs);
    }
  });

  it('retake run stores equal bytes once: a repeat with the same seed is the same image, another seed is not', () => {
    const digestOf = (sample: Sample) => ('outputs' in sample ? sample.outputs[0].sha256 : '');
    const cells = new Map<string, Set<string>>();
    for (const sample of measured()) {
      const cell = `${sample.trial.variant}/${sample.trial.prompt}/${sample.trial.seed}`;
      cells.set(cell, (cells.get(cell) ?? new Set()).add(digestOf(sample)));
    }
    const digests = [...cells.values()];
    expect(digests.every((distinct) => distinct.size === 1)).toBe(true);
    expect(new Set(digests.flatMap((distinct) => [...distinct])).size).toBe(cells.size);
    const stored = filesBelow(join(run, 'media'));
    expect(stored).toHaveLength(new Set(samples.map(digestOf)).size);
  });

  it('retake run reports again from the record, byte for byte, with the service gone', async () => {
    const files = ['samples.csv', 'measures.csv', 'analysis.json', 'report.html'].map((file) => join(run, file));
    const before = files.map((file) => readFileSync(file));
    for (const file of files) rmSync(file);
    expect((await retakeHere(['report', run], folder)).code).toBe(0);
    for (const [at, file] of files.entries()) {
      expect(readFileSync(file).equals(before[at] ?? Buffer.alloc(0)), file).toBe(true);
    }
  });

  it('retake run leaves no lock and no half-written file', () => {
    expect(existsSync(join(run, 'lock'))).toBe(false);
    expect(filesBelow(run).filter((file) => file.endsWith('.part'))).toEqual([]);
  });
});
