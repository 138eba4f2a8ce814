import type { CodecContext, FormatContext, Frame, IOContext, Packet, Stream } from 'node-av/lib';
import { type FrameShaper, shapeFramesLike } from './frame-shaper.ts';
import type { Libav } from './libav.ts';
import type { Orientation } from './orientation.ts';

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
/** Per second: time stamps are milliseconds. */
const TICKS = 1000;

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
      writer ??= shaper === null ? null : openWriter(libav, options);
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

interface VideoWriter {
  readonly write: (frame: Frame) => boolean;
  readonly end: () => Uint8Array | null;
  readonly close: () => void;
}

function openWriter(libav: Libav, options: PreviewOptions): VideoWriter | null {
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
function openEncoder(libav: Libav, { width, height, durationS }: PreviewOptions): CodecContext | null {
  const codec = libav.Codec.findEncoderByName(libav.FF_ENCODER_LIBX264);
  if (codec === null) return null;
  const seconds = Math.min(PREVIEW_SECONDS, Math.max(1, durationS ?? PREVIEW_SECONDS));
  const bitsPerSecond = Math.min(MOST_BITS_PER_SECOND, Math.floor((8 * PREVIEW_BYTES) / seconds));
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
  encoder.setOption('crf', 28);
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

class GrowingFile {
  position = 0;
  size = 0;
  #bytes = Buffer.alloc(PREVIEW_BYTES);

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
