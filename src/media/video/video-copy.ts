import type { Frame } from 'node-av/lib';
import { NoDecoder } from '../decode-error.ts';
import { type FrameShaper, shapeFramesLike } from './frame-shaper.ts';
import type { Libav } from './libav.ts';
import { UPRIGHT } from './orientation.ts';
import { openVideoWriter, TICKS } from './video-writer.ts';

/** How an output that moves is shown to somebody: two of one shape differ only in what they show. */
export interface VideoShape {
  /** In pixels; both even. */
  readonly width: number;
  readonly height: number;
  /** Frames a second. */
  readonly fps: number;
  readonly frames: number;
}

/** Close to what was delivered: people judge the output, not our compression. */
const RATE_FACTOR = 18;
const BITS_PER_SECOND = 3_000_000;

/**
 * H.264 in MP4 without sound and metadata.
 *
 * @param images red, green and blue bytes of each frame, in the size of the shape
 * @throws NoDecoder if this build of FFmpeg cannot make it
 */
export async function videoCopy(
  libav: Libav,
  { width, height, fps }: VideoShape,
  images: AsyncIterable<Buffer>,
): Promise<Uint8Array> {
  const writer = openVideoWriter(libav, { width, height, rateFactor: RATE_FACTOR, bitsPerSecond: BITS_PER_SECOND });
  if (writer === null) throw cannotEncode();
  const shaped = new libav.Frame();
  shaped.alloc();
  const timeBase = { num: 1, den: TICKS };
  let shaper: FrameShaper | null = null;
  let at = 0;
  try {
    for await (const image of images) {
      const frame: Frame = libav.Frame.fromVideoBuffer(image, {
        width,
        height,
        format: libav.AV_PIX_FMT_RGB24,
        timeBase,
      });
      try {
        const shape = { width, height, format: 'yuv420p', orientation: UPRIGHT, timeBase } as const;
        shaper ??= shapeFramesLike(libav, frame, shape);
        if (shaper?.shape(frame, shaped) !== true) throw cannotEncode();
      } finally {
        frame.free();
      }
      const startsMs = Math.round((TICKS * at) / fps);
      at += 1;
      shaped.pts = BigInt(startsMs);
      shaped.duration = BigInt(Math.round((TICKS * at) / fps) - startsMs);
      if (!writer.write(shaped)) throw cannotEncode();
      shaped.unref();
    }
    const mp4 = writer.end();
    if (mp4 === null) throw cannotEncode();
    return mp4;
  } finally {
    shaped.free();
    shaper?.close();
    writer.close();
  }
}

function cannotEncode(): NoDecoder {
  return new NoDecoder('this build of FFmpeg makes no H.264');
}
