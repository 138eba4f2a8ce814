import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { Sample } from '../../src/record/journal.ts';
import type { ServiceStats } from '../../src/service/jobs/request-log.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { killRun } from '../fixtures/killed-run.ts';
import {
  type Ended,
  journalOf,
  onlyRun,
  retakeHere,
  type ServedService,
  serveHere,
  startHere,
} from '../fixtures/retake-process.ts';
import { NIGHTLY } from '../test-options.ts';

/* A process that dies in mid-run: nothing is lost, nothing is paid twice. */

const SUITE = `suite: 1
name: cut
variants:
  fast-lcm: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts: [A red fox, A lighthouse]
seeds: [1, 2, 3, 4]
repeats: 1
load: { warmup: 0, concurrency: 2 }
reports: [csv, json]
`;

const ROUTE = 'POST /v2/image/generations';
const requestsAt = ({ routes }: ServiceStats) => routes[ROUTE]?.started ?? 0;
const outcomesOf = (samples: readonly Sample[]) => samples.map(({ outcome }) => outcome).sort();

const KILLS = NIGHTLY
  ? { kills: 200, seeds: 150, lifeMs: 2500, random: 2026 }
  : { kills: 1, seeds: 2, lifeMs: null, random: 7 };

it('a run that is killed again and again: has each planned sample once, and no request was sent twice', async () => {
  const { trials, killed, last, samples, ...counts } = await killRun(KILLS);
  expect(killed).toBeGreaterThan(0);
  expect(last.code).toBe(0);
  expect(new Set(samples.map(({ trial }) => trial.id)).size).toBe(trials);
  expect(samples).toHaveLength(trials);
  expect(counts).toMatchObject({ intents: trials, repeatedIntents: 0, submittedTwice: 0, unjournalled: [] });
  expect(counts.finishedJobs).toBe(counts.accepted);
  const outcomes = new Set(samples.map(({ outcome }) => outcome));
  expect([...outcomes].filter((outcome) => outcome !== 'ok' && outcome !== 'unknown_charged')).toEqual([]);
  // At most those in flight when a process died.
  const unknown = samples.filter(({ outcome }) => outcome === 'unknown_charged').length;
  expect(unknown).toBeLessThanOrEqual(3 * killed);
  expect(counts.submitted).toBeGreaterThanOrEqual(trials - unknown);
});

describe('a run that was aborted with its first two calls in flight', () => {
  let service: ServedService;
  let folder: string;
  let run: string;
  let aborted: Ended;

  beforeAll(async () => {
    service = await serveHere(['{ when: { first: 2 }, latency: { constant: 1m } }', '{ cached: {} }']);
    folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const started = startHere(['run', 'suite.yaml'], folder, service.env);
    while ((await service.stats()).routes[ROUTE]?.inFlight !== 2) await sleep(50);
    started.kill('SIGINT');
    await started.saysOnError('stopping: waits for 2 in flight; press Ctrl-C again to abort them');
    started.kill('SIGINT');
    aborted = await started.ended;
    run = onlyRun(join(folder, 'results'));
  });
  afterAll(() => service.close());

  it('another suite, another environment, a merged name or a share: is refused before anything is sent', async () => {
    const resume = (...more: readonly string[]) =>
      retakeHere(['run', 'suite.yaml', '--resume', run, ...more], folder, service.env);
    expect(await resume('--shard', '1/2')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--resume cannot be used with --shard'),
    });
    for (const option of [['--out', 'elsewhere'], ['--confirm'], ['--vantage', 'eu']]) {
      const refused = await resume(...option);
      expect(refused).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`--resume cannot be used with ${option[0]}`),
      });
    }
    const alone = await retakeHere(['run', 'suite.yaml', '--resend-unknown'], folder, service.env);
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('--resend-unknown needs --resume') });
    const seeds = await resume('--set', 'seeds=[7]');
    expect(seeds.code).toBe(2);
    expect(seeds.stderr).toMatch(/began with another plan: seeds\[0\] was 1, is 7;/);
    const { stderr } = await resume('--set', 'variants.fast-lcm.const.model=fast', '--set', 'repeats=2');
    expect(stderr).toContain('variants.fast-lcm.const.model was "fast-lcm", is "fast";');
    const moved = await retakeHere(['run', 'suite.yaml', '--resume', run], folder, {
      ...service.env,
      RETAKE_BASE_URL: `${service.url}/v1`,
    });
    expect(moved.code).toBe(2);
    expect(moved.stderr).toMatch(/RETAKE_BASE_URL: the value has changed since run .* began/);
    const none = await retakeHere(['run', 'suite.yaml', '--resume', join(folder, 'nowhere')], folder, service.env);
    expect(none).toMatchObject({ code: 2 });
    expect(requestsAt(await service.stats())).toBe(2);
    // A refused resume leaves the record free for the next one.
    expect(existsSync(join(run, 'lock'))).toBe(false);
  });

  it('an aborted run: goes on with what was not sent, and leaves what may have been charged; its suite may have moved', async () => {
    const before = journalOf(run);
    expect(aborted.code).toBe(3);
    expect(outcomesOf(before.samples)).toEqual(['cancelled', 'cancelled']);
    expect(aborted.stdout.replace(/\s+/g, ' ')).toContain('2 requests were abandoned and may still have run');
    expect(aborted.stdout).not.toContain('limits.timeout');
    expect(aborted.stderr).toContain(`to resume this run: retake run --resume ${join('results', 'cut')}`);
    renameSync(join(folder, 'suite.yaml'), join(folder, 'moved.yaml'));
    const lost = await retakeHere(['run', '--resume', run], folder, service.env);
    expect(lost.code).toBe(2);
    expect(lost.stderr).toMatch(
      /the suite of run \S+ is not found among your files: suite\.yaml; name it: retake run suite\.yaml --resume/,
    );
    const resumed = await retakeHere(['run', 'moved.yaml', '--resume', run], folder, service.env);
    renameSync(join(folder, 'moved.yaml'), join(folder, 'suite.yaml'));
    const after = journalOf(run);
    // Two calls were aborted in flight: nobody knows whether they were charged.
    expect(resumed.stderr).toMatch(/^resumes run .*: 2 of 8 requests have a result, 6 left to send$/m);
    expect(before.intents).toHaveLength(2);
    expect(after.intents).toHaveLength(8);
    expect(outcomesOf(after.samples)).toEqual(['cancelled', 'cancelled', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
    expect(resumed.code).toBe(3);
    expect(requestsAt(await service.stats())).toBe(8);
  });

  it('--resend-unknown: sends again what may have been charged, and the run is complete', async () => {
    const again = await retakeHere(['run', 'suite.yaml', '--resume', run, '--resend-unknown'], folder, service.env);
    expect(again.stderr).toContain('sends again 2 requests without an answer');
    expect(again.code).toBe(0);
    expect(requestsAt(await service.stats())).toBe(10);
    expect(journalOf(run).intents).toHaveLength(10);
    const { run: summary }: Analysis = JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
    expect(summary).toMatchObject({ complete: true, requestsSent: 10, stop: { reason: 'finished' } });
  });
});

