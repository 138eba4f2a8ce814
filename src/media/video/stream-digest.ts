import { createHash, type Hash } from 'node:crypto';
import type { FormatContext, Packet, Stream } from 'node-av/lib';
import { DecodeError } from '../decode-error.ts';
import type { DecodeFault } from '../facts.ts';
import { type IsoBox, walkBoxes } from '../header.ts';
import type { Libav } from '../libav.ts';
import { openContainer } from './video-frames.ts';

/**
 * What is missing if a file ends before its outermost box or element; null for a whole file, another container, and a
 * stream without length. Demuxers take such a file for a shorter one. Sizes by ISO/IEC 14496-12, section 4.2, and RFC
 * 8794, section 4.
 */
export function missingTail(bytes: Uint8Array, mime: string): DecodeFault | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = mime === 'video/webm' || mime === 'video/x-matroska' ? ebmlEnd(view) : isoEnd(view);
  if (end <= view.byteLength) return null;
  return { code: 'not_decodable', detail: `cut off: the file declares ${end} bytes and has ${view.byteLength}` };
}

function isoEnd(view: DataView): number {
  let at = 0;
  while (at + 8 <= view.byteLength) {
    let size = view.getUint32(at);
    if (size === 0) return view.byteLength;
    if (size === 1) {
      if (at + 16 > view.byteLength) return at + 16;
      size = Number(view.getBigUint64(at + 8));
      if (size < 16) return at;
    } else if (size < 8) return at;
    at += size;
  }
  return at;
}

function ebmlEnd(view: DataView): number {
  let at = 0;
  while (at < view.byteLength) {
    const id = vintLength(view, at);
    if (id === null || id > 4) return at;
    const length = vintLength(view, at + id);
    if (length === null || at + id + length > view.byteLength) return at;
    const size = vintValue(view, at + id, length);
    if (size === null) return view.byteLength;
    at += id + length + size;
  }
  return at;
}

/** Length of a variable-size integer: its leading zero bits and one. */
function vintLength(view: DataView, at: number): number | null {
  if (at >= view.byteLength) return null;
  const length = Math.clz32(view.getUint8(at)) - 23;
  return length > 8 ? null : length;
}

/** Null if all bits are set: the size was unknown when written. */
function vintValue(view: DataView, at: number, length: number): number | null {
  const first = view.getUint8(at) & (0xff >> length);
  let value = first;
  let unknown = first === 0xff >> length;
  for (let byte = 1; byte < length; byte += 1) {
    const next = view.getUint8(at + byte);
    value = value * 256 + next;
    unknown &&= next === 0xff;
  }
  return unknown ? null : value;
}

/**
 * SHA-256 (hex) of an MP4 or QuickTime file without metadata, of its streams as FFmpeg reads them. Null for other
 * formats, damaged files and files without packets. Independent of the place of the index and of interleaving.
 *
 * - Part of it: brands; codec, configuration, size, colour and rotation of streams, time unit, packets with times after
 * edit lists. What an encoder writes into a stream stays.
 * - Left out: texts, dates, writers, computed bit rates, and boxes unknown to FFmpeg.
 */
export function digestOfStreams(libav: Libav, bytes: Uint8Array, mime: string): string | null {
  if (!FORMATS.has(mime) || missingTail(bytes, mime) !== null) return null;
  try {
    const { container, close } = openContainer(libav, bytes, mime);
    try {
      return digestOf(libav, container, shownSizes(bytes));
    } finally {
      close();
    }
  } catch (error) {
    if (error instanceof DecodeError) return null;
    throw error;
  }
}

const FORMATS = new Set(['video/mp4', 'video/quicktime']);

/** FFmpeg's names of what a file says it complies with (ISO/IEC 14496-12, section 4.3). */
const BRANDS = ['major_brand', 'minor_version', 'compatible_brands'];

/** A hash for each stream, because files interleave the same packets in different ways. */
function digestOf(libav: Libav, container: FormatContext, sizes: readonly Uint8Array[]): string | null {
  const digests = container.streams.map((stream) => createHash('sha256').update(headerOf(stream)));
  const packet = new libav.Packet();
  packet.alloc();
  let packets = 0;
  try {
    for (;;) {
      const read = container.readFrameSync(packet);
      if (read === libav.AVERROR_EOF) break;
      const digest = digests[packet.streamIndex];
      if (read < 0 || digest === undefined || (packet.flags & libav.AV_PKT_FLAG_CORRUPT) !== 0) return null;
      addPacket(libav, digest, packet);
      packets += 1;
      packet.unref();
    }
  } finally {
    packet.free();
  }
  if (packets === 0) return null;
  const whole = createHash('sha256').update(BRANDS.map((key) => container.metadata?.get(key)).join());
  for (const size of sizes) whole.update(size);
  for (const digest of digests) whole.update(digest.digest());
  return whole.digest('hex');
}

function addPacket(libav: Libav, digest: Hash, packet: Packet): void {
  const { pts, dts, duration, flags, size, data } = packet;
  digest.update(`\n${pts} ${dts} ${duration} ${flags} ${size}`);
  // Kinds that MP4 demuxers attach: samples to skip, another configuration, a palette.
  for (const kind of [libav.AV_PKT_DATA_SKIP_SAMPLES, libav.AV_PKT_DATA_NEW_EXTRADATA, libav.AV_PKT_DATA_PALETTE]) {
    const attached = packet.getSideData(kind);
    if (attached !== null) digest.update(` ${kind} ${attached.length}:`).update(attached);
  }
  digest.update(':').update(data ?? '');
}

/** All parameters of a decoder except the bit rate. */
function headerOf({ codecpar, timeBase, disposition, sampleAspectRatio }: Stream): string {
  const { bitRate, extradata, ...configuration } = codecpar.toJSON();
  const attached = codecpar.getAllCodedSideData().map(({ type, data }) => [type, hexOf(data)]);
  const { num, den } = timeBase;
  const aspect = [sampleAspectRatio.num, sampleAspectRatio.den];
  return JSON.stringify(
    [num, den, disposition, aspect, hexOf(codecpar.extradata), codecpar.channels, attached, configuration],
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  );
}

function hexOf(data: Buffer | null): string {
  return data?.toString('hex') ?? '';
}

/** Width and height of each track as shown, which FFmpeg ignores beside a pixel aspect (ISO/IEC 14496-12, 8.3.2). */
function shownSizes(bytes: Uint8Array): readonly Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sizes: Uint8Array[] = [];
  const inEach = (type: string, visit: (box: IsoBox) => boolean) => (box: IsoBox) => {
    if (box.type === type) walkBoxes(view, box.from, box.to, visit);
    return true;
  };
  const noteSize = ({ type, from, to }: IsoBox): boolean => {
    if (type === 'tkhd') sizes.push(bytes.subarray(Math.max(from, to - 8), to));
    return true;
  };
  walkBoxes(view, 0, bytes.length, inEach('moov', inEach('trak', noteSize)));
  return sizes;
}
