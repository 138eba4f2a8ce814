import { closeSync, fstatSync, ftruncateSync, rmSync, writeSync } from 'node:fs';
import { codeOf } from '../../kit/diagnostic.ts';
import type { Fact } from '../fact.ts';
import type { JournalEvent } from '../journal.ts';
import { openToAppend, replaceFile } from '../own-files.ts';
import type { ScoreLine } from '../score.ts';

/** journal.jsonl while a run is written: every append is a whole line on its way to the disk, or none. */
export interface JournalFile {
  /** Throws the error of the system, with its path; nothing of the line is left then. */
  readonly append: (line: string) => void;
  readonly close: () => void;
}

/** Kept free for the last lines: on a full disk the requests in flight still get theirs, and the run its end. */
const RESERVED_BYTES = 64 * 1024;

/** Opens a new journal. Beside it lies a reserve that is given back when the disk is full, or at the end. */
export function openJournal(path: string): JournalFile {
  // It may hold signed URLs that were captured from replies: only its owner reads it.
  const file = openToAppend(path, 0o600);
  const reserve = `${path}.reserve`;
  replaceFile(reserve, Buffer.alloc(RESERVED_BYTES, 1), 0o600);
  let size = fstatSync(file).size;
  let isReserved = true;
  const release = (): boolean => {
    if (!isReserved) return false;
    isReserved = false;
    rmSync(reserve, { force: true });
    return true;
  };
  const assertThere = (): void => {
    if (fstatSync(file).nlink > 0) return;
    throw Object.assign(new Error('the journal was deleted'), { code: 'ENOENT', syscall: 'write', path });
  };
  const write = (bytes: Uint8Array): void => {
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    } catch (error) {
      // Half a line in the middle would make the whole journal unreadable.
      ftruncateSync(file, size);
      throw error instanceof Error ? Object.assign(error, { path }) : error;
    }
    size += bytes.length;
  };
  return {
    append: (line) => {
      const bytes = Buffer.from(line);
      assertThere();
      try {
        write(bytes);
      } catch (error) {
        if (!isFull(error) || !release()) throw error;
        write(bytes);
      }
    },
    close: () => {
      release();
      closeSync(file);
    },
  };
}

function isFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** One event as one line, newline included. */
export function encodeEvent(event: JournalEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** One fact as one line, newline included. */
export function encodeFact(fact: Fact): string {
  return `${JSON.stringify(fact)}\n`;
}

/** One line of scores.jsonl, newline included. */
export function encodeScore(line: ScoreLine): string {
  return `${JSON.stringify(line)}\n`;
}
