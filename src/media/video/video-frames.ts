import type { AVColorSpace } from 'node-av/constants';
import type { CodecContext, FormatContext, Frame, IOContext, Packet, Stream } from 'node-av/lib';
import { plural } from '../../kit/wording.ts';
import { DecodeError, NoDecoder } from '../decode-error.ts';
import type { Libav } from '../libav.ts';
import { displayOf } from './declared-display.ts';
import { type Orientation, orientationOf } from './frame-shaper.ts';

export interface VideoStream {
  /** FFmpeg's name: `h264`, `vp9`. */
  readonly codec: string;
  /** As coded; 0 if the header does not say. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** What else decides how a frame is shown: see `declared-display.ts`. */
  readonly displayOf: (frame: Frame) => string;
  /** Seconds per unit of a time stamp. */
  readonly tickS: number;
  readonly timeBase: { readonly num: number; readonly den: number };
  /** Frames per second; null if the header does not say. */
  readonly declaredFps: number | null;
  readonly declaredDurationS: number | null;
  readonly declaredFrames: number | null;
}

export interface OpenVideo {
  readonly stream: VideoStream;
  /**
   * Every frame in the order shown, once; valid until the next one. Throws DecodeError if the stream or a frame is
   * damaged.
   */
  readonly frames: () => Generator<Frame>;
  readonly close: () => void;
}

/** Only the sniffed container is tried: other demuxers read playlists, and open what those name. */
const DEMUXERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'video/x-matroska': 'matroska',
};

const BUFFER_BYTES = 65_536;
const MICROSECONDS = 1e6;

/**
 * Opens no file or other protocol, whatever the bytes name. Refuses a frame above `mostPixels` before allocation.
 * Throws DecodeError or NoDecoder.
 */
export function openVideo(libav: Libav, bytes: Uint8Array, mime: string, mostPixels: number): OpenVideo {
  const { container, close: closeContainer } = openContainer(libav, bytes, mime);
  try {
    const source = videoStreamOf(libav, container, () => countFrames(libav, bytes, mime));
    if (source === null) throw new DecodeError('it has no video stream');
    const stream = describe(libav, container, source);
    requireAtMost(mostPixels, stream);
    const decoder = openDecoder(libav, source, stream.codec, mostPixels);
    return {
      stream,
      frames: () =>
        framesOf(libav, { container, index: source.index, matrix: source.codecpar.colorSpace, decoder, mostPixels }),
      close: () => {
        decoder.freeContext();
        closeContainer();
      },
    };
  } catch (error) {
    closeContainer();
    throw error;
  }
}

interface OpenContainer {
  readonly container: FormatContext;
  readonly close: () => void;
}

