import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { fileFaultOf } from '../../src/kit/diagnostic.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { once as onceMade } from '../fixtures/once-for.ts';
import { servePaid, writePaidSuite } from '../fixtures/paid-service.ts';
import { journalOf, onlyRun, retake, retakeHere, startRetake } from '../fixtures/retake-process.ts';

/* Who may write to a record: one process at a time, and the next one once it is gone. */

describe('the record of a run that was killed', () => {
  it('the lock of a running process: keeps others out; of one that was killed, whose number another has: does not', async () => {
    const { folder, run, lock, owner, pid, refused } = await killedRun();
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`is in use by process ${pid}`) });
    expect(owner).toMatchObject({ pid, host: expect.any(String) });
    // This process was not started when that one was.
    writeFileSync(lock, `${JSON.stringify({ ...owner, pid: process.pid })}\n`);
    expect(await retake(['report', run], folder)).toMatchObject({ code: 0 });
    expect(existsSync(lock)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('the lock of a killed process that its parent forgot: does not', async () => {
    const { folder, run, lock, owner } = await killedRun();
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60']);
    onTestFinished(() => void parent.kill('SIGKILL'));
    const pid = Number((await once(parent.stdout, 'data'))[0]);
    const statOf = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const startedAt = owner.startedAt.replace(/\d+$/, statOf()[19] ?? '');
    writeFileSync(lock, JSON.stringify({ ...owner, pid, startedAt }));
    expect(await retakeHere(['report', run], folder)).toMatchObject({ code: 2 });
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => statOf()[0]).toBe('Z');
    expect(await retake(['report', run], folder)).toMatchObject({ code: 0 });
  });

  it('a torn last line: is dropped with a notice; a damaged line in the middle: is named, and nothing is sent', async () => {
    const { run, resume, service } = await killedRun();
    const journal = join(run, 'journal.jsonl');
    const whole = readFileSync(journal, 'utf8');
    const sent = service.submits.size;
    writeFileSync(journal, whole.replace('\n{"event":"intent"', '\n{"event":"in\n{"event":"intent"'));
    const damaged = await resume();
    expect(damaged.code).toBe(2);
    expect(damaged.stderr).toMatch(
      /journal\.jsonl:2:1: the line is not JSON; restore the file; if you delete the line/,
    );
    expect(service.submits.size).toBe(sent);
    writeFileSync(journal, whole);
    appendFileSync(journal, '{"event":"sample","sam');
    const resumed = await resume();
    expect(resumed.stderr).toMatch(/journal\.jsonl.*last line/);
    expect(resumed.code).toBe(0);
    expect(new Set(journalOf(run).samples.map(({ trial }) => trial.id)).size).toBe(20);
  });

  it('a record on a read-only disk: is reported into another folder', async ({ skip }) => {
    const { folder, run } = await killedRun();
    // Its outputs are examined, and what that finds is kept.
    expect(await retakeHere(['report', run], folder)).toMatchObject({ code: 0 });
    try {
      execFileSync(MOUNT, ['--bind', run, run], { stdio: 'ignore' });
    } catch {
      return skip('nothing can be mounted here');
    }
    onTestFinished(() => void execFileSync(UNMOUNT, ['-l', run]));
    execFileSync(MOUNT, ['-o', 'remount,ro,bind', run], { stdio: 'ignore' });
    const into = await retakeHere(['report', run, '--out', 'elsewhere'], folder);
    expect(into.code).toBe(0);
    expect(existsSync(join(folder, 'elsewhere', 'samples.csv'))).toBe(true);
    const beside = await retakeHere(['report', run], folder).catch(fileFaultOf);
    expect(beside).toMatchObject({
      cause: expect.stringContaining('(EROFS)'),
      remedy: expect.stringMatching(/^name another place/),
    });
  });
});

const [MOUNT, UNMOUNT] = ['mount', 'umount'] as const;

/** A run that was killed while it sent, and how another process was refused before: made once, for all tests. */
const killed = onceMade(async () => {
  // Its calls take long from then on, so that it does not end before it is killed.
  let isHeld = false;
  const service = await servePaid(() => (isHeld ? 300 : Math.random()));
  const folder = freshFolder();
  writePaidSuite(folder, service.url, 1);
  const running = startRetake(['run', 'suite.yaml'], folder);
  while (service.submits.size < 8) await sleep(5);
  isHeld = true;
  const run = onlyRun(join(folder, 'results'));
  const refused = await retakeHere(['run', 'suite.yaml', '--resume', run], folder);
  running.kill('SIGKILL');
  await running.ended;
  isHeld = false;
  return { service, folder, refused, pid: running.pid };
});

afterAll(async () => (await killed()).service.close());

/** A copy of that run. */
async function killedRun() {
  const { folder: original, ...made } = await killed();
  const folder = freshFolder();
  cpSync(original, folder, { recursive: true });
  const run = onlyRun(join(folder, 'results'));
  const lock = join(run, 'lock');
  const owner: Owner = JSON.parse(readFileSync(lock, 'utf8'));
  const resume = () => retakeHere(['run', 'suite.yaml', '--resume', run], folder);
  return { ...made, folder, run, lock, owner, resume };
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly startedAt: string;
}
