export interface SliceTally {
  readonly count: () => number;
  readonly of: <T>(work: Promise<T>) => Promise<T>;
  readonly allEnded: () => Promise<void>;
}

/** Counts what is in flight. A number, as outgrown tables of a Set keep promises in memory (see `wire/wire.ts`). */
export function createTally(): SliceTally {
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
