import type { CodecContext, FormatContext, Frame, IOContext, Packet, Stream } from 'node-av/lib';
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

/** H.264 without sound and metadata: nothing names the maker or the time of day. Null without x264. */
export function openVideoWriter(libav: Libav, options: WriterOptions): VideoWriter | null {
  const encoder = openEncoder(libav, options);
  if (encoder === null) return null;
  const memory = new GrowingFile();
  const io = writingTo(libav, memory);
  const container = new libav.FormatContext();
  container.allocOutputContext2(null, 'mp4', null);
  container.pb = io;
  container.setFlags(libav.AVFMT_FLAG_CUSTOM_IO, libav.AVFMT_FLAG_BITEXACT);
  const stream = container.newStream(null);
  stream.timeBase = encoder.timeBase;
  stream.codecpar.fromContext(encoder);
  const packet = new libav.Packet();
  packet.alloc();
  const started = container.writeHeaderSync() >= 0;
  const drain = (): boolean => writeEncoded(libav, encoder, container, stream, packet);
  return {
    write: (frame) => started && encoder.sendFrameSync(frame) >= 0 && drain(),
    end: () => {
      if (!started || encoder.sendFrameSync(null) < 0 || !drain() || container.writeTrailerSync() < 0) return null;
      io.flushSync();
      return memory.content();
    },
    close: () => {
      packet.free();
      encoder.freeContext();
      container.pb = null;
      container.freeContext();
      io.freeContext();
    },
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

function writeEncoded(
  libav: Libav,
  encoder: CodecContext,
  container: FormatContext,
  stream: Stream,
  packet: Packet,
): boolean {
  for (;;) {
    const received = encoder.receivePacketSync(packet);
    if (received === libav.AVERROR_EAGAIN || received === libav.AVERROR_EOF) return true;
    if (received < 0) return false;
    packet.streamIndex = stream.index;
    packet.rescaleTs(encoder.timeBase, stream.timeBase);
    if (container.interleavedWriteFrameSync(packet) < 0) return false;
  }
}

function writingTo(libav: Libav, memory: GrowingFile): IOContext {
  const io = new libav.IOContext();
  const seek = (offset: bigint, whence: number): bigint => {
    if (whence === libav.AVSEEK_SIZE) return BigInt(memory.size);
    const from = whence === libav.AVSEEK_CUR ? memory.position : whence === libav.AVSEEK_END ? memory.size : 0;
    memory.position = Math.max(0, from + Number(offset));
    return BigInt(memory.position);
  };
  io.allocContextWithCallbacks(16_384, 1, null, (piece) => memory.write(piece), seek);
  return io;
}

/** As large as most previews. */
const FIRST_BYTES = 60_000;

class GrowingFile {
  position = 0;
  size = 0;
  #bytes = Buffer.alloc(FIRST_BYTES);

  write(piece: Buffer): number {
    const end = this.position + piece.length;
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(end, 2 * this.#bytes.length));
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.position);
    this.position = end;
    this.size = Math.max(this.size, end);
    return piece.length;
  }

  content(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.size));
  }
}
