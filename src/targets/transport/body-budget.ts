/**
 * Bytes that the bodies of all replies in flight may have together. One body has a limit of its own; without this one, many endless ones
 * would fill the memory of the machine.
 */
const BODIES_BYTES = 512 * 1024 * 1024;

/** What the bodies in flight take together. */
export interface BodyBudget {
  /** A body that begins. `refuse` is called when it is the largest of too many bytes: it must end the body at once. */
  readonly open: (refuse: () => void) => BudgetedBody;
  readonly mostBytes: number;
}

export interface BudgetedBody {
  /** So many bytes more are kept; fewer where negative. */
  readonly grow: (bytes: number) => void;
  /** The body was handed on, or dropped. */
  readonly close: () => void;
}

/** Where all bodies together are too large the largest is refused, so that ordinary ones pass beside an endless one. */
export function createBodyBudget(mostBytes = BODIES_BYTES): BodyBudget {
  const sizes = new Map<BudgetedBody, { bytes: number; readonly refuse: () => void }>();
  let total = 0;
  const largest = () => [...sizes.values()].reduce((most, each) => (each.bytes > most.bytes ? each : most));
  return {
    mostBytes,
    open: (refuse) => {
      const body: BudgetedBody = {
        grow: (bytes) => {
          const own = sizes.get(body);
          if (own === undefined) return;
          own.bytes += bytes;
          total += bytes;
          if (total > mostBytes) largest().refuse();
        },
        close: () => {
          total -= sizes.get(body)?.bytes ?? 0;
          sizes.delete(body);
        },
      };
      sizes.set(body, { bytes: 0, refuse });
      return body;
    },
  };
}