/** Opens a file in memory, only with the demuxer of its sniffed type. Throws DecodeError or NoDecoder. */
export function openContainer(libav: Libav, bytes: Uint8Array, mime: string): OpenContainer {
  const io = readingFrom(libav, bytes);
  const container = new libav.FormatContext();
  container.allocContext();
  const close = (): void => {
    // In this order and without changing `pb`: demuxers look at it when they close, and do not free a custom one.
    container.closeInputSync();
    io.freeContext();
  };
  try {
    container.pb = io;
    container.setFlags(libav.AVFMT_FLAG_CUSTOM_IO);
    container.setOption('protocol_whitelist', 'none');
    const demuxer = libav.InputFormat.findInputFormat(DEMUXERS[mime] ?? '');
    if (demuxer === null) throw new NoDecoder(`no demuxer for ${mime}`);
    const opened = container.openInputSync('', demuxer);
    if (opened < 0) throw new DecodeError(`the container cannot be read: ${named(libav, opened)}`);
    return { container, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Packets of each stream, by its index: a header may not declare them. */
function countFrames(libav: Libav, bytes: Uint8Array, mime: string): ReadonlyMap<number, number> {
  const { container, close } = openContainer(libav, bytes, mime);
  const packet = new libav.Packet();
  packet.alloc();
  const counts = new Map<number, number>();
  try {
    while (container.readFrameSync(packet) >= 0) {
      counts.set(packet.streamIndex, (counts.get(packet.streamIndex) ?? 0) + 1);
      packet.unref();
    }
    return counts;
  } finally {
    packet.free();
    close();
  }
}

function readingFrom(libav: Libav, bytes: Uint8Array): IOContext {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = 0;
  const read = (size: number): Buffer | number => {
    if (position >= buffer.length) return libav.AVERROR_EOF;
    const piece = buffer.subarray(position, position + size);
    position += piece.length;
    return piece;
  };
  const seek = (offset: bigint, whence: number): bigint => {
    if (whence === libav.AVSEEK_SIZE) return BigInt(buffer.length);
    const from = whence === libav.AVSEEK_CUR ? position : whence === libav.AVSEEK_END ? buffer.length : 0;
    position = Math.max(0, from + Number(offset));
    return BigInt(position);
  };
  const io = new libav.IOContext();
  io.allocContextWithCallbacks(BUFFER_BYTES, 0, read, null, seek);
  return io;
}

/** The stream that a player would show, not a cover image: the default one, else that with most frames. */
function videoStreamOf(
  libav: Libav,
  { streams }: FormatContext,
  framesByStream: () => ReadonlyMap<number, number>,
): Stream | null {
  const has = ({ disposition }: Stream, flag: number): boolean => (disposition & flag) !== 0;
  const shown = streams.filter(
    (stream) =>
      stream.codecpar.codecType === libav.AVMEDIA_TYPE_VIDEO && !has(stream, libav.AV_DISPOSITION_ATTACHED_PIC),
  );
  const defaults = shown.filter((stream) => has(stream, libav.AV_DISPOSITION_DEFAULT));
  const [first, ...others] = defaults.length > 0 ? defaults : shown;
  if (first === undefined || others.length === 0) return first ?? null;
  const frames = framesByStream();
  const framesOf = ({ index }: Stream): number => frames.get(index) ?? 0;
  return others.reduce((best, stream) => (framesOf(stream) > framesOf(best) ? stream : best), first);
}

function describe(libav: Libav, container: FormatContext, source: Stream): VideoStream {
  const { codecpar, timeBase, avgFrameRate, duration, nbFrames } = source;
  const tickS = timeBase.num / timeBase.den;
  const fps = avgFrameRate.num / avgFrameRate.den;
  return {
    codec: libav.avGetCodecName(codecpar.codecId) ?? 'unknown',
    width: codecpar.width,
    height: codecpar.height,
    orientation: orientationOf(codecpar.getCodedSideData(libav.AV_PKT_DATA_DISPLAYMATRIX)),
    displayOf: displayOf(libav, source),
    tickS,
    timeBase: { num: timeBase.num, den: timeBase.den },
    declaredFps: Number.isFinite(fps) && fps > 0 ? fps : null,
    declaredDurationS: duration > 0n ? Number(duration) * tickS : durationOfAll(container),
    declaredFrames: nbFrames > 0n ? Number(nbFrames) : null,
  };
}

/** In seconds. WebM declares one duration for all streams: the video's, if it is the only one. */
function durationOfAll({ nbStreams, duration }: FormatContext): number | null {
  return nbStreams === 1 && duration > 0n ? Number(duration) / MICROSECONDS : null;
}

/** Decoders for the alpha that WebM stores beside frames; FFmpeg's own decoders ignore it. */
function alphaDecoder(libav: Libav, codec: string) {
  if (codec === 'vp8') return libav.FF_DECODER_LIBVPX_VP8;
  return codec === 'vp9' ? libav.FF_DECODER_LIBVPX_VP9 : null;
}

function openDecoder(libav: Libav, source: Stream, codec: string, mostPixels: number): CodecContext {
  if (source.codecpar.codecId === libav.AV_CODEC_ID_NONE) throw new DecodeError('the format of its video is unknown');
  const withAlpha = source.metadata?.get('alpha_mode') === '1' ? alphaDecoder(libav, codec) : null;
  const decoder =
    withAlpha === null ? libav.Codec.findDecoder(source.codecpar.codecId) : libav.Codec.findDecoderByName(withAlpha);
  if (decoder === null) throw new NoDecoder(`no decoder for ${codec}${withAlpha === null ? '' : ' with alpha'}`);
  const context = new libav.CodecContext();
  context.allocContext3(decoder);
  context.parametersToContext(source.codecpar);
  context.pktTimebase = source.timeBase;
  // One thread, because a pool of processes runs them.
  context.threadCount = 1;
  // Coded frames are larger, in whole blocks; the exact limit is checked for each frame.
  context.setOption('max_pixels', mostPixels + Math.floor(mostPixels / 4) + 128 * 128);
  const opened = context.open2Sync(decoder);
  if (opened >= 0) return context;
  context.freeContext();
  throw new DecodeError(`its ${codec} header cannot be read: ${named(libav, opened)}`);
}

interface VideoSource {
  readonly container: FormatContext;
  readonly index: number;
  /** As the container declares it. */
  readonly matrix: AVColorSpace;
  readonly decoder: CodecContext;
  readonly mostPixels: number;
}

function* framesOf(libav: Libav, source: VideoSource): Generator<Frame> {
  const packet = new libav.Packet();
  const frame = new libav.Frame();
  packet.alloc();
  frame.alloc();
  const state = { number: 0 };
  try {
    for (;;) {
      const read = source.container.readFrameSync(packet);
      if (read === libav.AVERROR_EOF) break;
      if (read < 0) throw streamDamaged(state.number, named(libav, read));
      if (packet.streamIndex === source.index) {
        if ((packet.flags & libav.AV_PKT_FLAG_CORRUPT) !== 0) {
          throw streamDamaged(state.number);
        }
        yield* decoded(libav, source, packet, frame, state);
      }
      packet.unref();
    }
    yield* decoded(libav, source, null, frame, state);
  } finally {
    packet.free();
    frame.free();
  }
}

function* decoded(
  libav: Libav,
  { decoder, matrix, mostPixels }: VideoSource,
  packet: Packet | null,
  frame: Frame,
  state: { number: number },
): Generator<Frame> {
  const sent = decoder.sendPacketSync(packet);
  if (sent < 0) throw new DecodeError(`frame ${state.number + 1} does not decode: ${named(libav, sent)}`);
  for (;;) {
    const received = decoder.receiveFrameSync(frame);
    if (received === libav.AVERROR_EAGAIN || received === libav.AVERROR_EOF) return;
    state.number += 1;
    if (received < 0) throw new DecodeError(`frame ${state.number} does not decode: ${named(libav, received)}`);
    if (frame.decodeErrorFlags !== 0 || frame.hasFlags(libav.AV_FRAME_FLAG_CORRUPT)) {
      throw new DecodeError(`frame ${state.number} is damaged`);
    }
    requireAtMost(mostPixels, frame);
    // Some decoders forget what only the container declares.
    if (frame.colorSpace === libav.AVCOL_SPC_UNSPECIFIED) frame.colorSpace = matrix;
    yield frame;
    frame.unref();
  }
}

function requireAtMost(pixels: number, { width, height }: { readonly width: number; readonly height: number }): void {
  if (width * height > pixels)
    throw new DecodeError(`frames of ${width} x ${height} pixels are over the limit`, 'over_limit');
}

function streamDamaged(frames: number, detail = ''): DecodeError {
  return new DecodeError(`cut off or damaged after ${plural(frames, 'frame')}${detail === '' ? '' : `: ${detail}`}`);
}

function named(libav: Libav, code: number): string {
  return libav.FFmpegError.strerror(code);
}
