import type { Difference } from '../media/compare/difference.ts';
import { differenceOf, type Sequence } from '../media/compare/difference-of.ts';
import { imageSequence, openVideoSequence } from '../media/compare/open-sequence.ts';
import { type DecodedImage, decodeImage } from '../media/decode.ts';
import { DecodeError, NoDecoder } from '../media/decode-error.ts';
import { loadLibav } from '../media/video/libav.ts';
import type { UncomparedReason } from '../record/model/fact.ts';
import { FREE_PIXELS } from './decode-budget.ts';

export interface ComparedOutput {
  readonly sha256: string;
  readonly mime: string;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Null for an image, and if unknown. */
  readonly fps: number | null;
}

export class NotComparable extends Error {
  readonly reason: UncomparedReason;

  constructor(reason: UncomparedReason) {
    super(reason.code);
    this.name = 'NotComparable';
    this.reason = reason;
  }
}

export function uncomparedReason(error: unknown): UncomparedReason {
  if (error instanceof NotComparable) return error.reason;
  if (error instanceof DecodeError) return error.fault;
  if (error instanceof NoDecoder) return error.why;
  return { code: 'failed', detail: error instanceof Error ? error.message : String(error) };
}

/**
 * Throws if one no longer decodes, or there is no decoder: see `uncomparedReason`.
 * @param read gives the bytes of an output
 * @param look is handed each two frames whose similarity is measured
 */
export async function compareOutputs(
  a: ComparedOutput,
  b: ComparedOutput,
  memory: ImageMemory,
  read: (sha256: string) => Promise<Uint8Array>,
  look?: Parameters<typeof differenceOf>[2],
): Promise<Difference> {
  const one = await openOutput(a, memory, read);
  try {
    const other = await openOutput(b, memory, read);
    try {
      return differenceOf(one.sequence, other.sequence, look);
    } finally {
      other.close();
    }
  } finally {
    one.close();
  }
}

async function openOutput(
  output: ComparedOutput,
  memory: ImageMemory,
  read: (sha256: string) => Promise<Uint8Array>,
): Promise<{ readonly sequence: Sequence; readonly close: () => void }> {
  const { sha256, mime } = output;
  if (mime.startsWith('image/')) {
    const image = await memory.image(sha256, () => read(sha256));
    if (image === null) throw new NotComparable({ code: 'no_longer_decodes' });
    return { sequence: imageSequence(image), close: () => {} };
  }
  const loaded = await loadLibav();
  if (!loaded.ok) throw new NotComparable({ ...loaded.reason, needed: 'video' });
  return openVideoSequence(loaded.libav, await read(sha256), mime, output);
}

/** Keeps the last decoded images, because an image may be in many pairs. */
interface ImageMemory {
  readonly image: (sha256: string, read: () => Promise<Uint8Array>) => Promise<DecodedImage | null>;
}

/** A comparison needs two. */
const MOST_REMEMBERED = 2;

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
      if (known.size >= MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
      known.set(sha256, decoding.image);
      return decoding.image;
    },
  };
}
