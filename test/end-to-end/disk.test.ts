import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type PaidService, paidRunIn, paidSuite } from '../fixtures/paid-service.ts';
import { journalOf, retakeHere, retakeLimited } from '../fixtures/retake-process.ts';
import { mountSmallDisk } from '../fixtures/small-disk.ts';

/* What a disk does to a run: it is told, nothing more is sent, and the run is resumed once the disk is back. */

describe('a run that cannot write its record', () => {
  it('a disk that is full in mid-run: stops the run; once there is room, resume sends the rest and nothing twice', async ({
    skip,
  }) => {
    const disk = mountSmallDisk('size=256m');
    if (disk === null) return skip('no file system can be mounted here');
    const { service, folder } = await paidSuite(2, (submits) => submits === 8 && disk.fill());
    // What the run gives back of its own is taken too.
    const filling = setInterval(() => service.submits.size >= 8 && disk.fill(), 20);
    const ended = await retakeHere(['run', 'suite.yaml', '--out', disk.folder], folder);
    clearInterval(filling);
    expect(ended.stderr).toMatch(/the run is incomplete: the record cannot be written: .* \(ENOSPC\); free disk space/);
    expect(ended.code).toBe(3);
    const run = paidRunIn(disk.folder);
    expect(ended.stderr).toMatch(/^to resume this run: retake run --resume \S+$/m);
    expect(service.submits.size).toBeLessThan(20);
    const full = await retakeHere(['run', 'suite.yaml', '--resume', run], folder);
    expect(full).toMatchObject({ code: 2, stderr: expect.stringContaining('(ENOSPC)') });
    disk.free();
    await resumes(run, folder, service);
  });

  it('a limit on the size of files: stops the run as a full disk does', async () => {
    const { service, folder } = await paidSuite(4);
    const ended = await retakeLimited('ulimit -f 70', ['run', 'suite.yaml'], folder);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/cannot be written: .*journal\.jsonl \(EFBIG\); raise the limit on file sizes/);
    expect(service.submits.size).toBeLessThan(80);
    await resumes(paidRunIn(join(folder, 'results')), folder, service, 80);
  });

  it('a folder that is deleted while a service accepts a job: ends the run at once', async () => {
    const results = () => join(folder, 'results');
    const { service, folder } = await paidSuite(2, (submits) => {
      const jobs = [...service.submits.keys()].some((key) => key.startsWith('/jobs'));
      if (jobs && submits >= 6) rmSync(results(), { recursive: true, force: true });
    });
    const started = performance.now();
    const ended = await retakeHere(['run', 'suite.yaml'], folder);
    // A call that could not be journalled would last until its time limit, two minutes.
    expect(performance.now() - started).toBeLessThan(110_000);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/the folder of the run is gone: .* \(ENOENT\); put the folder back, then resume/);
    expect(service.submits.size).toBeLessThan(16);
    expect(existsSync(results())).toBe(false);
  });

  it('a folder that is replaced by another one: ends the run; put back, it is resumed', async () => {
    const results = () => join(folder, 'results');
    const { service, folder } = await paidSuite(2, (submits) => {
      if (submits !== 8) return;
      const run = paidRunIn(results());
      renameSync(run, join(folder, 'moved'));
      mkdirSync(join(run, 'media'), { recursive: true });
    });
    const ended = await retakeHere(['run', 'suite.yaml'], folder);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('the folder of the run is gone');
    expect(service.submits.size).toBeLessThan(20);
    const [name = ''] = readdirSync(join(results(), 'killed'));
    const run = join(results(), 'killed', name);
    rmSync(run, { recursive: true });
    renameSync(join(folder, 'moved'), run);
    await resumes(run, folder, service);
  });

  it('a results folder that is read-only: is refused before anything is sent', async ({ skip }) => {
    const disk = mountSmallDisk('ro');
    if (disk === null) return skip('no file system can be mounted here');
    const { service, folder } = await paidSuite();
    for (const out of [disk.folder, join(disk.folder, 'below')]) {
      const ended = await retakeHere(['run', 'suite.yaml', '--out', out], folder);
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain('(EROFS); name another folder with --out');
    }
    expect(service.submits.size).toBe(0);
  });

  it('a report that cannot be written: is told with the command that writes them later, on another disk too', async () => {
    // Than that of the temporary files.
    const out = freshFolder(existsSync('/dev/shm') ? '/dev/shm' : undefined);
    // A folder stands where the report is written first.
    const { folder } = await paidSuite(1, (submits) => {
      if (submits === 20) mkdirSync(join(paidRunIn(out), 'samples.csv'));
    });
    const ended = await retakeHere(['run', 'suite.yaml', '--out', out], folder);
    const run = paidRunIn(out);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/cannot open .*samples\.csv \(EISDIR\)/);
    expect(ended.stderr).toMatch(
      /all requests are recorded, but no report is written; to write them: retake report \S/,
    );
    expect(existsSync(join(run, 'lock'))).toBe(false);
    rmSync(join(run, 'samples.csv'), { recursive: true });
    expect((await retakeHere(['report', run], folder)).code).toBe(0);
  });
});

/** Resumes a run to its end: each planned sample is there once, and no request was sent twice. */
async function resumes(run: string, folder: string, { submits }: PaidService, trials = 40): Promise<void> {
  const ended = await retakeHere(['run', 'suite.yaml', '--resume', run], folder);
  const last = new Map(journalOf(run).samples.map((sample) => [sample.trial.id, sample.outcome]));
  expect(last.size).toBe(trials);
  expect([...submits.values()].filter((times) => times > 1)).toEqual([]);
  // A reply that came when its bytes could not be stored was paid for: it is not asked for again.
  const unkept = [...last.values()].filter((outcome) => outcome !== 'ok');
  expect(unkept.filter((outcome) => outcome !== 'cancelled' && outcome !== 'unknown_charged')).toEqual([]);
  expect(unkept.length).toBeLessThanOrEqual(3);
  expect(ended.code).toBe(unkept.includes('cancelled') ? 3 : 0);
}
