/** Counts what is under way. */
export interface Tally {
  readonly count: () => number;
  /** Counts a piece of work until it has ended, however it ends; gives what it gives. */
  readonly of: <T>(work: Promise<T>) => Promise<T>;
  /** Resolves once nothing is under way. */
  readonly allEnded: () => Promise<void>;
}

/** A number, and no set of promises: what a Set outgrows keeps what followed it alive (see `wire/in-flight.ts`). */
export function createTally(): Tally {
  let underWay = 0;
  let wake = (): void => {};
  const end = (): void => {
    underWay -= 1;
    if (underWay === 0) wake();
  };
  return {
    count: () => underWay,
    of: (work) => {
      underWay += 1;
      return work.finally(end);
    },
    allEnded: async () => {
      if (underWay === 0) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
  };
}
