/** Pixels that every process may decode at any time: models usually give less, up to 3840 x 2160. */
export const FREE_PIXELS = 8 * 1024 * 1024;

/** Memory for examining a pixel: decoded with alpha at 16 bits, flattened, and its brightness on two grounds. */
const BYTES_PER_PIXEL = 32;

/** Memory of larger images in all processes together. */
const MOST_BYTES = 2 * 1024 * 1024 * 1024;

interface DecodeBudget {
  /** Waits for memory; an image above the whole budget is examined alone. */
  readonly within: <T>(pixels: number, work: () => Promise<T>) => Promise<T>;
}

/** Large images wait in order; others do not wait. */
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
