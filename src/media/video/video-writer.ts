import type { CodecContext, Frame } from 'node-av/lib';
import { openMp4Writer } from '../../kit/mp4-writer.ts';
import type { Libav } from '../libav.ts';

/** Per second: time stamps are milliseconds. */
export const TICKS = 1000;

export interface WriterOptions {
  /** In pixels; both even. */
  readonly width: number;
  readonly height: number;
  /** Of x264's 0 (lossless) to 51. */
  readonly rateFactor: number;
  readonly bitsPerSecond: number;
}

/** Makes MP4 of frames in YUV 4:2:0 of the writer's size, timed in `TICKS`. */
export interface VideoWriter {
  /** False if FFmpeg refuses the frame. */
  readonly write: (frame: Frame) => boolean;
  /** Null if the file cannot be ended. Call once. */
  readonly end: () => Uint8Array | null;
  readonly close: () => void;
}

/** H.264 without sound and metadata. Null without x264. */
export function openVideoWriter(libav: Libav, options: WriterOptions): VideoWriter | null {
  const encoder = openEncoder(libav, options);
  if (encoder === null) return null;
  const writer = openMp4Writer(libav, encoder, {});
  const started = writer.begin() >= 0;
  return {
    write: (frame) => started && writer.write(frame) >= 0,
    end: () => (started && writer.end() >= 0 ? new Uint8Array(writer.bytes()) : null),
    close: writer.close,
  };
}

/** One thread, because a pool of processes runs them. The same frames give the same bytes. */
function openEncoder(libav: Libav, { width, height, rateFactor, bitsPerSecond }: WriterOptions): CodecContext | null {
  const codec = libav.Codec.findEncoderByName(libav.FF_ENCODER_LIBX264);
  if (codec === null) return null;
  const encoder = new libav.CodecContext();
  encoder.allocContext3(codec);
  encoder.width = width;
  encoder.height = height;
  encoder.pixelFormat = libav.AV_PIX_FMT_YUV420P;
  encoder.timeBase = new libav.Rational(1, TICKS);
  encoder.threadCount = 1;
  encoder.colorRange = libav.AVCOL_RANGE_MPEG;
  encoder.colorSpace = libav.AVCOL_SPC_SMPTE170M;
  encoder.setFlags(libav.AV_CODEC_FLAG_GLOBAL_HEADER, libav.AV_CODEC_FLAG_BITEXACT, libav.AV_CODEC_FLAG_FRAME_DURATION);
  encoder.setOption('preset', 'veryfast');
  encoder.setOption('crf', rateFactor);
  encoder.setOption('maxrate', bitsPerSecond);
  encoder.setOption('bufsize', bitsPerSecond);
  // Milliseconds are the unit of time stamps, not the rate, and B-frames would need an edit list. Without
  // `cpu-independent`, x264's functions for AVX-512 read uninitialised memory, and others round differently.
  encoder.setOption('x264-params', 'force-cfr=0:bframes=0:keyint=48:cpu-independent=1');
  if (encoder.open2Sync(codec) >= 0) return encoder;
  encoder.freeContext();
  return null;
}
