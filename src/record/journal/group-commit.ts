export interface GroupCommit {
  /** Resolves once the line is written. Rejects with what kept its group from being written. */
  readonly add: (line: string) => Promise<void>;
  readonly flush: () => void;
}

interface WaitingWrite {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes what is added in one turn of the event loop in one call. A slow disk lets more calls end and begin in a turn,
 * so the group grows with the need for it; a line alone waits only for its turn's end. (Group commit, as databases do
 * it for their logs.)
 *
 * @param write resolves nothing: what it is given has been written when it returns
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
