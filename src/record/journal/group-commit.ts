export interface GroupCommit {
  /** Resolves once the line is written. Rejects with what kept its group from being written. */
  readonly add: (line: string) => Promise<void>;
  readonly flush: () => void;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes in one call what is added in one turn of the event loop: under load as many calls end and begin in a turn as
 * the disk is slow, so the group grows with the need for it, and a line that comes alone waits for the end of its turn
 * only. (Group commit, as databases do it for their logs.)
 *
 * @param write resolves nothing: what it is given has been written when it returns
 */
export function createGroupCommit(write: (lines: string) => void): GroupCommit {
  let lines: string[] = [];
  let waiting: Waiting[] = [];

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
