export interface GroupCommit {
  /** Resolves once the line is written; rejects if its group cannot be. */
  readonly add: (line: string) => Promise<void>;
  readonly flush: () => void;
}

interface WaitingWrite {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes all lines of one turn of the event loop in one call (group commit, as in the logs of databases): on a slow
 * disk more calls end per turn, so groups grow with the need. `write` is synchronous.
 */
export function createGroupCommit(write: (lines: string) => void): GroupCommit {
  let lines: string[] = [];
  let waiting: WaitingWrite[] = [];

  const flush = (): void => {
    if (lines.length === 0) return;
    const group = waiting;
    const text = lines.join('');
    lines = [];
    waiting = [];
    try {
      write(text);
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const { resolve } of group) resolve();
  };

  return {
    add: (line) =>
      new Promise((resolve, reject) => {
        if (lines.length === 0) setImmediate(flush);
        lines.push(line);
        waiting.push({ resolve, reject });
      }),
    flush,
  };
}
