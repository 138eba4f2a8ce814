import { type DecodedImage, decodeImage } from '../media/decode.ts';
import { FREE_PIXELS } from './decode-budget.ts';

/** Images decoded last, so that one of many pairs is not decoded for each. */
export interface ImageMemory {
  /** An image's pixels; null where the bytes do not decode. `read` gives its bytes. */
  readonly image: (sha256: string, read: () => Promise<Uint8Array>) => Promise<DecodedImage | null>;
}

/** Two at a time is what a comparison needs. */
const MOST = 2;

export function rememberImages(): ImageMemory {
  const known = new Map<string, DecodedImage>();
  return {
    image: async (sha256, read) => {
      const remembered = known.get(sha256);
      if (remembered !== undefined) {
        // Used last: the other one is forgotten first.
        known.delete(sha256);
        known.set(sha256, remembered);
        return remembered;
      }
      const decoding = await decodeImage(await read());
      if (!decoding.ok) return null;
      // A large one is let go after its pair: the memory for it is asked for again.
      const { width, height, frames } = decoding.image;
      if (width * height * frames.length > FREE_PIXELS) return decoding.image;
      const [oldest] = known.keys();
      if (known.size >= MOST && oldest !== undefined) known.delete(oldest);
      known.set(sha256, decoding.image);
      return decoding.image;
    },
  };
}
