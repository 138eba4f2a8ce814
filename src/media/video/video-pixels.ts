import type { Frame } from 'node-av/lib';
import { DecodeError, NoDecoder } from '../decode-error.ts';
import type { Libav } from '../libav.ts';
import { emptyTransparent, type Pixels } from '../pixels.ts';
import { type FrameShaper, hasAlpha, shapeFramesLike, swapsSides } from './frame-shaper.ts';
import type { VideoStream } from './video-frames.ts';

/** Frames as shown: upright, in sRGB's primaries as coded, 8 bits, with alpha if the format has it. */
interface FrameReader {
  /** The caller owns the pixels. Throws NoDecoder if this FFmpeg cannot convert them. */
  readonly pixelsOf: (frame: Frame) => Pixels;
  readonly close: () => void;
}

export function readFrames(libav: Libav, { orientation, timeBase }: VideoStream, mostSide = Infinity): FrameReader {
  let shaper: FrameShaper | null = null;
  let shapedFor = '';
  let channels: 3 | 4 = 3;
  const shaped = new libav.Frame();
  shaped.alloc();
  return {
    pixelsOf: (frame) => {
      const turned = swapsSides(orientation);
      const [shownWidth, shownHeight] = turned ? [frame.height, frame.width] : [frame.width, frame.height];
      const scale = Math.min(1, mostSide / Math.max(shownWidth, shownHeight));
      const width = Math.max(1, Math.round(shownWidth * scale));
      const height = Math.max(1, Math.round(shownHeight * scale));
      const kind = [frame.width, frame.height, frame.format, frame.colorSpace, frame.colorRange].join(' ');
      if (shaper === null || kind !== shapedFor) {
        shaper?.close();
        channels = hasAlpha(libav, frame) ? 4 : 3;
        const format = channels === 4 ? 'rgba' : 'rgb24';
        shaper = shapeFramesLike(libav, frame, { width, height, format, orientation, timeBase });
        shapedFor = kind;
      }
      if (shaper === null || !shaper.shape(frame, shaped)) throw new NoDecoder('its frames cannot be converted');
      const data = new Uint8Array(shaped.toBuffer());
      shaped.unref();
      if (channels === 4) emptyTransparent(data);
      return { width, height, channels, depth: 8, data };
    },
    close: () => {
      shaped.free();
      shaper?.close();
    },
  };
}

interface FrameTimes {
  readonly bestEffortTimestamp: bigint;
  /** 0: unknown. */
  readonly duration: bigint;
}

export type DeclaredTimes = Pick<VideoStream, 'tickS' | 'declaredFps' | 'declaredDurationS' | 'declaredFrames'>;

export class VideoTimeline {
  readonly #stream: DeclaredTimes;
  #frames = 0;
  #firstS = 0;
  #lastS = 0;
  #lastDurationS = 0;

  constructor(stream: DeclaredTimes) {
    this.#stream = stream;
  }

  /** In the order shown; times are in ticks of the stream. */
  add({ bestEffortTimestamp: ticks, duration }: FrameTimes): void {
    const { tickS, declaredFps } = this.#stream;
    // A frame without a time stamp follows the one before it.
    const next = this.#frames === 0 ? 0 : this.#lastS + (this.#lastDurationS || 1 / (declaredFps ?? 25));
    const atS = ticks > NO_TIMESTAMP ? Number(ticks) * tickS : next;
    if (this.#frames === 0) this.#firstS = atS;
    this.#frames += 1;
    this.#lastS = Math.max(this.#lastS, atS);
    this.#lastDurationS = Number(duration) * tickS;
  }

  get sinceFirstS(): number {
    return this.#lastS - this.#firstS;
  }

  get endS(): number {
    return this.sinceFirstS + (this.#lastDurationS || this.#usualDurationS);
  }

  get #usualDurationS(): number {
    const { declaredFps } = this.#stream;
    return this.#frames > 1 ? this.sinceFirstS / (this.#frames - 1) : declaredFps === null ? 0 : 1 / declaredFps;
  }

  /**
   * The header's values, if the frames agree to one frame, as time stamps may be rounded (in WebM to milliseconds). A
   * header with more frames than exist means an incomplete video.
   */
  sum(): { readonly frames: number; readonly fps: number | null; readonly durationS: number | null } {
    const { declaredFps, declaredDurationS, declaredFrames } = this.#stream;
    const frames = this.#frames;
    const frameS = this.#usualDurationS;
    const declaredS = declaredDurationS ?? 0;
    const missingS = declaredS - this.endS;
    if (missingS > 2 * frameS && (declaredFrames === null || frames < declaredFrames)) {
      throw new DecodeError(`its header declares ${declaredS} s, but its frames end after ${roundedMs(this.endS)} s`);
    }
    const durationS =
      declaredDurationS !== null && Math.abs(missingS) <= frameS ? declaredDurationS : roundedMs(this.endS);
    // A single frame without a rate: neither is known.
    if (durationS <= 0) return { frames, fps: declaredFps, durationS: null };
    const borneOut = declaredFps !== null && Math.abs(declaredFps * durationS - frames) <= 1;
    return { frames, fps: borneOut ? declaredFps : frames / durationS, durationS };
  }
}

/** FFmpeg's AV_NOPTS_VALUE. */
const NO_TIMESTAMP = -(2n ** 63n);

function roundedMs(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
