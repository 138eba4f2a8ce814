import type { Frame } from 'node-av/lib';
import type { Pixels } from '../pixels.ts';
import { type FrameShaper, shapeFramesLike } from './frame-shaper.ts';
import type { Libav } from './libav.ts';
import { swapsSides } from './orientation.ts';
import { NoDecoder, type VideoStream } from './video-frames.ts';

/** Gives the pixels of a video's frames as they are shown: upright, in sRGB's primaries as coded, 8 bits. */
export interface FrameReader {
  /** The pixels of a frame; they are the caller's. Throws NoDecoder where this build of FFmpeg cannot convert it. */
  readonly pixelsOf: (frame: Frame) => Pixels;
  readonly close: () => void;
}

/** A reader of frames at their own size, or scaled down to fit a square of `mostSide` pixels. */
export function readFrames(libav: Libav, { orientation, timeBase }: VideoStream, mostSide = Infinity): FrameReader {
  let shaper: FrameShaper | null = null;
  let shapedFor = '';
  const shaped = new libav.Frame();
  shaped.alloc();
  return {
    pixelsOf: (frame) => {
      const turned = swapsSides(orientation);
      const [shownWidth, shownHeight] = turned ? [frame.height, frame.width] : [frame.width, frame.height];
      const scale = Math.min(1, mostSide / Math.max(shownWidth, shownHeight));
      const width = Math.max(1, Math.round(shownWidth * scale));
      const height = Math.max(1, Math.round(shownHeight * scale));
      const kind = `${frame.width} ${frame.height} ${frame.format}`;
      if (shaper === null || kind !== shapedFor) {
        shaper?.close();
        shaper = shapeFramesLike(libav, frame, { width, height, format: 'rgb24', orientation, timeBase });
        shapedFor = kind;
      }
      if (shaper === null || !shaper.shape(frame, shaped)) throw new NoDecoder('its frames cannot be converted');
      const data = Uint8Array.from(shaped.toBuffer());
      shaped.unref();
      return { width, height, channels: 3, depth: 8, data };
    },
    close: () => {
      shaped.free();
      shaper?.close();
    },
  };
}
