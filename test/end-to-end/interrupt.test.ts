import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import {
  filesBelow,
  journalOf,
  onlyRun,
  retakeHere,
  serveHere,
  startHere,
  startRetake,
} from '../fixtures/retake-process.ts';

/* A run that is interrupted loses nothing of what it had measured. */

const SUITE = `suite: 1
name: interrupted
variants:
  fast: { target: reference/text-to-image, const: { model: fast } }
prompts: [A red fox, A lighthouse]
seeds: { first: 1, count: 200 }
repeats: 1
load: { warmup: 0 }
reports: [json, html]
`;

/** Starts a long run and waits until its journal holds a few samples. */
async function startLongRun<Process>(
  folder: string,
  start: (args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) => Process,
  env: Readonly<Record<string, string>> = {},
): Promise<{ started: Process; run: string }> {
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  const started = start(['run', 'suite.yaml', '--json'], folder, env);
  // Only here: the folders of the calibration, beside it, go away while one looks.
  const results = join(folder, 'results');
  const journal = () =>
    existsSync(results) ? filesBelow(results).find((file) => file.endsWith('journal.jsonl')) : undefined;
  for (let looks = 0; looks < 600; looks += 1) {
    const path = journal();
    const lines = path === undefined ? [] : readFileSync(path, 'utf8').split('\n');
    if (lines.filter((line) => line.startsWith('{"event":"sample"')).length >= 3) {
      return { started, run: onlyRun(results) };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the run did not get going');
}

/** Process ids of a process's children, where /proc tells. */
function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(path)) return [];
  const children = readFileSync(path, 'utf8')
    .split(' ')
    .filter((text) => text !== '')
    .map(Number);
  expect(children.length).toBeGreaterThan(0);
  return children;
}

/** Resolves when a process has ended; the test's time limit is the limit. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('an interrupt', () => {
  it('an interrupt lets those in flight end, writes the reports and ends with 3', async () => {
    const { env, close } = await serveHere();
    onTestFinished(close);
    const folder = freshFolder();
    const { started, run } = await startLongRun(folder, startHere, env);
    started.kill('SIGINT');
    const ended = await started.ended;
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/incomplete: interrupted/);
    const lines = ended.stdout.trim().split('\n');
    const progress = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'progress');
    expect(progress.at(-1)).toMatchObject({ planned: 400, inFlight: 0, failed: 0, leftMs: null, stopping: true });
    const { intents, samples } = journalOf(run);
    expect(progress.at(-1).done).toBe(samples.length);
    expect(samples).toHaveLength(intents.length);
    expect(samples.every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(samples.length).toBeLessThan(400);
    const analysis: Analysis = JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
    expect(analysis.run).toMatchObject({ complete: false, stop: { reason: 'interrupted' } });
    expect(analysis.variants[0]?.missing).toBe(400 - samples.length);
    expect(existsSync(join(run, 'report.html'))).toBe(true);
  });

  it('an interrupt while the machine is calibrated ends the run before its first request, with reports and one line in place of an empty table', async () => {
    const { env, close } = await serveHere();
    onTestFinished(close);
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const repeated = ['--set', 'prompts=[A red fox, { id: again, text: A red fox }]'];
    const started = startRetake(['run', 'suite.yaml', ...repeated], folder, env);
    // The last that is said before.
    await started.saysOnError('the prompt "again" is the same');
    started.kill('SIGINT');
    const ended = await started.ended;
    expect(ended.code).toBe(3);
    expect(ended.stdout).toBe('Nothing was measured: no request was sent.\n');
    expect(ended.stderr).toMatch(/incomplete: interrupted; resume the run/);
    expect(ended.stderr).toMatch(/^to resume this run: retake run --resume \S+ --set 'prompts=.+'$/m);
    expect(ended.stderr).not.toMatch(/calibrated in|defect/);
    const run = onlyRun(join(folder, 'results'));
    expect(JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')).calibration).toBeNull();
    expect(journalOf(run).intents).toEqual([]);
    expect(existsSync(join(run, 'report.html'))).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['results', 'suite.yaml']);
  });

  it('a killed run reports what was journalled, and the service of the run ends', async () => {
    const folder = freshFolder();
    const { started, run } = await startLongRun(folder, startRetake);
    const children = childrenOf(started.pid);
    started.kill('SIGKILL');
    await started.ended;
    for (const child of children) await gone(child);
    const { intents, samples } = journalOf(run);
    expect(intents.length - samples.length).toBeLessThanOrEqual(1);
    const again = await retakeHere(['report', run], folder);
    expect(again.stderr).toBe('');
    expect(again.code).toBe(0);
    const analysis: Analysis = JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
    expect(analysis.run).toMatchObject({ complete: false, stop: null });
  });

  it('a third interrupt ends the process at once, and says how to go on', async () => {
    const service = await serveHere(['{ latency: { constant: 1m } }']);
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const started = startRetake(['run', 'suite.yaml'], folder, service.env);
    while ((await service.stats()).routes['POST /v2/image/generations']?.inFlight !== 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // Signals of one kind that come together are one.
    const again = setInterval(() => started.kill('SIGINT'), 30);
    const ended = await started.ended;
    clearInterval(again);
    await service.close();
    expect(ended.code).toBe(3);
    const run = /^to resume this run: retake run --resume (\S+)$/m.exec(ended.stderr)?.[1] ?? '';
    expect(ended.stderr).toContain('ended at once: what came is recorded, reports may be missing\n');
    expect(ended.stderr).toContain(`to write the reports: retake report ${run}\n`);
  });
});
