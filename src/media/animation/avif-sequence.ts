import { createHash } from 'node:crypto';
import { DecodeError, NoDecoder, OverLimit } from '../decode-error.ts';
import type { DecodeFault, MissingDecoder } from '../facts.ts';
import { type Libav, loadLibav } from '../libav.ts';
import type { Pixels } from '../pixels.ts';
import { type OpenVideo, openVideo } from '../video/video-frames.ts';
import { readFrames } from '../video/video-pixels.ts';
import { VideoTimeline } from '../video/video-timeline.ts';

export interface DecodedSequence {
  readonly frames: readonly Pixels[];
  readonly delaysMs: readonly number[];
  /** SHA-256 over format and planes of all frames as coded. */
  readonly planesSha256: string;
}

/** `ok` is null if this machine cannot decode it. */
export type AvifDecoding =
  | { readonly ok: true; readonly sequence: DecodedSequence }
  | { readonly ok: false; readonly reason: DecodeFault }
  | { readonly ok: null; readonly reason: MissingDecoder };

export interface SequenceLimits {
  readonly frames: number;
  /** Of all frames together. */
  readonly pixels: number;
}

/** By the brands of the file type box (AV1 Image File Format, section 5.2). */
export function isAvifSequence(bytes: Uint8Array): boolean {
  if (latin1(bytes, 4, 8) !== 'ftyp') return false;
  const end = Math.min(bytes.length, 256, ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0));
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12 && latin1(bytes, at, at + 4) === 'avis') return true;
  return false;
}

/** Decodes by node-av, as sharp's libheif reads no sequences. Refuses alpha, which is a separate track. */
export async function decodeAvifSequence(bytes: Uint8Array, limits: SequenceLimits): Promise<AvifDecoding> {
  if (hasAlphaTrack(bytes)) {
    return { ok: null, reason: { code: 'not_supported', detail: 'animated AVIF with alpha is not supported' } };
  }
  const loaded = await loadLibav();
  if (!loaded.ok) return { ok: null, reason: { ...loaded.reason, needed: 'animated_avif' } };
  let open: OpenVideo | null = null;
  try {
    open = openVideo(loaded.libav, bytes, 'image/avif', limits.pixels);
    return { ok: true, sequence: readSequence(loaded.libav, open, limits) };
  } catch (error) {
    if (error instanceof DecodeError) return { ok: false, reason: error.fault };
    if (error instanceof NoDecoder) return { ok: null, reason: error.why };
    throw error;
  } finally {
    open?.close();
  }
}

function readSequence(libav: Libav, { stream, frames: decoded }: OpenVideo, limits: SequenceLimits): DecodedSequence {
  const reader = readFrames(libav, stream);
  const timeline = new VideoTimeline(stream);
  const frames: Pixels[] = [];
  const timesMs: number[] = [];
  const planes = createHash('sha256');
  let pixels = 0;
  try {
    for (const frame of decoded()) {
      timeline.add(frame);
      pixels += frame.width * frame.height;
      if (frames.length === limits.frames) throw new OverLimit(`${limits.frames} frames`);
      if (pixels > limits.pixels) throw new OverLimit(`${limits.pixels} pixels`);
      planes.update(`${frame.width} x ${frame.height}, ${frame.format}\n`).update(frame.toBuffer());
      frames.push(reader.pixelsOf(frame));
      timesMs.push(Math.round(1000 * timeline.sinceFirstS));
    }
  } finally {
    reader.close();
  }
  timeline.sum();
  const endMs = Math.round(1000 * timeline.endS);
  const delaysMs = timesMs.map((ms, number) => (timesMs[number + 1] ?? endMs) - ms);
  return { frames, delaysMs, planesSha256: planes.digest('hex') };
}

/** Whether a track has auxiliary video, by its handler (ISO/IEC 14496-12, sections 8.4.3 and 12.1). */
function hasAlphaTrack(bytes: Uint8Array): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = all.indexOf('auxv'); at >= 0; at = all.indexOf('auxv', at + 4)) {
    if (latin1(all, at - 12, at - 8) === 'hdlr') return true;
  }
  return false;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(Math.max(0, from), Math.max(0, to)));
}
