import type { Frame } from 'node-av/lib';
import { NoDecoder } from './decode-error.ts';
import type { Libav } from './libav.ts';
import type { VideoShape } from './shown-shape.ts';
import { type FrameShaper, type Orientation, shapeFramesLike, UPRIGHT } from './video/frame-shaper.ts';
import { openVideoWriter, TICKS, type WriterOptions } from './video/video-writer.ts';

interface VideoMaker {
  /** Frames like the first, in the order shown. False if this FFmpeg cannot make the video. */
  readonly add: (frame: Frame, atMs: number, lastsMs: number) => boolean;
  /** Null if the file cannot be ended. Call once. */
  readonly end: () => Uint8Array | null;
  readonly close: () => void;
}

/** H.264 in MP4 without sound and metadata, of frames scaled to one size. */
function openMaker(
  libav: Libav,
  { orientation, ...options }: WriterOptions & { readonly orientation: Orientation },
): VideoMaker {
  const { width, height } = options;
  const writer = openVideoWriter(libav, options);
  const shaped = new libav.Frame();
  shaped.alloc();
  let shaper: FrameShaper | null = null;
  return {
    add: (frame, atMs, lastsMs) => {
      const timeBase = { num: 1, den: TICKS };
      shaper ??= shapeFramesLike(libav, frame, { width, height, format: 'yuv420p', orientation, timeBase });
      if (writer === null || shaper?.shape(frame, shaped) !== true) return false;
      shaped.pts = BigInt(atMs);
      shaped.duration = BigInt(lastsMs);
      const isWritten = writer.write(shaped);
      shaped.unref();
      return isWritten;
    },
    end: () => writer?.end() ?? null,
    close: () => {
      shaped.free();
      shaper?.close();
      writer?.close();
    },
  };
}

/** Close to the delivered quality: people judge the output, not our compression. */
const COPY_RATE_FACTOR = 18;
const COPY_BITS_PER_SECOND = 3_000_000;

/** `images`: RGB bytes in the size of the shape. Throws NoDecoder if this FFmpeg cannot make it. */
export async function videoCopy(
  libav: Libav,
  { width, height, fps }: VideoShape,
  images: AsyncIterable<Buffer>,
): Promise<Uint8Array> {
  const quality = { rateFactor: COPY_RATE_FACTOR, bitsPerSecond: COPY_BITS_PER_SECOND };
  const maker = openMaker(libav, { width, height, orientation: UPRIGHT, ...quality });
  const raw = { width, height, format: libav.AV_PIX_FMT_RGB24, timeBase: { num: 1, den: TICKS } };
  let at = 0;
  try {
    for await (const image of images) {
      const startsMs = Math.round((TICKS * at) / fps);
      at += 1;
      const frame: Frame = libav.Frame.fromVideoBuffer(image, raw);
      try {
        if (!maker.add(frame, startsMs, Math.round((TICKS * at) / fps) - startsMs)) throw cannotEncode();
      } finally {
        frame.free();
      }
    }
    const mp4 = maker.end();
    if (mp4 === null) throw cannotEncode();
    return mp4;
  } finally {
    maker.close();
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

/** After a failure `end` gives null: a video is valid without a preview. */
export function previewOf(libav: Libav, options: PreviewOptions): PreviewMaker {
  const { width, height, orientation = UPRIGHT, fps } = options;
  const quality = { rateFactor: PREVIEW_RATE_FACTOR, bitsPerSecond: rateOf(options) };
  const maker = openMaker(libav, { width, height, orientation, ...quality });
  let failed = false;
  let first: FrameKind | null = null;
  let lastMs = Number.NEGATIVE_INFINITY;
  const leastGapMs = fps > FASTEST_FPS * 1.25 ? 1000 / FASTEST_FPS : 1;
  const lastsMs = Math.round(Math.max(leastGapMs, fps > 0 ? TICKS / fps : 1));
  return {
    add: (frame, atS) => {
      const ms = Math.round(atS * TICKS);
      // Half a frame early is in time, so that 50 frames a second become every second one.
      if (failed || atS >= PREVIEW_SECONDS || ms < lastMs + leastGapMs - 500 / fps || ms <= lastMs) return;
      lastMs = ms;
      first ??= kindOf(frame);
      failed = !isSame(first, kindOf(frame)) || !maker.add(frame, ms, lastsMs);
    },
    end: () => (failed ? null : maker.end()),
    close: () => maker.close(),
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
