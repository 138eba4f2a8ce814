/** Items in flight, each under the lowest free number. */
export interface InFlight<T> {
  readonly add: (item: T) => number;
  readonly get: (number: number) => T | undefined;
  readonly remove: (number: number) => void;
  readonly items: () => readonly T[];
}

/**
 * A list instead of a Map: V8 links the outgrown tables of a Map to their successors, each with what was in flight at
 * that time. One such table in the old generation kept most of the memory of a long run alive until the next full
 * collection.
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
