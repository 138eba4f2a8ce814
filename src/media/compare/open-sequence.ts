import type { DecodedImage } from '../decode.ts';
import type { TimedPixels } from '../pixels.ts';
import { VIDEO_LIMITS } from '../video/decode-video.ts';
import type { Libav } from '../video/libav.ts';
import { type OpenVideo, openVideo } from '../video/video-frames.ts';
import { readFrames } from '../video/video-pixels.ts';
import { VideoTimeline } from '../video/video-timeline.ts';
import type { Sequence } from './difference-of.ts';

export function imageSequence({ frames }: DecodedImage): Sequence {
  const lastS = frames.at(-1)?.atS ?? 0;
  return { frames, count: frames.length, frameS: frames.length > 1 ? lastS / (frames.length - 1) : null };
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
  { frames: count, fps }: { readonly frames: number; readonly fps: number | null },
): OpenSequence {
  const open = openVideo(libav, bytes, mime, VIDEO_LIMITS.pixels);
  return {
    sequence: { frames: timedFrames(libav, open), count, frameS: count > 1 && fps !== null ? 1 / fps : null },
    close: open.close,
  };
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