describe('a run that was limited', () => {
  let service: ServedService;
  let folder: string;
  let run: string;
  let limited: Ended;

  beforeAll(async () => {
    service = await serveHere(['{ cached: {} }']);
    folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const sets = ['--set', 'seeds=[5, 6]', '--set', 'limits.requests=2'];
    limited = await retakeHere(['run', 'suite.yaml', '--quiet', '--yes', ...sets], folder, service.env);
    run = onlyRun(join(folder, 'results'));
  });
  afterAll(() => service.close());

  it('limits.requests: allows no request more, for all processes of a run together', async () => {
    expect(limited.code).toBe(3);
    expect(limited.stderr).toContain('limits.requests');
    expect(journalOf(run).samples).toHaveLength(2);
    expect(requestsAt(await service.stats())).toBe(2);
    const resumed = await retakeHere(['run', 'suite.yaml', '--quiet', '--resume', run], folder, service.env);
    expect(resumed.code).toBe(3);
    expect(resumed.stderr).toContain('limits.requests');
    expect(requestsAt(await service.stats())).toBe(2);
  });

  it('a damaged history that a rule needs: is told before a resumed run sends anything', async () => {
    const history = join(folder, 'results', 'cut', 'history.jsonl');
    const before = readFileSync(history);
    writeFileSync(history, 'no history\n');
    const gate = 'gate=[{ metric: latency.total, against: history, max_increase: 10% }]';
    const sets = ['--set', gate, '--set', 'limits.requests=8'];
    const resumed = await retakeHere(['run', '--resume', run, ...sets], folder, service.env);
    writeFileSync(history, before);
    expect(resumed.code).toBe(2);
    expect(resumed.stderr).toMatch(/history\.jsonl:1:1: the line is not JSON; /);
    expect(requestsAt(await service.stats())).toBe(2);
  });

  it('a run with --set: is resumed with its values and suite by its folder alone; from another folder the suite is named', async () => {
    expect(limited.stderr).toMatch(
      /^to resume this run: retake run --resume results\/cut\/\S+ --set limits\.requests=4 --yes$/m,
    );
    const raised = ['run', '--resume', run, '--set', 'limits.requests=3'];
    const elsewhere = freshFolder();
    const asked = await retakeHere(raised, elsewhere, service.env);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('is not found among your files') });
    expect(requestsAt(await service.stats())).toBe(2);
    const suite = join(folder, 'suite.yaml');
    const again = await retakeHere(['run', suite, ...raised.slice(1)], elsewhere, service.env);
    expect(again.code).toBe(3);
    expect(again.stderr).toContain('keeps --set of the run: seeds=[5, 6]\n');
    // The record knows the values that the run began with; that of this process is repeated.
    expect(again.stderr).toMatch(
      /to resume this run: retake run \S+suite\.yaml --resume \S+ --set limits\.requests=4$/m,
    );
    const last = await retakeHere(['run', '--resume', run, '--set', 'limits.requests=4'], folder, service.env);
    expect(last.code).toBe(0);
    expect(requestsAt(await service.stats())).toBe(4);
    expect(new Set(journalOf(run).intents.map(({ trial }) => trial.seed))).toEqual(new Set([5, 6]));
  });

  it('a run that ended: has nothing left to send, and is reported again', async () => {
    const samples = readFileSync(join(run, 'samples.csv'), 'utf8');
    const resumed = await retakeHere(['run', '--resume', run, '--set', 'limits.requests=4'], folder, service.env);
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toMatch(/4 of 4 requests have a result, 0 left to send/);
    expect(requestsAt(await service.stats())).toBe(4);
    expect(readFileSync(join(run, 'samples.csv'), 'utf8')).toBe(samples);
  });
});
