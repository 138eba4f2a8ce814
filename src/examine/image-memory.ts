import { type DecodedImage, decodeImage } from '../media/decode.ts';
import { FREE_PIXELS } from './decode-budget.ts';

/** Keeps the last decoded images, because an image may be in many pairs. */
export interface ImageMemory {
  readonly image: (sha256: string, read: () => Promise<Uint8Array>) => Promise<DecodedImage | null>;
}

/** A comparison needs two. */
const MOST = 2;

export function rememberImages(): ImageMemory {
  const known = new Map<string, DecodedImage>();
  return {
    image: async (sha256, read) => {
      const remembered = known.get(sha256);
      if (remembered !== undefined) {
        // Moves it to the end: the other one is dropped first.
        known.delete(sha256);
        known.set(sha256, remembered);
        return remembered;
      }
      const decoding = await decodeImage(await read());
      if (!decoding.ok) return null;
      // A large one is dropped after its pair: its memory is requested again.
      const { width, height, frames } = decoding.image;
      if (width * height * frames.length > FREE_PIXELS) return decoding.image;
      const [oldest] = known.keys();
      if (known.size >= MOST && oldest !== undefined) known.delete(oldest);
      known.set(sha256, decoding.image);
      return decoding.image;
    },
  };
}
