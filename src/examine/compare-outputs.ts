import type { Difference } from '../media/compare/difference.ts';
import { differenceOf, type Sequence } from '../media/compare/difference-of.ts';
import { imageSequence, openVideoSequence } from '../media/compare/open-sequence.ts';
import { DecodeError, NoDecoder } from '../media/decode-error.ts';
import { loadLibav } from '../media/video/libav.ts';
import type { UncomparedReason } from '../record/model/fact.ts';
import type { ImageMemory } from './image-memory.ts';

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
 */
export async function compareOutputs(
  a: ComparedOutput,
  b: ComparedOutput,
  memory: ImageMemory,
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
