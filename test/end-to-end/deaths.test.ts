import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { Outcome } from '../../src/record/codes.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { paidRunIn, paidSuite } from '../fixtures/paid-service.ts';
import {
  filesBelow,
  journalOf,
  onlyRun,
  PROGRAM,
  retakeHere,
  serveHere,
  startHere,
  startRetake,
} from '../fixtures/retake-process.ts';
import { NIGHTLY } from '../test-options.ts';

/* What ends from outside: by a signal, with its terminal, or a part of it alone. Nothing is lost, and nothing is sent twice. */

/** Runs a command in a terminal of its own (util-linux). */
const TERMINAL = '/usr/bin/script';
const ROUTE = 'POST /v2/image/generations';

describe('a run that is ended from outside', () => {
  it('SIGTERM: closes the record within the 10 s that a CI runner gives, though a call lasts a minute', async () => {
    const service = await serveHere(['{ when: { first: 2 }, latency: { constant: 1m } }']);
    onTestFinished(() => service.close());
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), suiteOf('fast: { target: reference/text-to-image }', 2));
    const started = startRetake(['run', 'suite.yaml'], folder, service.env);
    while ((await service.stats()).routes[ROUTE]?.inFlight !== 2) await sleep(20);
    const from = performance.now();
    started.kill('SIGTERM');
    const ended = await started.ended;
    // Some seconds; many more on a machine that is busy, and less than the calls would take.
    expect(performance.now() - from).toBeLessThan(50_000);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('to resume this run:');
    const run = onlyRun(join(folder, 'results'));
    expect(lastEvent(run)).toMatchObject({ event: 'segment', state: 'ended', stop: { reason: 'interrupted' } });
    expect(lastOutcomes(run)).toEqual(['cancelled', 'cancelled']);
  });

  it('a terminal that is closed: lets those in flight end', async ({ skip }) => {
    if (!existsSync(TERMINAL)) return skip('there is no program that opens a terminal');
    const { service, folder } = await paidSuite();
    const command = `${process.execPath} ${PROGRAM} run suite.yaml`;
    const terminal = spawn(TERMINAL, ['-qfc', command, '/dev/null'], { cwd: folder, stdio: 'ignore' });
    while (service.submits.size < 8) await sleep(5);
    terminal.kill('SIGKILL');
    await once(terminal, 'exit');
    const run = paidRunIn(join(folder, 'results'));
    while (existsSync(join(run, 'lock'))) await sleep(50);
    expect(lastEvent(run)).toMatchObject({ event: 'segment', state: 'ended', stop: { reason: 'interrupted' } });
    const sent = service.submits.size;
    expect(sent).toBeLessThan(40);
    expect(lastOutcomes(run)).toEqual(Array(sent).fill('ok'));
  });

  it.each([
    ['throws', 'throw new Error("boom")', 'boom'],
    ...(NIGHTLY
      ? [
          ['ends', 'process.exit(3)', 'the wire thread ended (3)'],
          ['runs out of memory', 'for (const held = []; ; ) held.push(Array(1e6).fill({}))', 'reaching memory limit'],
        ]
      : []),
  ])(
    'a wire thread that %s: is told as ours, and its jobs are polled by the run that resumes',
    async (_how, fault, words) => {
      const { service, folder } = await paidSuite();
      writeFileSync(
        join(folder, 'fault.mjs'),
        `import { existsSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';
if (!isMainThread && workerData?.targets) setInterval(() => { if (existsSync('now')) { ${fault} } }, 5);
`,
      );
      const options = `--import ${join(folder, 'fault.mjs')} --max-old-space-size=150`;
      const started = startRetake(['run', 'suite.yaml'], folder, { NODE_OPTIONS: options });
      const run = await journalled(folder, (count) => count('accepted') > 0);
      writeFileSync(join(folder, 'now'), '');
      const ended = await started.ended;
      expect(ended.code).toBe(5);
      expect(ended.stderr).toMatch(/^to resume this run: retake run --resume \S+$/m);
      expect(ended.stderr).toContain(words);
      expect(lastEvent(run)).toMatchObject({ event: 'segment', state: 'ended', stop: { reason: 'defect' } });
      expect(lastOutcomes(run)).toContain('defect');
      expect(lastOutcomes(run).filter((outcome) => outcome !== 'ok' && outcome !== 'defect')).toEqual([]);
      const accepted = acceptedIn(run);
      expect(accepted.length).toBeGreaterThan(0);
      const resumed = await retakeHere(['run', 'suite.yaml', '--resume', run], folder);
      expect([0, 3]).toContain(resumed.code);
      const samples = new Map(journalOf(run).samples.map(({ trial, outcome }) => [trial.id, outcome]));
      expect(samples.size).toBe(40);
      expect(accepted.map((trial) => samples.get(trial))).toEqual(accepted.map(() => 'ok'));
      expect(sentTwice(service.submits)).toEqual([]);
    },
    60_000,
  );

  it('a reference service of the run that is killed: stops the run at once, and resume sends what was lost with it; no file has the key of a user', async () => {
    const folder = freshFolder();
    writeFileSync(
      join(folder, 'suite.yaml'),
      suiteOf('fast: { target: reference/text-to-image, const: { model: fast } }', 3),
    );
    const env = { RETAKE_API_KEY: 'the-users-own-key' };
    const started = startHere(['run', 'suite.yaml'], folder, env);
    const run = await journalled(folder, (count) => count('sample') > 0 && count('intent') > count('sample'));
    for (const service of servicesOf(started.pid)) process.kill(service, 'SIGKILL');
    const ended = await started.ended;
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('the reference service that Retake started ended unexpectedly (SIGKILL)');
    const { run: summary }: Analysis = JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
    expect(summary.stop).toEqual({ reason: 'service', exitCode: null, signal: 'SIGKILL' });
    const lost = journalOf(run).samples.filter(({ outcome }) => outcome !== 'ok');
    expect(lost.length).toBeGreaterThan(0);
    for (const { outcome, error } of lost) expect([outcome, error?.code]).toEqual(['cancelled', 'service_ended']);
    expect((await retakeHere(['run', 'suite.yaml', '--resume', run], folder, env)).code).toBe(0);
    expect(lastOutcomes(run)).toEqual(Array(6).fill('ok'));
    for (const file of filesBelow(folder)) expect(readFileSync(file).includes(env.RETAKE_API_KEY), file).toBe(false);
  });
});

