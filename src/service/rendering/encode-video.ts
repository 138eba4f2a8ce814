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
    const av: typeof import('node-av/lib') = await import('node-av/lib');
    const numbers: typeof import('node-av/constants') = await import('node-av/constants');
    av.Log.setLevel(numbers.AV_LOG_ERROR);
    if (av.Codec.findEncoderByName(numbers.FF_ENCODER_LIBX264) === null) return null;
    const settings = instructions === null ? X264_SETTINGS : `${X264_SETTINGS}:asm=${instructions}`;
    return { encode: (frames, size, rate) => encode(av, numbers, settings, { frames, size, rate }) };
  } catch {
    return null;
  }
}

type Av = typeof import('node-av/lib');
type Numbers = typeof import('node-av/constants');

interface RawVideo {
  readonly frames: readonly Buffer[];
  readonly size: Size;
  readonly rate: number;
}

/**
 * The container has neither the muxer's version nor the time of day. Options are set one by one: node-av's synchronous
 * calls free a dictionary twice.
 */
function encode(av: Av, numbers: Numbers, settings: string, { frames, size, rate }: RawVideo): Buffer {
  const check = (what: string, code: number) => {
    if (code < 0) throw new Error(`the encoder failed to ${what}: ${new av.FFmpegError(code).message}`);
  };
  const codec = av.Codec.findEncoderByName(numbers.FF_ENCODER_LIBX264);
  if (codec === null) throw new Error('the encoder libx264 is not there');
  const timeBase = new av.Rational(1, rate);
  const encoder = new av.CodecContext();
  const output = new MemoryFile();
  const format = new av.FormatContext();
  const io = new av.IOContext();
  const packet = new av.Packet();
  try {
    encoder.allocContext3(codec);
    encoder.width = size.width;
    encoder.height = size.height;
    encoder.pixelFormat = numbers.AV_PIX_FMT_YUV420P;
    encoder.timeBase = timeBase;
    encoder.framerate = new av.Rational(rate, 1);
    encoder.gopSize = rate;
    encoder.threadCount = 1;
    encoder.colorRange = numbers.AVCOL_RANGE_MPEG;
    encoder.colorSpace = numbers.AVCOL_SPC_SMPTE170M;
    encoder.chromaLocation = numbers.AVCHROMA_LOC_CENTER;
    encoder.setFlags(numbers.AV_CODEC_FLAG_GLOBAL_HEADER, numbers.AV_CODEC_FLAG_BITEXACT);
    check('take its preset', encoder.setOption('preset', 'veryfast'));
    check('take its quality', encoder.setOption('crf', '17'));
    check('take its settings', encoder.setOption('x264-params', settings));
    check('open', encoder.open2Sync(codec));

    check('open a file', format.allocOutputContext2(null, 'mp4', null));
    io.allocContextWithCallbacks(
      1 << 16,
      1,
      null,
      (bytes) => output.write(bytes),
      (offset, whence) => output.seek(offset, whence),
    );
    format.pb = io;
    format.setFlags(numbers.AVFMT_FLAG_BITEXACT, numbers.AVFMT_FLAG_CUSTOM_IO);
    const stream = format.newStream(codec);
    check('describe the stream', stream.codecpar.fromContext(encoder));
    stream.timeBase = timeBase;
    stream.avgFrameRate = new av.Rational(rate, 1);
    // The index comes before the media, in reserved space, so that a player can begin early.
    check('place the index', format.setOption('moov_size', String(1500 + 40 * frames.length)));
    check('begin the file', format.writeHeaderSync());
    packet.alloc();
    const drain = () => {
      for (;;) {
        const got = encoder.receivePacketSync(packet);
        if (got === numbers.AVERROR_EAGAIN || got === numbers.AVERROR_EOF) return;
        check('encode', got);
        packet.streamIndex = stream.index;
        packet.rescaleTs(timeBase, stream.timeBase);
        check('write', format.interleavedWriteFrameSync(packet));
      }
    };
    for (const [i, planes] of frames.entries()) {
      const shape = { ...size, format: numbers.AV_PIX_FMT_YUV420P, pts: BigInt(i), timeBase };
      const frame = av.Frame.fromVideoBuffer(planes, shape);
      check('take a frame', encoder.sendFrameSync(frame));
      frame.free();
      drain();
    }
    check('end', encoder.sendFrameSync(null));
    drain();
    check('end the file', format.writeTrailerSync());
    return output.bytes();
  } finally {
    packet.free();
    encoder.freeContext();
    format.pb = null;
    format.freeContext();
    io.freeContext();
  }
}

class MemoryFile {
  #bytes = Buffer.alloc(1 << 17);
  #at = 0;
  #length = 0;

  write(piece: Buffer): number {
    const end = this.#at + piece.length;
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(end, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#at);
    this.#at = end;
    this.#length = Math.max(this.#length, end);
    return piece.length;
  }

  /** `whence` as for lseek; 65536 asks for the size. */
  seek(offset: bigint, whence: number): bigint {
    if (whence === 65536) return BigInt(this.#length);
    const base = whence === 1 ? this.#at : whence === 2 ? this.#length : 0;
    this.#at = base + Number(offset);
    return BigInt(this.#at);
  }

  bytes(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }
}
