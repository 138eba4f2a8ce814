import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accepted } from '../../src/kit/diagnostic.ts';
import { readMedia } from '../../src/record/output-files.ts';
import { partOf } from '../../src/record/own-files.ts';
import { readRecord } from '../../src/record/read-record.ts';
import { checkUnlocked, createRecord, lockRecord, type Processes, type ProcessName } from '../../src/record/store.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { buildStoredRun, buildTrial } from '../fixtures/stored-run-builder.ts';

const RUN = buildStoredRun({ samples: [] }).run;
const intent = { event: 'intent', segment: 1, slice: 0, trial: buildTrial(), atMs: 1 } as const;

describe('the record', () => {
  it('the record reads back what was appended', async () => {
    const record = createRecord(freshFolder(), RUN);
    record.append({ event: 'segment', state: 'started', segment: 1, originAt: '2026-11-20T15:45:00.000Z' });
    record.append(intent);
    const stop = { reason: 'finished' } as const;
    record.append({ event: 'segment', state: 'ended', segment: 1, atMs: 9, stop, orphans: 0, loopDelay: null });
    record.close();
    const stored = accepted(await readRecord(record.folder));
    expect(stored.run).toEqual(RUN);
    expect(stored.intents).toEqual([intent]);
    expect(stored.segments).toMatchObject([{ started: { segment: 1 }, ended: { stop: { reason: 'finished' } } }]);
    expect(stored.notices).toEqual([]);
  });

  it('the record keeps a line on disk as soon as append returns', () => {
    const record = createRecord(freshFolder(), RUN);
    record.append(intent);
    expect(JSON.parse(readFileSync(join(record.folder, 'journal.jsonl'), 'utf8'))).toEqual(intent);
    record.close();
  });

  it('the record keeps the journal from other users', () => {
    const record = createRecord(freshFolder(), RUN);
    record.close();
    expect(statSync(join(record.folder, 'journal.jsonl')).mode & 0o077).toBe(0);
  });

  it('the record stores equal bytes once, and gives them back', async () => {
    const record = createRecord(freshFolder(), RUN);
    const bytes = Buffer.from('an image');
    const digests = [1, 2, 3].map(() => record.keepMedia(bytes, 'png'));
    record.close();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(new Set(digests)).toEqual(new Set([sha256]));
    expect(existsSync(join(record.folder, 'media', sha256.slice(0, 2), `${sha256}.png`))).toBe(true);
    expect(await readMedia(record.folder, sha256)).toEqual(bytes);
    expect(await readMedia(record.folder, 'f'.repeat(64))).toBeNull();
  });

  it('the record writes an output again that a killed process left unfinished', async () => {
    const record = createRecord(freshFolder(), RUN);
    const bytes = Buffer.from('an image');
    const sha256 = record.keepMedia(bytes, 'png');
    writeFileSync(join(record.folder, 'media', sha256.slice(0, 2), `${sha256}.png`), 'a pi');
    record.keepMedia(bytes, 'png');
    record.close();
    expect(await readMedia(record.folder, sha256)).toEqual(bytes);
  });

  it.each([
    ['nothing', ''],
    ['zeros', '\0'.repeat(4096)],
  ])('the record refuses a run.json of which a power cut left %s', async (_, text) => {
    const record = createRecord(freshFolder(), RUN);
    record.close();
    const path = join(record.folder, 'run.json');
    writeFileSync(path, text);
    expect(await readRecord(record.folder)).toEqual({
      ok: false,
      diagnostics: [
        {
          place: null,
          cause: `${path} is empty, as after a power cut`,
          remedy: 'restore it from a copy, or run the suite again',
        },
      ],
    });
  });

  it('the record refuses a run.json with a wrong field, and names its line and the field', async () => {
    const record = createRecord(freshFolder(), RUN);
    record.close();
    const path = join(record.folder, 'run.json');
    const text = readFileSync(path, 'utf8');
    const at = text.split('\n').findIndex((line) => line.includes('"failures"'));
    writeFileSync(path, text.replace('"failures": 0.5', '"failures": "half"'));
    expect(await readRecord(record.folder)).toEqual({
      ok: false,
      diagnostics: [
        {
          place: { file: path, line: at + 1, column: 17 },
          cause: 'limits.failures must be a number, not "half"',
          remedy: 'restore the file, or read it with the version of Retake that wrote it',
        },
      ],
    });
  });

  it('the record refuses a newer format, and a folder that is not a run', async () => {
    const record = createRecord(freshFolder(), RUN);
    record.close();
    writeFileSync(join(record.folder, 'run.json'), JSON.stringify({ ...RUN, format: 2 }));
    expect(await readRecord(record.folder)).toMatchObject({
      ok: false,
      diagnostics: [{ cause: expect.stringContaining('newer'), remedy: expect.stringContaining('newer Retake') }],
    });
    expect(await readRecord(freshFolder())).toMatchObject({ ok: false });
  });
});

