import { type NodeAv, openMp4Writer } from '../../kit/mp4-writer.ts';
import type { Size } from '../sampler/fourier.ts';

export interface VideoEncoder {
  /** Frames are planes Y, Cb, Cr in one buffer each. The same frames give the same bytes. */
  encode(frames: readonly Buffer[], size: Size, rate: number): Buffer;
}

/**
 * One thread. `cpu-independent` limits x264 to functions with the same result on every processor: AVX-512 for the
 * macroblock tree reads past the end of a row, into undefined memory, and SSE and AVX round differently from plain
 * code.
 */
const X264_SETTINGS = 'threads=1:lookahead-threads=1:sliced-threads=0:cpu-independent=1';

/**
 * By node-av: null if its binary, an optional dependency, is not installed, or has no libx264.
 * @param instructions the instruction sets that x264 may use, as in its option `asm` (`avx2`, `0`); null: all of the
 * processor. The bytes are the same, which a check verifies by limiting them
 */
export async function openVideoEncoder(instructions: string | null = null): Promise<VideoEncoder | null> {
  try {
    const av: NodeAv = { ...(await import('node-av/lib')), ...(await import('node-av/constants')) };
    av.Log.setLevel(av.AV_LOG_ERROR);
    if (av.Codec.findEncoderByName(av.FF_ENCODER_LIBX264) === null) return null;
    const settings = instructions === null ? X264_SETTINGS : `${X264_SETTINGS}:asm=${instructions}`;
    return { encode: (frames, size, rate) => encode(av, settings, { frames, size, rate }) };
  } catch {
    return null;
  }
}

interface RawVideo {
  readonly frames: readonly Buffer[];
  readonly size: Size;
  readonly rate: number;
}

function encode(av: NodeAv, settings: string, { frames, size, rate }: RawVideo): Buffer {
  const check = (what: string, code: number) => {
    if (code < 0) throw new Error(`the encoder failed to ${what}: ${new av.FFmpegError(code).message}`);
  };
  const codec = av.Codec.findEncoderByName(av.FF_ENCODER_LIBX264);
  if (codec === null) throw new Error('the encoder libx264 is not there');
  const encoder = new av.CodecContext();
  encoder.allocContext3(codec);
  encoder.width = size.width;
  encoder.height = size.height;
  encoder.pixelFormat = av.AV_PIX_FMT_YUV420P;
  encoder.timeBase = new av.Rational(1, rate);
  encoder.framerate = new av.Rational(rate, 1);
  encoder.gopSize = rate;
  encoder.threadCount = 1;
  encoder.colorRange = av.AVCOL_RANGE_MPEG;
  encoder.colorSpace = av.AVCOL_SPC_SMPTE170M;
  encoder.chromaLocation = av.AVCHROMA_LOC_CENTER;
  encoder.setFlags(av.AV_CODEC_FLAG_GLOBAL_HEADER, av.AV_CODEC_FLAG_BITEXACT);
  check('take its preset', encoder.setOption('preset', 'veryfast'));
  check('take its quality', encoder.setOption('crf', '17'));
  check('take its settings', encoder.setOption('x264-params', settings));
  check('open', encoder.open2Sync(codec));
  // The index comes before the media, in reserved space, so that a player can begin early.
  const writer = openMp4Writer(av, encoder, { moov_size: String(1500 + 40 * frames.length) });
  try {
    check('begin the file', writer.begin());
    for (const [i, planes] of frames.entries()) {
      const shape = { ...size, format: av.AV_PIX_FMT_YUV420P, pts: BigInt(i), timeBase: encoder.timeBase };
      const frame = av.Frame.fromVideoBuffer(planes, shape);
      check('take a frame', writer.write(frame));
      frame.free();
    }
    check('end the file', writer.end());
    return writer.bytes();
  } finally {
    writer.close();
  }
}
