import type { Frame } from 'node-av/lib';
import { NoDecoder } from '../decode-error.ts';
import type { Libav } from '../libav.ts';
import { emptyTransparent, type Pixels } from '../pixels.ts';
import { type FrameShaper, hasAlpha, shapeFramesLike, swapsSides } from './frame-shaper.ts';
import type { VideoStream } from './video-frames.ts';

/** Frames as shown: upright, in sRGB's primaries as coded, 8 bits, with alpha if the format has it. */
export interface FrameReader {
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
      const kind = `${frame.width} ${frame.height} ${frame.format}`;
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
