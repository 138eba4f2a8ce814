import type { TimedPixels } from '../pixels.ts';
import { VIDEO_LIMITS } from '../video/decode-video.ts';
import type { Libav } from '../video/libav.ts';
import { type OpenVideo, openVideo } from '../video/video-frames.ts';
import { readFrames } from '../video/video-pixels.ts';
import { VideoTimeline } from '../video/video-timeline.ts';
import type { Sequence, SequenceFrame } from './difference-of.ts';

export function imageSequence(frames: readonly SequenceFrame[]): Sequence {
  const lastS = frames.at(-1)?.atS ?? 0;
  return { frames, count: frames.length, frameS: frames.length > 1 ? lastS / (frames.length - 1) : null };
}

interface DeclaredFrames {
  readonly frames: number;
  readonly fps: number | null;
}

export function videoSequence(frames: Iterable<TimedPixels>, { frames: count, fps }: DeclaredFrames): Sequence {
  return { frames, count, frameS: count > 1 && fps !== null ? 1 / fps : null };
}

/** `close` frees FFmpeg's memory. */
export interface OpenSequence {
  readonly sequence: Sequence;
  readonly close: () => void;
}

/** Frames are decoded on demand. Throws DecodeError or NoDecoder, also later. */
export function openVideoSequence(
  libav: Libav,
  bytes: Uint8Array,
  mime: string,
  declared: DeclaredFrames,
): OpenSequence {
  const open = openVideo(libav, bytes, mime, VIDEO_LIMITS.pixels);
  return { sequence: videoSequence(timedFrames(libav, open), declared), close: open.close };
}

function* timedFrames(libav: Libav, { stream, frames }: OpenVideo): Generator<TimedPixels> {
  const reader = readFrames(libav, stream);
  const timeline = new VideoTimeline(stream);
  try {
    for (const frame of frames()) {
      timeline.add(frame);
      yield { atS: timeline.sinceFirstS, pixels: reader.pixelsOf(frame) };
    }
  } finally {
    reader.close();
  }
}
