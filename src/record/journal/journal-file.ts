import { closeSync, fstatSync, ftruncateSync, rmSync, writeSync } from 'node:fs';
import { codeOf } from '../../kit/diagnostic.ts';
import { openLines } from '../line-files.ts';
import { atPath, replaceFile } from '../own-files.ts';
import { JOURNAL, modeOf } from '../own-names.ts';

/** journal.jsonl while a run is written: an append writes a whole line, or nothing. */
export interface JournalFile {
  /** Throws the system's error, with its path. */
  readonly append: (line: string) => void;
  readonly close: () => void;
}

/** Kept free: on a full disk, requests in flight and the run still get their last lines. */
const RESERVED_BYTES = 64 * 1024;

/**
 * Opens a journal after dropping an unfinished last line, and a reserve beside it that is released when the disk is
 * full, or at the end.
 */
export function openJournal(path: string): JournalFile {
  const file = openLines(path, modeOf(JOURNAL));
  const reserve = `${path}.reserve`;
  replaceFile(reserve, Buffer.alloc(RESERVED_BYTES, 1), modeOf(JOURNAL));
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
      throw atPath(error, path);
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
