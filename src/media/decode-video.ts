import { createHash } from 'node:crypto';
import { smallThumbnailOf, thumbnailOf } from './decode.ts';
import { DecodeError, NoDecoder, OverLimit } from './decode-error.ts';
import type { DecodeFault, ImageIntegrity, MissingDecoder, VideoSignals } from './facts.ts';
import { type Libav, loadLibav, pixelFormatName } from './libav.ts';
import { hashOf, type Pdq, pdq } from './pdq.ts';
import type { Pixels, TimedPixels } from './pixels.ts';
import { integrityOf } from './signals/blank.ts';
import { openVideoSignals } from './signals/video-signals.ts';
import { onGrounds, type Views, viewsOf } from './still/grounds.ts';
import { type Orientation, swapsSides } from './video/frame-shaper.ts';
import { digestOfStreams, missingTail } from './video/stream-digest.ts';
import { type OpenVideo, openVideo } from './video/video-frames.ts';
import { readFrames, VideoTimeline } from './video/video-pixels.ts';
import { type PreviewMaker, previewOf } from './video-copies.ts';

export interface DecodedVideo {
  /** In pixels, after the turn that the file declares; of the first frame. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Mean frames per second. Null, as the duration, for a single frame without either. */
  readonly fps: number | null;
  readonly durationS: number | null;
  /** FFmpeg's names: `h264`, `yuv420p`. */
  readonly codec: string;
  readonly pixelFormat: string;
  /**
   * MD5 of each frame in the order shown: of its planes as coded, without padding or turn. As `ffmpeg -noautorotate -i
   * x -map 0:v:0 -fps_mode passthrough -f framemd5 -`.
   */
  readonly frameDigests: readonly string[];
  /** SHA-256 over size, turn, declared display, rate, format, number and digests of the frames. */
  readonly pixelSha256: string;
  /** SHA-256 without metadata, of MP4 and QuickTime; null for other formats. */
  readonly strippedSha256: string | null;
  readonly hash: Pdq;
  readonly first: ImageIntegrity;
  /** Of the first 1,200 frames, scaled down to fit 1280 pixels. */
  readonly moving: VideoSignals;
}

/** `ok` is null without a decoder on this machine. */
export type VideoDecoding =
  | {
      readonly ok: true;
      readonly video: DecodedVideo;
      /** The first frame as WebP, longer side at most 256 pixels. */
      readonly poster: Uint8Array;
      /** At most 200 pixels; null if the poster is no larger. */
      readonly smallPoster: Uint8Array | null;
      /** MP4 with H.264, size of the poster, without sound; null if this FFmpeg cannot make one. */
      readonly preview: Uint8Array | null;
    }
  | { readonly ok: false; readonly reason: DecodeFault }
  | { readonly ok: null; readonly reason: MissingDecoder };

export interface VideoLimits {
  readonly pixels: number;
  readonly frames: number;
  readonly seconds: number;
  readonly bytes: number;
}

/** Frames of 8K, ten minutes at 30 per second, and the bytes of three minutes of full HD. */
export const VIDEO_LIMITS: VideoLimits = {
  pixels: 8192 * 4320,
  frames: 18_000,
  seconds: 600,
  bytes: 16 * 1024 * 1024 * 1024,
};

const SMALL_SIDE = 256;

/** Frames for signals are scaled down to this side, and limited in number, to save time in long videos. */
const SIGNAL_SIDE = 1280;
const SIGNAL_FRAMES = 1200;

/**
 * Decodes a whole video, each frame once, to find any damage; hashes frames, and makes poster and preview. `mime` is
 * the sniffed type; `look` gets each unscaled frame of the signals. Never throws for its bytes. Ignores sound; shows
 * pixels as square.
 */
export async function decodeVideo(
  bytes: Uint8Array,
  mime: string,
  limits: VideoLimits = VIDEO_LIMITS,
  look: (frame: TimedPixels) => void = () => {},
): Promise<VideoDecoding> {
  const loaded = await loadLibav();
  if (!loaded.ok) return { ok: null, reason: { ...loaded.reason, needed: 'video' } };
  const missing = missingTail(bytes, mime);
  if (missing !== null) return { ok: false, reason: missing };
  let open: OpenVideo | null = null;
  try {
    open = openVideo(loaded.libav, bytes, mime, limits.pixels);
    const { video, poster, preview } = decodeFrames(loaded.libav, open, limits, look);
    const strippedSha256 = digestOfStreams(loaded.libav, bytes, mime);
    const smallPoster = await smallThumbnailOf(poster);
    return { ok: true, video: { ...video, strippedSha256 }, poster: await thumbnailOf(poster), smallPoster, preview };
  } catch (error) {
    if (error instanceof DecodeError) return { ok: false, reason: error.fault };
    if (error instanceof NoDecoder) return { ok: null, reason: error.why };
    throw error;
  } finally {
    open?.close();
  }
}

/** SHA-256 of each frame's digest as hex and a line feed. */
export function digestOfFrames(frameDigests: readonly string[]): string {
  const digest = createHash('sha256');
  for (const frameDigest of frameDigests) digest.update(`${frameDigest}\n`);
  return digest.digest('hex');
}

