import { type Difference, differenceOf, type Sequence } from '../media/compare/difference.ts';
import { openVideoSequence, pictureSequence } from '../media/compare/open-sequence.ts';
import { loadLibav } from '../media/video/libav.ts';
import type { PictureMemory } from './picture-memory.ts';

/** An output that decodes, as a comparison needs it. */
export interface ComparedOutput {
  readonly sha256: string;
  readonly mime: string;
  readonly frames: number;
  /** Of video; null of a picture, and where it is not known. */
  readonly fps: number | null;
}

/**
 * The difference of two outputs that decoded when they were examined. Throws where one does not any more, or there is no
 * decoder: the message says why.
 *
 * @param read gives the bytes of an output
 */
export async function compareOutputs(
  a: ComparedOutput,
  b: ComparedOutput,
  memory: PictureMemory,
  read: (sha256: string) => Promise<Uint8Array>,
): Promise<Difference> {
  const one = await openOutput(a, memory, read);
  try {
    const other = await openOutput(b, memory, read);
    try {
      return differenceOf(one.sequence, other.sequence);
    } finally {
      other.close();
    }
  } finally {
    one.close();
  }
}

async function openOutput(
  output: ComparedOutput,
  memory: PictureMemory,
  read: (sha256: string) => Promise<Uint8Array>,
): Promise<{ readonly sequence: Sequence; readonly close: () => void }> {
  const { sha256, mime } = output;
  if (mime.startsWith('image/')) {
    const picture = await memory.picture(sha256, () => read(sha256));
    if (picture === null) throw new Error('it does not decode any more');
    return { sequence: pictureSequence(picture), close: () => {} };
  }
  const loaded = await loadLibav();
  if (!loaded.ok) throw new Error(loaded.reason);
  return openVideoSequence(loaded.libav, await read(sha256), mime, output);
}
