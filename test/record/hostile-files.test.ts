import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBaseline } from '../../src/record/baseline-file.ts';
import { runsIn } from '../../src/record/find/find-run.ts';
import { checkUnlocked } from '../../src/record/lock.ts';
import { readMedia, readSmall, writeSmall } from '../../src/record/outputs/output-files.ts';
import { readHistory, readRecord } from '../../src/record/read-record.ts';
import { type Checked, formatDiagnostic } from '../../src/suite/document/diagnostic.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { buildOk, digestOf } from '../fixtures/sample-builder.ts';
import { buildStoredRun } from '../fixtures/stored-run-builder.ts';

const SHA = digestOf('an output');

function pipe(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
}

/** The folder of a run whose files are as Retake writes them. */
function run(): string {
  const folder = join(freshFolder(), 'suite', '20261120T154500Z-7f3a');
  mkdirSync(folder, { recursive: true });
  const { run: header } = buildStoredRun({ samples: [buildOk(5, 'a')] });
  writeFileSync(join(folder, 'run.json'), JSON.stringify(header));
  writeFileSync(join(folder, 'journal.jsonl'), '');
  return folder;
}

const said = (checked: Checked<unknown>) => (checked.ok ? [] : checked.diagnostics.map(formatDiagnostic));

describe.skipIf(process.platform === 'win32')('a file of a record that is not a regular file', () => {
  it.each(['journal.jsonl', 'facts.jsonl', 'run.json'])(
    'a %s that is a pipe is refused, not waited for',
    async (name) => {
      const folder = run();
      execFileSync('rm', ['-f', join(folder, name)]);
      pipe(join(folder, name));
      const path = join(folder, name);
      expect(said(await readRecord(folder))).toEqual([`${path} is not a regular file; restore it, or name another`]);
      expect(runsIn(dirname(folder))).toHaveLength(1);
    },
  );

  it('a baseline, a history and a lock that are pipes are answered at once', async () => {
    const folder = run();
    for (const name of ['baseline.json', 'history.jsonl', 'lock']) pipe(join(folder, name));
    expect(said(await readBaseline(join(folder, 'baseline.json')))[0]).toContain('is not a regular file');
    expect(said(await readHistory(folder))[0]).toContain('is not a regular file');
    expect(checkUnlocked(folder, { own: NOBODY, find: () => ({ startedAt: null }) })).toEqual({
      ok: true,
      value: null,
    });
  });

  it('an output or thumbnail that is a pipe or a link is not read, and a link is not written through', async () => {
    const folder = run();
    const secret = join(freshFolder(), 'secret.txt');
    writeFileSync(secret, 'a file of this machine');
    pipe(join(folder, 'media', SHA.slice(0, 2), `${SHA}.png`));
    expect(await readMedia(folder, SHA)).toBeNull();
    const other = digestOf('another');
    mkdirSync(join(folder, 'media', other.slice(0, 2)), { recursive: true });
    symlinkSync(secret, join(folder, 'media', other.slice(0, 2), `${other}.png`));
    expect(await readMedia(folder, other)).toBeNull();
    const thumbnail = join(folder, 'thumbs', `${SHA}.webp`);
    mkdirSync(dirname(thumbnail));
    symlinkSync(secret, thumbnail);
    expect(readSmall(folder, SHA, 'webp')).toBeNull();
    writeSmall(folder, SHA, 'webp', Buffer.from('small'));
    expect(readFileSync(secret, 'utf8')).toBe('a file of this machine');
    expect(lstatSync(thumbnail).isFile()).toBe(true);
  });
});

const NOBODY = { pid: 1, host: null, startedAt: null };

describe('a line of a record', () => {
  it('a line of 64 MiB is refused with its number, in bounded time', async () => {
    const folder = run();
    const file = openSync(join(folder, 'journal.jsonl'), 'w');
    const piece = Buffer.alloc(1024 * 1024, 'x');
    writeSync(file, '{"event":"segment","state":"started","segment":1,"originAt":"2026-11-20T15:45:00.000Z"}\n');
    for (let at = 0; at < 64; at += 1) writeSync(file, piece);
    expect(said(await readRecord(folder))).toEqual([
      `${join(folder, 'journal.jsonl')}:2:1: the line is longer than 32 MiB; restore the file; if you delete the line, a resumed run may send its request again`,
    ]);
  });
});
