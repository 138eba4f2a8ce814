import { decodeImage } from '../media/decode.ts';
import { DecodeError, NoDecoder } from '../media/decode-error.ts';
import type { Difference } from '../media/difference.ts';
import {
  differenceOf,
  heldPixels,
  imageSequence,
  type OpenSequence,
  openVideoSequence,
  type Sequence,
} from '../media/difference-of.ts';
import { loadLibav } from '../media/libav.ts';
import type { UncomparedReason } from '../record/fact.ts';
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
 * The difference of two outputs. Throws what `uncomparedReason` explains if one does not decode. `look` gets pairs of
 * frames whose similarity is measured.
 */
export async function compareOutputs(
  a: ComparedOutput,
  b: ComparedOutput,
  memory: OutputMemory,
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
  memory: OutputMemory,
  read: (sha256: string) => Promise<Uint8Array>,
): Promise<OpenSequence> {
  const known = memory.recall(output.sha256);
  if (known !== null) return { sequence: known, close: () => {} };
  const opened = await openDecoded(output, read);
  if (!memory.holds(output)) return opened;
  try {
    const sequence = { ...opened.sequence, frames: [...opened.sequence.frames] };
    memory.keep(output, sequence);
    return { sequence, close: () => {} };
  } finally {
    opened.close();
  }
}

/** Opens an output that has decoded before. Throws NotComparable, DecodeError or NoDecoder. */
export function openDecoded(
  output: ComparedOutput,
  read: (sha256: string) => Promise<Uint8Array>,
): Promise<OpenSequence> {
  return output.mime.startsWith('image/') ? openImage(output, read) : openVideo(output, read);
}

async function openImage(
  { sha256 }: ComparedOutput,
  read: (sha256: string) => Promise<Uint8Array>,
): Promise<OpenSequence> {
  const decoding = await decodeImage(await read(sha256));
  if (!decoding.ok) throw new NotComparable({ code: 'no_longer_decodes' });
  return { sequence: imageSequence(decoding.image.frames), close: () => {} };
}

async function openVideo(output: ComparedOutput, read: (sha256: string) => Promise<Uint8Array>): Promise<OpenSequence> {
  const loaded = await loadLibav();
  if (!loaded.ok) throw new NotComparable({ ...loaded.reason, needed: 'video' });
  return openVideoSequence(loaded.libav, await read(output.sha256), output.mime, output);
}

type Dimensions = Pick<ComparedOutput, 'width' | 'height' | 'frames'>;

/** Two outputs of the size that every process may decode at any time. */
const MOST_PIXELS = 2 * FREE_PIXELS;

/** Keeps the last decoded outputs with all frames, as one output may be in many pairs. */
export class OutputMemory {
  readonly #known = new Map<string, { readonly sequence: Sequence; readonly pixels: number }>();
  #pixels = 0;

  /** Large outputs are not kept: the next pair needs their memory. */
  holds(output: Dimensions): boolean {
    return heldPixels(output) <= FREE_PIXELS;
  }

  recall(sha256: string): Sequence | null {
    const known = this.#known.get(sha256);
    if (known === undefined) return null;
    // The last one in the map is dropped last.
    this.#known.delete(sha256);
    this.#known.set(sha256, known);
    return known.sequence;
  }

  keep(output: Dimensions & Pick<ComparedOutput, 'sha256'>, sequence: Sequence): void {
    const pixels = heldPixels(output);
    this.#pixels += pixels - (this.#known.get(output.sha256)?.pixels ?? 0);
    this.#known.delete(output.sha256);
    this.#known.set(output.sha256, { sequence, pixels });
    for (const [sha256, oldest] of this.#known) {
      if (this.#pixels <= MOST_PIXELS) return;
      this.#known.delete(sha256);
      this.#pixels -= oldest.pixels;
    }
  }
}