interface FirstFrame {
  readonly width: number;
  readonly height: number;
  readonly pixelFormat: string;
  readonly poster: Pixels;
  readonly hash: Pdq;
  readonly first: ImageIntegrity;
}

function decodeFrames(
  libav: Libav,
  { stream, frames }: OpenVideo,
  limits: VideoLimits,
  look: (frame: TimedPixels) => void,
): {
  readonly video: Omit<DecodedVideo, 'strippedSha256'>;
  readonly poster: Pixels;
  readonly preview: Uint8Array | null;
} {
  const frameDigests: string[] = [];
  const timeline = new VideoTimeline(stream);
  const small = readFrames(libav, stream, SMALL_SIDE);
  const reader = readFrames(libav, stream, SIGNAL_SIDE);
  const signals = openVideoSignals();
  let seen: readonly (Views | undefined)[] = [];
  let display = '';
  let displays = '';
  let first: FirstFrame | null = null;
  let preview: PreviewMaker | null = null;
  let total = 0;
  try {
    for (const frame of frames()) {
      const raw = frame.toBuffer();
      total += raw.length;
      timeline.add(frame);
      if (frameDigests.length === limits.frames) throw new OverLimit(`${limits.frames} frames`);
      if (timeline.endS > limits.seconds) throw new OverLimit(`${limits.seconds} s`);
      if (total > limits.bytes) throw new OverLimit(`${limits.bytes} bytes of decoded frames`);
      const digest = createHash('md5').update(raw).digest('hex');
      frameDigests.push(digest);
      const displayBefore = display;
      display = stream.displayOf(frame);
      if (display !== displayBefore) displays += `, from frame ${frameDigests.length}${display}`;
      if (first === null || frameDigests.length <= SIGNAL_FRAMES) {
        const pixels = reader.pixelsOf(frame);
        if (pixels.width * pixels.height === frame.width * frame.height) look({ atS: timeline.sinceFirstS, pixels });
        // Two in turn: signals compare a frame with the one before.
        const views = viewsOf(pixels, seen[0]);
        seen = [seen[1], views];
        signals.add(views, digest, timeline.sinceFirstS);
        first ??= {
          ...shownSize(frame, stream.orientation),
          pixelFormat: pixelFormatName(libav, frame) ?? 'unknown',
          poster: small.pixelsOf(frame),
          hash: hashOf(onGrounds(views, (luma) => pdq(luma))),
          first: integrityOf(pixels, views),
        };
      }
      preview ??= previewOf(libav, {
        ...even(smallSize(shownSize(frame, stream.orientation))),
        orientation: stream.orientation,
        fps: stream.declaredFps ?? 0,
        durationS: stream.declaredDurationS,
      });
      preview.add(frame, timeline.sinceFirstS);
    }
    if (first === null) throw new DecodeError('it has no frame that decodes');
    const { poster, ...ofFirst } = first;
    const shown = { ...ofFirst, ...timeline.sum(), codec: stream.codec, frameDigests };
    const video = { ...shown, pixelSha256: digestOfVideo(shown, stream.orientation, displays), moving: signals.end() };
    return { video, poster, preview: preview?.end() ?? null };
  } finally {
    preview?.close();
    small.close();
    reader.close();
  }
}

const USUAL_RATES = [5, 6, 7.5, 8, 10, 12, 12.5, 15, 16, 20, 24, 25, 30, 48, 50, 60, 90, 100, 120];

/**
 * The usual rate within 1 %, else to a tenth: times rounded to milliseconds, as in WebM, hide the difference of 23.976
 * and 24 in a short video.
 */
function nominalRate(fps: number): string {
  const usual = USUAL_RATES.find((rate) => Math.abs(fps / rate - 1) <= 0.01);
  return usual === undefined ? fps.toFixed(1) : String(usual);
}

/** Frames are digested as coded, so it adds how they are shown. */
function digestOfVideo(
  {
    width,
    height,
    fps,
    pixelFormat,
    frameDigests,
  }: Pick<DecodedVideo, 'width' | 'height' | 'fps' | 'pixelFormat' | 'frameDigests'>,
  { quarters, mirrored }: Orientation,
  displays: string,
): string {
  const turned = quarters === 0 && !mirrored ? '' : `, turned by ${quarters} quarters${mirrored ? ', mirrored' : ''}`;
  return createHash('sha256')
    .update(`${width} x ${height}, ${fps === null ? 'no' : nominalRate(fps)} fps, ${pixelFormat}${turned}${displays}\n`)
    .update(digestOfFrames(frameDigests))
    .digest('hex');
}

function shownSize(
  { width, height }: { readonly width: number; readonly height: number },
  orientation: Orientation,
): { readonly width: number; readonly height: number } {
  return swapsSides(orientation) ? { width: height, height: width } : { width, height };
}

function smallSize({ width, height }: { readonly width: number; readonly height: number }): {
  readonly width: number;
  readonly height: number;
} {
  const share = Math.min(1, SMALL_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
}

/** Halved chroma needs even sides. */
function even({ width, height }: { readonly width: number; readonly height: number }): {
  readonly width: number;
  readonly height: number;
} {
  return { width: Math.max(2, 2 * Math.round(width / 2)), height: Math.max(2, 2 * Math.round(height / 2)) };
}
