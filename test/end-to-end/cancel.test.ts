import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { JournalEvent } from '../../src/record/journal.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { NO_NODE_AV } from '../fixtures/no-node-av.ts';
import {
  journalOf,
  onlyRun,
  retakeHere,
  type ServedService,
  serveHere,
  startHere,
} from '../fixtures/retake-process.ts';

/* Jobs that a run abandons end at the service. It has one worker. */

const suite = (timeout: string) => `suite: 1
name: abandoned
variants:
  video: { target: reference/text-to-video, const: { model: fast-lcm } }
inputs: { seconds: 1, size: "4:3" }
prompts: [A red fox in the snow]
seeds: { first: 1, count: 4 }
repeats: 1
load: { warmup: 0, concurrency: 2 }
limits: { timeout: ${timeout} }
reports: [json]
`;

const PRESETS = fileURLToPath(new URL('../../suites/targets', import.meta.url));

/** Twice: ten thousand times as slow. */
const SLOW = '{ slow_worker: { factor: 100 }, when: { first: 1 } }';

let service: ServedService;

afterEach(() => service.close());

async function prepare(rules: readonly string[], timeout: string): Promise<string> {
  service = await serveHere(rules, 1);
  const folder = freshFolder();
  writeFileSync(join(folder, 'suite.yaml'), suite(timeout));
  return folder;
}

function eventsOf(run: string): JournalEvent[] {
  const lines = readFileSync(join(run, 'journal.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

function cancelsOf(run: string) {
  return eventsOf(run).flatMap((event) => (event.event === 'cancel' ? [event] : []));
}

function orphansOf(run: string): number | null {
  const analysis: Analysis = JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
  return analysis.run.orphans;
}

describe.skipIf(NO_NODE_AV)('a run that gives jobs up', () => {
  it('abandoned jobs end at the service at their time limit: no orphan is left, and the next does not wait for them', async () => {
    // The first would occupy the worker for hours; the second waits behind it.
    const folder = await prepare([SLOW, SLOW], '8s');
    const ended = await retakeHere(['run', 'suite.yaml'], folder, service.env);
    const run = onlyRun(join(folder, 'results'));
    const { samples } = journalOf(run);
    expect(samples.map(({ outcome }) => outcome)).toEqual(['timed_out', 'timed_out', 'ok', 'ok']);
    expect(samples.flatMap(({ flags }) => flags)).not.toContain('orphans');
    const given = samples.filter(({ outcome }) => outcome === 'timed_out').map(({ trial }) => trial.id);
    const cancels = cancelsOf(run);
    expect(cancels.map(({ trial }) => trial).toSorted()).toEqual(given.toSorted());
    for (const cancel of cancels) expect(cancel).toMatchObject({ cancelled: true, httpStatus: 200, code: null });
    expect(orphansOf(run)).toBe(0);
    expect(ended.stdout).not.toContain('may still have run at the service');
    const { generations, jobs, routes } = await service.stats();
    expect(generations).toEqual({ sampled: 2, cancelled: 2, evaluations: 8 });
    expect(jobs.map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'finished', 'finished']);
    expect(routes['POST /v2/assets/:id/cancel']).toMatchObject({ started: 2, statuses: { 200: 2 } });
  });

  it('abandoned jobs without wait.cancel are reported as possibly running, with what would end them', async () => {
    const folder = await prepare(['{ job_never_ends: {} }'], '1s');
    const preset = readFileSync(join(PRESETS, 'reference/text-to-video.yaml'), 'utf8');
    const without = preset.replace(/^ {2}cancel: .*\n/m, '').replace(/^id: .*$/m, 'id: own/videos');
    writeFileSync(join(folder, 'own.yaml'), without);
    writeFileSync(join(folder, 'suite.yaml'), suite('1s').replace('reference/text-to-video', './own.yaml'));
    await retakeHere(['run', 'suite.yaml'], folder, service.env);
    const run = onlyRun(join(folder, 'results'));
    expect(cancelsOf(run)).toEqual([]);
    expect(orphansOf(run)).toBe(4);
    // The terminal shows fewer warnings where this machine has too much to do.
    await retakeHere(['report', run, '--format', 'html'], folder);
    expect(readFileSync(join(run, 'report.html'), 'utf8')).toContain(
      'declare it in wait.cancel of the target of video',
    );
    expect((await service.stats()).jobs.map(({ state }) => state)).toEqual(Array(4).fill('processing'));
  });

  it('a run that is aborted by Ctrl-C twice cancels the jobs in flight before it ends', async () => {
    const folder = await prepare(['{ job_never_ends: {} }'], '5m');
    const started = startHere(['run', 'suite.yaml'], folder, service.env);
    const asked = async () => (await service.stats()).jobs.filter(({ polls }) => polls > 0).length;
    while ((await asked()) !== 2) await new Promise((resolve) => setTimeout(resolve, 50));
    started.kill('SIGINT');
    await started.saysOnError('stopping: waits for 2 in flight; press Ctrl-C again to abort them');
    started.kill('SIGINT');
    const ended = await started.ended;
    expect(ended.code).toBe(3);
    const run = onlyRun(join(folder, 'results'));
    expect(journalOf(run).samples.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
    expect(cancelsOf(run)).toMatchObject([{ cancelled: true }, { cancelled: true }]);
    expect(orphansOf(run)).toBe(0);
    expect(ended.stdout).not.toContain('may still have run at the service');
    const { generations, jobs } = await service.stats();
    expect(generations.cancelled).toBe(2);
    expect(jobs.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
  });
});
