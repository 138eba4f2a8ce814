/** Pixels that every process may decode at any time: all that models usually give, up to a frame of 3840 x 2160. */
export const FREE_PIXELS = 8 * 1024 * 1024;

/** Memory that examining one pixel takes at most: as decoded, without alpha, and its brightness, at 16 bits. */
const BYTES_PER_PIXEL = 24;

/** What larger images may take together, in all processes: one at the limit of pixels, or several smaller ones. */
const MOST_BYTES = 2 * 1024 * 1024 * 1024;

/** What large images take in all processes together. */
export interface DecodeBudget {
  /** Does a work on so many pixels when there is memory for it; one that is too large for the budget is done alone. */
  readonly within: <T>(pixels: number, work: () => Promise<T>) => Promise<T>;
}

/** Large images wait for each other in the order they came; ordinary ones do not wait. */
export function createDecodeBudget(mostBytes = MOST_BYTES): DecodeBudget {
  const waiting: { readonly bytes: number; readonly begin: () => void }[] = [];
  let held = 0;
  const look = (): void => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      if (held > 0 && held + first.bytes > mostBytes) return;
      waiting.shift();
      held += first.bytes;
      first.begin();
    }
  };
  return {
    within: async (pixels, work) => {
      if (pixels <= FREE_PIXELS) return work();
      const bytes = pixels * BYTES_PER_PIXEL;
      await new Promise<void>((begin) => {
        waiting.push({ bytes, begin });
        look();
      });
      try {
        return await work();
      } finally {
        held -= bytes;
        look();
      }
    },
  };
}