/** Process 100 runs on host `here`, started at `noon`; and process `own`. */
const machine = (own: number, found: Pick<ProcessName, 'startedAt'> | null = { startedAt: 'noon' }): Processes => ({
  own: { pid: own, host: 'here', startedAt: 'noon' },
  find: () => found,
});

describe('the lock', () => {
  it('the lock lets one process in at a time', () => {
    const folder = freshFolder();
    const first = lockRecord(folder, machine(100));
    expect(first.ok).toBe(true);
    expect(lockRecord(folder, machine(200))).toMatchObject({
      ok: false,
      diagnostics: [{ cause: expect.stringContaining('process 100') }],
    });
    if (first.ok) first.value.release();
    expect(lockRecord(folder, machine(200)).ok).toBe(true);
  });

  it('the lock is nobody’s when its process was killed before it wrote its name', () => {
    for (const text of ['', '{"pid":1', '"x"']) {
      const folder = freshFolder();
      writeFileSync(join(folder, 'lock'), text);
      expect(lockRecord(folder, machine(200)).ok).toBe(true);
    }
  });

  it('the lock is released by its owner only', () => {
    const folder = freshFolder();
    const lock = lockRecord(folder, machine(100));
    writeFileSync(join(folder, 'lock'), '300\n');
    if (lock.ok) lock.value.release();
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe('300\n');
  });

  it('the lock removes the parts that a killed process left, and nothing of a process that is alive or of the user', () => {
    const folder = freshFolder();
    const parts = ['summary.md', 'run.json', `thumbs/${'a'.repeat(64)}.webp`].map((name) => partOf(join(folder, name)));
    const others = [partOf(join(folder, 'thesis.txt')), join(folder, 'summary.md.part'), join(folder, 'summary.md')];
    mkdirSync(join(folder, 'thumbs'));
    for (const path of [...parts, ...others]) writeFileSync(path, 'half');
    const there = () => [...parts, ...others].filter((path) => existsSync(path));
    const alive = lockRecord(folder, machine(100));
    expect(there()).toEqual(others);
    for (const path of parts) writeFileSync(path, 'half');
    expect(lockRecord(folder, machine(200)).ok).toBe(false);
    expect(there()).toEqual([...parts, ...others]);
    if (alive.ok) alive.value.release();
  });

  it('the lock is nobody’s once its process is gone', () => {
    const folder = freshFolder();
    lockRecord(folder, machine(100));
    expect(lockRecord(folder, machine(200, null)).ok).toBe(true);
  });

  it('the lock is nobody’s once another process has the number of its own', () => {
    const folder = freshFolder();
    lockRecord(folder, machine(100));
    // A container that starts again gives its first process the same number.
    const later = { own: { pid: 100, host: 'here', startedAt: 'later' }, find: () => ({ startedAt: 'later' }) };
    expect(lockRecord(folder, later).ok).toBe(true);
    const other = freshFolder();
    lockRecord(other, machine(100));
    expect(lockRecord(other, machine(200, { startedAt: 'later' })).ok).toBe(true);
  });

  it('the lock of another machine holds, and names that machine, whatever runs here', () => {
    const folder = freshFolder();
    lockRecord(folder, machine(100));
    const there = { own: { pid: 100, host: 'there', startedAt: 'noon' }, find: () => null };
    expect(lockRecord(folder, there)).toMatchObject({
      ok: false,
      diagnostics: [
        {
          cause: `${folder} is in use by process 100 on here`,
          remedy: `wait until it has ended; if it was killed, or that machine is gone, delete ${join(folder, 'lock')}`,
        },
      ],
    });
  });

  it('a record that a running process has locked is not read by a merge, one of a dead process is', () => {
    const folder = freshFolder();
    expect(checkUnlocked(folder, machine(200))).toEqual({ ok: true, value: null });
    lockRecord(folder, machine(100));
    const locked = readFileSync(join(folder, 'lock'), 'utf8');
    expect(checkUnlocked(folder, machine(200))).toMatchObject({
      ok: false,
      diagnostics: [{ cause: `${folder} is in use by process 100` }],
    });
    expect(checkUnlocked(folder, machine(200, null)).ok).toBe(true);
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(locked);
  });
});
