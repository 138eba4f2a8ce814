import { type ProcessGroup, type Started, startGroup } from './process-group.ts';
import { MOST_LINE_BYTES } from './protocol.ts';

/**
 * Cuts bytes into lines of UTF-8. Holds at most one unfinished line. Null: a line is too long, and none follows.
 * @param mostBytes of a line without its end
 */
export function splitLines(mostBytes: number): (bytes: Uint8Array) => readonly (string | null)[] {
  let begun: Uint8Array[] = [];
  let length = 0;
  return (bytes) => {
    const lines: (string | null)[] = [];
    for (let at = 0; at < bytes.length && length <= mostBytes; ) {
      const end = bytes.indexOf(NEWLINE, at);
      const piece = bytes.subarray(at, end < 0 ? bytes.length : end);
      length += piece.length;
      if (length > mostBytes) {
        begun = [];
        return [...lines, null];
      }
      begun.push(piece);
      if (end < 0) break;
      lines.push(Buffer.concat(begun).toString('utf8'));
      [begun, length] = [[], 0];
      at = end + 1;
    }
    return lines;
  };
}

const NEWLINE = 0x0a;

export type Heard =
  | { readonly is: 'line'; readonly line: string }
  | { readonly is: 'too_long' | 'ended' | 'timed_out' }
  /** The system cannot start it. */
  | { readonly is: 'not_started'; readonly why: string };

export interface Program {
  /** Its next line; one that came before waits. */
  readonly next: (limitMs: number) => Promise<Heard>;
  readonly hasEnded: () => boolean;
  readonly send: (line: string) => void;
  /** Closes its input, and lets it end by itself for a moment. */
  readonly finish: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

/** How long a program may take to end once its input is closed. */
const FINISH_MS = 500;

/** @param onError gets the bytes of its standard error */
export function startProgram(started: Started, onError: (bytes: Uint8Array) => void): Program {
  let group: ProcessGroup;
  try {
    group = startGroup(started);
  } catch (error) {
    return notStarted(error);
  }
  const heard: Heard[] = [];
  let hear: (() => void) | null = null;
  let ended = false;
  const add = (news: readonly Heard[]): void => {
    if (news.length === 0) return;
    heard.push(...news);
    // Lines that nobody asked for stay in the pipe, not in memory.
    if (hear === null) group.output.pause();
    hear?.();
  };
  const end = (last: Heard): void => {
    if (ended) return;
    ended = true;
    add([last]);
  };
  const split = splitLines(MOST_LINE_BYTES);
  group.output.on('data', (bytes: Uint8Array) => {
    add(split(bytes).map((line) => (line === null ? { is: 'too_long' } : { is: 'line', line })));
  });
  group.errors.on('data', onError);
  // A program that has closed its input cannot be asked, one that has closed its output cannot answer.
  const close = (): void => {
    if (group.hasStarted) end({ is: 'ended' });
  };
  group.input.on('error', close);
  group.output.on('end', close);
  for (const stream of [group.output, group.errors]) stream.on('error', () => {});
  void group.ended.then((error) => {
    end(error === null ? { is: 'ended' } : { is: 'not_started', why: error.message });
  });
  return {
    next: async (limitMs) => {
      group.output.resume();
      if (heard.length === 0 && !ended) {
        await within(limitMs, (done) => {
          hear = done;
        });
        hear = null;
      }
      return heard.shift() ?? { is: ended ? 'ended' : 'timed_out' };
    },
    hasEnded: () => ended && heard.every(({ is }) => is === 'ended'),
    send: (line) => {
      if (!ended) group.input.write(line);
    },
    finish: async () => {
      group.output.resume();
      group.input.end();
      await within(FINISH_MS, (done) => void group.ended.then(done));
      await group.kill();
    },
    kill: async () => {
      await group.kill();
      // What it wrote to standard error may come after its end.
      await within(FINISH_MS, (done) => void group.ended.then(done));
    },
  };
}

function notStarted(error: unknown): Program {
  const why = error instanceof Error ? error.message : String(error);
  return {
    next: async () => ({ is: 'not_started', why }),
    hasEnded: () => false,
    send: () => {},
    finish: async () => {},
    kill: async () => {},
  };
}

/** Longest time of a timer; a longer one would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

function within(limitMs: number, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(limitMs, LONGEST_MS));
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
