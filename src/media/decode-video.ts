import { createHash } from 'node:crypto';
import type { Frame } from 'node-av/lib';
import sharp from 'sharp';
import { shapeFramesLike } from './frame-shaper.ts';
import { type Libav, loadLibav } from './libav.ts';
import { missingTail } from './missing-tail.ts';
import { type Orientation, swapsSides } from './orientation.ts';
import { DamagedVideo, NoDecoder, type OpenVideo, openVideo, type VideoStream } from './video-frames.ts';
import { type PreviewMaker, previewOf } from './video-preview.ts';
import { VideoTimeline } from './video-timeline.ts';

/** A video that decoded to its last frame. */
export interface DecodedVideo {
  /** In pixels, as shown: after the turn the file declares. Of the first frame. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Frames a second, on average. Null, as the duration, for a single frame that nothing is told of. */
  readonly fps: number | null;
  readonly durationS: number | null;
  /** FFmpeg's names: `h264`, `yuv420p`. */
  readonly codec: string;
  readonly pixelFormat: string;
  /**
   * MD5 of each frame in the order shown: of its raw planes as coded (not turned), one after the other, without
   * padding. Those of `ffmpeg -noautorotate -i x -map 0:v:0 -fps_mode passthrough -f framemd5 -`.
   */
  readonly frameDigests: readonly string[];
}

/** What a decoder made of some bytes. `ok` is null where there is no decoder on this machine: nothing is known then. */
export type VideoDecoding =
  | {
      readonly ok: true;
      readonly video: DecodedVideo;
      /** The first frame as WebP, longer side at most 256 pixels. */
      readonly poster: Uint8Array;
      /** A clip of the same size without sound, MP4 with H.264; null where this build of FFmpeg cannot make one. */
      readonly preview: Uint8Array | null;
    }
  | { readonly ok: false; readonly reason: string }
  | { readonly ok: null; readonly reason: string };

export interface VideoLimits {
  /** Of one frame. */
  readonly pixels: number;
  readonly frames: number;
  readonly seconds: number;
  /** Of all frames together, decoded. */
  readonly bytes: number;
}

/** Frames of 8K, ten minutes at 30 a second, and as many bytes as three minutes of full HD have. */
export const VIDEO_LIMITS: VideoLimits = {
  pixels: 8192 * 4320,
  frames: 18_000,
  seconds: 600,
  bytes: 16 * 1024 * 1024 * 1024,
};

/** The longer side of poster and preview, in pixels. */
const SMALL_SIDE = 256;

/**
 * Decodes a video whole, each frame once, so that one cut off or damaged anywhere is found; hashes its frames, and makes
 * a poster and a preview. `mime` is what the bytes were sniffed to be. What is wrong with the bytes is a reason, never a
 * throw. Sound is passed over, and pixels are taken for square.
 */
export async function decodeVideo(
  bytes: Uint8Array,
  mime: string,
  limits: VideoLimits = VIDEO_LIMITS,
): Promise<VideoDecoding> {
  const loaded = await loadLibav();
  if (!loaded.ok) return { ok: null, reason: loaded.reason };
  const missing = missingTail(bytes, mime);
  if (missing !== null) return { ok: false, reason: missing };
  let open: OpenVideo | null = null;
  try {
    open = openVideo(loaded.libav, bytes, mime, limits.pixels);
    const { poster, ...decoding } = decodeFrames(loaded.libav, open, limits);
    return { ok: true, ...decoding, poster: await webp(poster) };
  } catch (error) {
    if (error instanceof DamagedVideo) return { ok: false, reason: error.message };
    if (error instanceof NoDecoder) return { ok: null, reason: error.message };
    throw error;
  } finally {
    open?.close();
  }
}

/** One digest over those of all frames: SHA-256 of each as hex and a line feed. Equal where every frame is. */
export function digestOfFrames(frameDigests: readonly string[]): string {
  const digest = createHash('sha256');
  for (const each of frameDigests) digest.update(`${each}\n`);
  return digest.digest('hex');
}

interface RawPicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Buffer;
}

function decodeFrames(
  libav: Libav,
  { stream, frames }: OpenVideo,
  limits: VideoLimits,
): { readonly video: DecodedVideo; readonly poster: RawPicture; readonly preview: Uint8Array | null } {
  const frameDigests: string[] = [];
  const timeline = new VideoTimeline(stream);
  let first: { width: number; height: number; pixelFormat: string; poster: RawPicture } | null = null;
  let preview: PreviewMaker | null = null;
  let total = 0;
  try {
    for (const frame of frames()) {
      const raw = frame.toBuffer();
      total += raw.length;
      timeline.add(frame);
      if (frameDigests.length === limits.frames) throw new DamagedVideo(`over the limit of ${limits.frames} frames`);
      if (timeline.endS > limits.seconds) throw new DamagedVideo(`over the limit of ${limits.seconds} s`);
      if (total > limits.bytes) throw new DamagedVideo(`over the limit of ${limits.bytes} bytes of decoded frames`);
      frameDigests.push(createHash('md5').update(raw).digest('hex'));
      first ??= {
        ...shownSize(frame, stream.orientation),
        pixelFormat: pixelFormatOf(libav, frame),
        poster: posterOf(libav, frame, stream),
      };
      preview ??= previewOf(libav, {
        ...even(smallSize(shownSize(frame, stream.orientation))),
        orientation: stream.orientation,
        fps: stream.declaredFps ?? 0,
        durationS: stream.declaredDurationS,
      });
      preview.add(frame, timeline.sinceFirstS);
    }
    if (first === null) throw new DamagedVideo('no frame of it decodes');
    const { width, height, pixelFormat, poster } = first;
    const video = { width, height, ...timeline.sum(), codec: stream.codec, pixelFormat, frameDigests };
    return { video, poster, preview: preview?.end() ?? null };
  } finally {
    preview?.close();
  }
}

function shownSize(
  { width, height }: { readonly width: number; readonly height: number },
  orientation: Orientation,
): { readonly width: number; readonly height: number } {
  return swapsSides(orientation) ? { width: height, height: width } : { width, height };
}

/** Into a square of SMALL_SIDE pixels, never enlarged. */
function smallSize({ width, height }: { readonly width: number; readonly height: number }): {
  readonly width: number;
  readonly height: number;
} {
  const share = Math.min(1, SMALL_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
}

/** Halved chroma takes even sides. */
function even({ width, height }: { readonly width: number; readonly height: number }): {
  readonly width: number;
  readonly height: number;
} {
  return { width: Math.max(2, 2 * Math.round(width / 2)), height: Math.max(2, 2 * Math.round(height / 2)) };
}

function pixelFormatOf(libav: Libav, frame: Frame): string {
  return libav.avGetPixFmtName(Number(frame.format) as Parameters<Libav['avGetPixFmtName']>[0]) ?? 'unknown';
}

function posterOf(libav: Libav, frame: Frame, { orientation, timeBase }: VideoStream): RawPicture {
  const size = smallSize(shownSize(frame, orientation));
  const shaper = shapeFramesLike(libav, frame, { ...size, format: 'rgb24', orientation, timeBase });
  const shaped = new libav.Frame();
  shaped.alloc();
  try {
    if (shaper === null || !shaper.shape(frame, shaped)) throw new NoDecoder('its first frame cannot be converted');
    return { ...size, rgb: shaped.toBuffer() };
  } finally {
    shaped.free();
    shaper?.close();
  }
}

function webp({ width, height, rgb }: RawPicture): Promise<Uint8Array> {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .webp({ quality: 82 })
    .toBuffer();
}