const suiteOf = (variant: string, seeds: number) => `suite: 1
name: killed
variants: { ${variant} }
prompts: [A red fox, A lighthouse]
seeds: { first: 1, count: ${seeds} }
repeats: 1
load: { warmup: 0, concurrency: 2 }
reports: [json]
`;

const sentTwice = (submits: ReadonlyMap<string, number>) => [...submits.values()].filter((times) => times > 1);

/** The folder of a run, once its journal holds so many events of each kind. */
async function journalled(folder: string, isReached: (count: (event: string) => number) => boolean): Promise<string> {
  const suite = join(folder, 'results', 'killed');
  for (;;) {
    await sleep(10);
    const name = existsSync(suite)
      ? readdirSync(suite).find((entry) => existsSync(join(suite, entry, 'journal.jsonl')))
      : undefined;
    if (name === undefined) continue;
    const journal = readFileSync(join(suite, name, 'journal.jsonl'), 'utf8');
    if (isReached((event) => journal.split(`{"event":"${event}"`).length - 1)) return join(suite, name);
  }
}

const lastEvent = (run: string) => journalOf(run).events.at(-1);
const acceptedIn = (run: string) =>
  journalOf(run).events.flatMap((event) => (event.event === 'accepted' ? [event.trial] : []));

/** The last outcome of each trial, sorted. */
function lastOutcomes(run: string): readonly Outcome[] {
  return [...new Map(journalOf(run).samples.map(({ trial, outcome }) => [trial.id, outcome])).values()].sort();
}

/** Process ids of the services that a process started, where /proc tells. */
function servicesOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const services = children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('\0serve\0'));
  expect(services).toHaveLength(1);
  return services;
}
