import { closeSync, fstatSync, ftruncateSync, rmSync, writeSync } from 'node:fs';
import { codeOf } from '../../kit/diagnostic.ts';
import type { Fact } from '../fact.ts';
import type { JournalEvent } from '../journal.ts';
import { openToAppend, replaceFile } from '../own-files.ts';
import type { ScoreLine } from '../score.ts';

/** journal.jsonl while a run is written: an append writes a whole line, or nothing. */
export interface JournalFile {
  /** Throws the system's error, with its path. */
  readonly append: (line: string) => void;
  readonly close: () => void;
}

/** Kept free: on a full disk, requests in flight and the run still get their last lines. */
const RESERVED_BYTES = 64 * 1024;

/** Opens a new journal, and a reserve beside it that is released when the disk is full, or at the end. */
export function openJournal(path: string): JournalFile {
  // Only its owner may read it: it may contain signed URLs from replies.
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

/** One event as a line, with newline. */
export function encodeEvent(event: JournalEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** One fact as a line, with newline. */
export function encodeFact(fact: Fact): string {
  return `${JSON.stringify(fact)}\n`;
}

/** One line of scores.jsonl, with newline. */
export function encodeScore(line: ScoreLine): string {
  return `${JSON.stringify(line)}\n`;
}
