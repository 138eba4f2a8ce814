/** What is in flight, each under the lowest number that is free. */
export interface InFlight<T> {
  /** Gives the number it has until it is removed. */
  readonly add: (item: T) => number;
  readonly get: (number: number) => T | undefined;
  /** Its number is free again. */
  readonly remove: (number: number) => void;
  /** Those in flight, by number. */
  readonly items: () => readonly T[];
}

/**
 * A list and not a Map: V8 keeps a Map's outgrown tables linked to the ones that replaced them, and each of them what
 * was in flight when it was outgrown. One such table in the old generation keeps all that followed alive until the next
 * full collection, which in a run of many thousand calls was most of the memory.
 */
export function createInFlight<T>(): InFlight<T> {
  const slots: (T | undefined)[] = [];
  return {
    add: (item) => {
      const free = slots.indexOf(undefined);
      const number = free < 0 ? slots.length : free;
      slots[number] = item;
      return number;
    },
    get: (number) => slots[number],
    remove: (number) => {
      slots[number] = undefined;
    },
    items: () => slots.filter((item) => item !== undefined),
  };
}
