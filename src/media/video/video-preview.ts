import type { Frame } from 'node-av/lib';
import { type FrameShaper, shapeFramesLike } from './frame-shaper.ts';
import type { Libav } from './libav.ts';
import type { Orientation } from './orientation.ts';
import { openVideoWriter, TICKS, type VideoWriter } from './video-writer.ts';

export interface PreviewMaker {
  readonly add: (frame: Frame, atS: number) => void;
  /** MP4; null if this build of FFmpeg cannot make it. Call once. */
  readonly end: () => Uint8Array | null;
  readonly close: () => void;
}

export interface PreviewOptions {
  /** In pixels, as shown; both even. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Of the video; a faster one loses frames. */
  readonly fps: number;
  readonly durationS: number | null;
}

const PREVIEW_SECONDS = 6;
/** The approximate maximum: it limits the encoder's rate. */
const PREVIEW_BYTES = 60_000;
const MOST_BITS_PER_SECOND = 240_000;
const FASTEST_FPS = 25;
/** Of x264's 0 (lossless) to 51. */
const RATE_FACTOR = 28;

/** H.264 without sound. If anything fails, `end` gives null: a video is valid without a preview. */
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
      shaper ??= shapeFramesLike(libav, frame, { ...options, format: 'yuv420p', timeBase: { num: 1, den: TICKS } });
      writer ??=
        shaper === null
          ? null
          : openVideoWriter(libav, { ...options, rateFactor: RATE_FACTOR, bitsPerSecond: rateOf(options) });
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
