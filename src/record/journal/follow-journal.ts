import { closeSync, read } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { type Checked, refused } from '../../kit/diagnostic.ts';
import { openRegular } from '../files/read-text.ts';
import { type Shape, shapeOf } from '../files/shape.ts';
import type { JournalEvent } from '../model/journal.ts';
import { journalSchema } from '../model/journal.ts';
import { DamagedLine, type LineReader, readLines } from './read-lines.ts';

export interface JournalFollower {
  /**
   * Gives each whole line that was appended since the last call, in order. Refuses a journal that became shorter and a
   * damaged line: from then on only another follower can read it.
   */
  readonly catchUp: (take: (event: JournalEvent) => void) => Promise<Checked<null>>;
}

const PIECE_BYTES = 1 << 20;

const readAt = promisify(read);

let shape: Shape<JournalEvent> | null = null;

export function followJournal(folder: string): JournalFollower {
  const path = join(folder, 'journal.jsonl');
  const decoder = new StringDecoder('utf8');
  // One for all journals: it is compiled once.
  shape ??= shapeOf(journalSchema);
  const lines = readLines(shape);
  let offset = 0;
  return {
    catchUp: async (take) => {
      const opened = openRegular(path);
      if (!opened.ok) return opened;
      // A run makes its folder before its journal.
      if (opened.value === null) return offset === 0 ? { ok: true, value: null } : shorter(path);
      const { file, bytes } = opened.value;
      try {
        if (bytes < offset) return shorter(path);
        const piece = Buffer.allocUnsafe(Math.max(1, Math.min(PIECE_BYTES, bytes - offset)));
        while (offset < bytes) {
          const { bytesRead } = await readAt(file, piece, 0, Math.min(piece.length, bytes - offset), offset);
          if (bytesRead === 0) break;
          offset += bytesRead;
          const refusal = push(lines, decoder.write(piece.subarray(0, bytesRead)), path);
          for (const event of lines.take()) take(event);
          if (refusal !== null) return refusal;
        }
        return { ok: true, value: null };
      } finally {
        closeSync(file);
      }
    },
  };
}

function push(lines: LineReader<JournalEvent>, piece: string, path: string): ReturnType<typeof refused> | null {
  try {
    lines.push(piece);
    return null;
  } catch (error) {
    if (!(error instanceof DamagedLine)) throw error;
    return refused(`${path}:${error.line}: ${error.causes.join(', ')}`, 'restore the file');
  }
}

function shorter(path: string): ReturnType<typeof refused> {
  return refused(`${path} became shorter`, 'read it again from its beginning');
}
