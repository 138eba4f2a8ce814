import type { Frame } from 'node-av/lib';
import { NoDecoder } from './decode-error.ts';
import type { Libav } from './libav.ts';
import type { VideoShape } from './shown-shape.ts';
import { type FrameShaper, type Orientation, shapeFramesLike, UPRIGHT } from './video/frame-shaper.ts';
import { openVideoWriter, TICKS, type VideoWriter } from './video/video-writer.ts';

/** Close to the delivered quality: people judge the output, not our compression. */
const COPY_RATE_FACTOR = 18;
const COPY_BITS_PER_SECOND = 3_000_000;

/**
 * H.264 in MP4 without sound and metadata. `images`: RGB bytes in the size of the shape. Throws NoDecoder if this
 * FFmpeg cannot make it.
 */
export async function videoCopy(
  libav: Libav,
  { width, height, fps }: VideoShape,
  images: AsyncIterable<Buffer>,
): Promise<Uint8Array> {
  const writer = openVideoWriter(libav, {
    width,
    height,
    rateFactor: COPY_RATE_FACTOR,
    bitsPerSecond: COPY_BITS_PER_SECOND,
  });
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

export interface PreviewMaker {
  readonly add: (frame: Frame, atS: number) => void;
  /** MP4; null if this FFmpeg cannot make it. Call once. */
  readonly end: () => Uint8Array | null;
  readonly close: () => void;
}

export interface PreviewOptions {
  /** In pixels, as shown; both even. */
  readonly width: number;
  readonly height: number;
  /** As the frames declare it; upright by default. */
  readonly orientation?: Orientation;
  /** Of the video; a faster one loses frames. */
  readonly fps: number;
  readonly durationS: number | null;
}

const PREVIEW_SECONDS = 6;
/** Approximate maximum: it limits the encoder's rate. */
const PREVIEW_BYTES = 60_000;
const MOST_BITS_PER_SECOND = 240_000;
const FASTEST_FPS = 25;
/** Of x264's 0 (lossless) to 51. */
const PREVIEW_RATE_FACTOR = 28;

/** H.264 without sound. After a failure `end` gives null: a video is valid without a preview. */
export function previewOf(libav: Libav, options: PreviewOptions): PreviewMaker {
  const codec = libav.Codec.findEncoderByName(libav.FF_ENCODER_LIBX264);
  let shaper: FrameShaper | null = null;
  let writer: VideoWriter | null = null;
  let failed = codec === null;
  let first: FrameKind | null = null;
  let lastMs = Number.NEGATIVE_INFINITY;
  const shaped = new libav.Frame();
  shaped.alloc();
  const leastGapMs = options.fps > FASTEST_FPS * 1.25 ? 1000 / FASTEST_FPS : 1;
  return {
    add: (frame, atS) => {
      const ms = Math.round(atS * TICKS);
      // Half a frame early is in time, so that 50 frames a second become every second one.
      if (failed || atS >= PREVIEW_SECONDS || ms < lastMs + leastGapMs - 500 / options.fps || ms <= lastMs) return;
      lastMs = ms;
      first ??= kindOf(frame);
      if (!isSame(first, kindOf(frame))) {
        failed = true;
        return;
      }
      shaper ??= shapeFramesLike(libav, frame, {
        ...options,
        orientation: options.orientation ?? UPRIGHT,
        format: 'yuv420p',
        timeBase: { num: 1, den: TICKS },
      });
      writer ??=
        shaper === null
          ? null
          : openVideoWriter(libav, { ...options, rateFactor: PREVIEW_RATE_FACTOR, bitsPerSecond: rateOf(options) });
      if (shaper === null || writer === null || !shaper.shape(frame, shaped)) {
        failed = true;
        return;
      }
      shaped.pts = BigInt(ms);
      shaped.duration = BigInt(Math.round(Math.max(leastGapMs, options.fps > 0 ? TICKS / options.fps : 1)));
      failed = !writer.write(shaped);
      shaped.unref();
    },
    end: () => (failed || writer === null ? null : writer.end()),
    close: () => {
      shaped.free();
      shaper?.close();
      writer?.close();
    },
  };
}

type FrameKind = Pick<Frame, 'width' | 'height' | 'format'>;

function kindOf({ width, height, format }: Frame): FrameKind {
  return { width, height, format };
}

function isSame(a: FrameKind, b: FrameKind): boolean {
  return a.width === b.width && a.height === b.height && a.format === b.format;
}

function rateOf({ durationS }: PreviewOptions): number {
  const seconds = Math.min(PREVIEW_SECONDS, Math.max(1, durationS ?? PREVIEW_SECONDS));
  return Math.min(MOST_BITS_PER_SECOND, Math.floor((8 * PREVIEW_BYTES) / seconds));
}
