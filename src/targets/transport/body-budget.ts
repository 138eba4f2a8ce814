/** Limit of all bodies in flight together: many long ones, each below its own limit, would fill the memory. */
const BODIES_BYTES = 512 * 1024 * 1024;

export interface BodyBudget {
  /** `refuse` is called if this is the largest body when the limit is exceeded: it must end the body at once. */
  readonly open: (refuse: () => void) => BudgetedBody;
  readonly mostBytes: number;
}

export interface BudgetedBody {
  /** Changes the number of kept bytes; a negative one lowers it. */
  readonly grow: (bytes: number) => void;
  readonly close: () => void;
}

/** If bodies are too large together, the largest is refused, so that others pass beside an endless one. */
export function createBodyBudget(mostBytes = BODIES_BYTES): BodyBudget {
  const sizes = new Map<BudgetedBody, { bytes: number; readonly refuse: () => void }>();
  let total = 0;
  const largest = () => [...sizes.values()].reduce((most, body) => (body.bytes > most.bytes ? body : most));
  return {
    mostBytes,
    open: (refuse) => {
      const body: BudgetedBody = {
        grow: (bytes) => {
          const entry = sizes.get(body);
          if (entry === undefined) return;
          entry.bytes += bytes;
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
