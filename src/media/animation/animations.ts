import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { plural } from '../../kit/wording.ts';
import { DecodeError, NoDecoder, OverLimit } from '../decode-error.ts';
import type { DecodeFault, MissingDecoder } from '../facts.ts';
import { type Libav, loadLibav } from '../libav.ts';
import { type Pixels, peakOf } from '../pixels.ts';
import { PNG_SIGNATURE, type PngChunk, pngChunks } from '../still/png-chunks.ts';
import { type OpenVideo, openVideo } from '../video/video-frames.ts';
import { readFrames, VideoTimeline } from '../video/video-pixels.ts';

interface ApngFrame {
  /** A whole PNG of the frame's region, in the animation's colours. */
  readonly png: Uint8Array;
  /** Position on the canvas, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** 0: as short as possible. */
  readonly delayMs: number;
  readonly dispose: 'keep' | 'clear' | 'restore';
  /** Whether it replaces what is below, or covers it by its alpha. */
  readonly blend: 'replace' | 'over';
}

interface Apng {
  readonly width: number;
  readonly height: number;
  readonly depth: 8 | 16;
  readonly frames: readonly ApngFrame[];
}

/** Chunks that decide the colours of every frame. */
const SHARED = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP']);

const DISPOSALS = ['keep', 'clear', 'restore'] as const;
const BLENDS = ['replace', 'over'] as const;

/**
 * The frames of an animated PNG; null for other bytes, and for a PNG whose only frame is its still image (PNG
 * specification, third edition, sections 4.9 and 11.3.6). Throws DecodeError, also above `mostFrames`, or `mostPixels`
 * of all frames, each as large as the canvas.
 */
export function takeApart(bytes: Uint8Array, mostFrames: number, mostPixels: number): Apng | null {
  const chunks = chunksOf(bytes);
  const header = chunks[0];
  const still = chunks.findIndex(({ type }) => type === 'IDAT');
  const control = chunks.findIndex(({ type }) => type === 'acTL');
  if (header?.type !== 'IHDR' || header.data.length !== 13 || control < 0 || still < control) return null;
  const declared = uint32(chunks[control]?.data, 0);
  const [width, height] = [uint32(header.data, 0), uint32(header.data, 4)];
  if (declared > mostFrames) throw new OverLimit(`${mostFrames} frames`);
  if (declared * width * height > mostPixels) throw new OverLimit(`${mostPixels} pixels`);
  const shared = chunks.slice(0, still).filter(({ type }) => SHARED.has(type));
  const frames = cutFrames(chunks, header.data, shared);
  if (frames.length !== declared) {
    throw new DecodeError(`the animation declares ${plural(declared, 'frame')} and has ${frames.length}`);
  }
  const isStill = frames.length === 1 && chunks.findIndex(({ type }) => type === 'fcTL') < still;
  return isStill ? null : { width, height, depth: header.data[8] === 16 ? 16 : 8, frames };
}

/** Up to IEND; empty if not a PNG or without IEND. Throws if a chunk of the animation is damaged. */
function chunksOf(bytes: Uint8Array): readonly PngChunk[] {
  const chunks: PngChunk[] = [];
  for (const chunk of pngChunks(bytes)) {
    const { type, whole } = chunk;
    const isOfAnimation = type === 'acTL' || type === 'fcTL' || type === 'fdAT';
    if (isOfAnimation && crc32(whole.subarray(4, -4)) !== uint32(whole, whole.length - 4)) {
      throw new DecodeError(`the checksum of a chunk ${type} is wrong`);
    }
    chunks.push(chunk);
    if (type === 'IEND') return chunks;
  }
  return [];
}

function cutFrames(chunks: readonly PngChunk[], header: Uint8Array, shared: readonly PngChunk[]): readonly ApngFrame[] {
  const frames: ApngFrame[] = [];
  let frame: { readonly control: Uint8Array; readonly data: Uint8Array[] } | null = null;
  let sequence = 0;
  const finish = (): void => {
    if (frame !== null) frames.push(frameOf(frame.control, frame.data, header, shared));
  };
  for (const { type, data } of chunks) {
    if (type === 'fcTL' || type === 'fdAT') {
      if (uint32(data, 0) !== sequence) throw new DecodeError('the chunks of the animation are out of order');
      sequence += 1;
    }
    if (type === 'fcTL') {
      finish();
      if (data.length !== 26) throw new DecodeError('a frame control chunk has the wrong length');
      frame = { control: data, data: [] };
    } else if (type === 'fdAT') frame?.data.push(data.subarray(4));
    else if (type === 'IDAT') frame?.data.push(data);
  }
  finish();
  return frames;
}

function frameOf(
  control: Uint8Array,
  data: readonly Uint8Array[],
  header: Uint8Array,
  shared: readonly PngChunk[],
): ApngFrame {
  const [width, height, x, y] = [uint32(control, 4), uint32(control, 8), uint32(control, 12), uint32(control, 16)];
  if (data.length === 0) throw new DecodeError('a frame of the animation has no data');
  if (width === 0 || height === 0 || x + width > uint32(header, 0) || y + height > uint32(header, 4)) {
    throw new DecodeError('a frame of the animation lies outside its canvas');
  }
  const [numerator, denominator] = [uint16(control, 20), uint16(control, 22)];
  const dispose = DISPOSALS[control[24] ?? 255];
  const blend = BLENDS[control[25] ?? 255];
  if (dispose === undefined || blend === undefined)
    throw new DecodeError('a frame of the animation has an unknown dispose or blend operation');
  const ownHeader = Buffer.from(header);
  ownHeader.writeUInt32BE(width, 0);
  ownHeader.writeUInt32BE(height, 4);
  const png = Buffer.concat([
    PNG_SIGNATURE,
    chunkOf('IHDR', ownHeader),
    ...shared.map(({ type, data: content }) => chunkOf(type, content)),
    ...data.map((piece) => chunkOf('IDAT', piece)),
    chunkOf('IEND', new Uint8Array(0)),
  ]);
  const delayMs = Math.round((1000 * numerator) / (denominator === 0 ? 100 : denominator));
  return { png, x, y, width, height, delayMs, dispose, blend };
}

function chunkOf(type: string, data: Uint8Array): Uint8Array {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

/** Big-endian; 0 beyond the end. */
function uint32(bytes: Uint8Array | undefined, at: number): number {
  return uint16(bytes, at) * 65_536 + uint16(bytes, at + 2);
}

function uint16(bytes: Uint8Array | undefined, at: number): number {
  return (bytes?.[at] ?? 0) * 256 + (bytes?.[at + 1] ?? 0);
}

/**
 * Draws the frames of an animated PNG on its canvas, transparent at first (PNG specification, third edition, section
 * 11.3.6.2). `decode` gives a frame's pixels. Returns all frames below each other, in four channels.
 */
export async function drawFrames(
  { width, height, depth, frames }: Apng,
  decode: (png: Uint8Array) => Promise<Pixels>,
): Promise<Pixels> {
  const samples = width * height * 4;
  const [canvas, data] =
    depth === 8
      ? [new Uint8Array(samples), new Uint8Array(samples * frames.length)]
      : [new Uint16Array(samples), new Uint16Array(samples * frames.length)];
  const onCanvas: Pixels = { width, height, channels: 4, depth, data: canvas };
  for (const [number, frame] of frames.entries()) {
    const dispose = number === 0 && frame.dispose === 'restore' ? 'clear' : frame.dispose;
    const before = dispose === 'restore' ? canvas.slice() : null;
    layDown(onCanvas, frame, await decode(frame.png));
    data.set(canvas, number * samples);
    if (before !== null) canvas.set(before);
    if (dispose === 'clear') clear(onCanvas, frame);
  }
  return { width, height: height * frames.length, channels: 4, depth, data };
}

function layDown(canvas: Pixels, { x, y, width, height, blend }: ApngFrame, frame: Pixels): void {
  if (frame.width !== width || frame.height !== height)
    throw new DecodeError('a frame decodes to another size than declared');
  const peak = peakOf(canvas);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const from = (row * width + column) * frame.channels;
      const to = ((y + row) * canvas.width + x + column) * 4;
      const alpha = frame.channels === 3 ? peak : (frame.data[from + 3] ?? 0);
      if (blend === 'over' && alpha < peak) layOver(canvas.data, to, frame.data, from, alpha, peak);
      else {
        for (let channel = 0; channel < 3; channel += 1) canvas.data[to + channel] = frame.data[from + channel] ?? 0;
        canvas.data[to + 3] = alpha;
      }
    }
  }
}

/** Porter and Duff's "over"; colours are not multiplied by alpha. */
function layOver(
  canvas: Pixels['data'],
  to: number,
  frame: Pixels['data'],
  from: number,
  alpha: number,
  peak: number,
): void {
  const ofFrame = alpha * peak;
  const ofCanvas = (peak - alpha) * (canvas[to + 3] ?? 0);
  const both = ofFrame + ofCanvas;
  if (both === 0) return;
  for (let channel = 0; channel < 3; channel += 1) {
    const mixed = (frame[from + channel] ?? 0) * ofFrame + (canvas[to + channel] ?? 0) * ofCanvas;
    canvas[to + channel] = Math.round(mixed / both);
  }
  canvas[to + 3] = Math.round(both / peak);
}

function clear(canvas: Pixels, { x, y, width, height }: ApngFrame): void {
  for (let row = y; row < y + height; row += 1) {
    const from = (row * canvas.width + x) * 4;
    canvas.data.fill(0, from, from + width * 4);
  }
}

interface DecodedSequence {
  readonly frames: readonly Pixels[];
  readonly delaysMs: readonly number[];
  /** SHA-256 over format and planes of all frames as coded. */
  readonly planesSha256: string;
}

/** `ok` is null if this machine cannot decode it. */
type AvifDecoding =
  | { readonly ok: true; readonly sequence: DecodedSequence }
  | { readonly ok: false; readonly reason: DecodeFault }
  | { readonly ok: null; readonly reason: MissingDecoder };

interface SequenceLimits {
  readonly frames: number;
  /** Of all frames together. */
  readonly pixels: number;
}

/** By the brands of the file type box (AV1 Image File Format, section 5.2). */
export function isAvifSequence(bytes: Uint8Array): boolean {
  if (latin1(bytes, 4, 8) !== 'ftyp') return false;
  const end = Math.min(bytes.length, 256, ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0));
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12 && latin1(bytes, at, at + 4) === 'avis') return true;
  return false;
}

/** Decodes by node-av, as sharp's libheif reads no sequences. Refuses alpha, which is a separate track. */
export async function decodeAvifSequence(bytes: Uint8Array, limits: SequenceLimits): Promise<AvifDecoding> {
  if (hasAlphaTrack(bytes)) {
    return { ok: null, reason: { code: 'not_supported', detail: 'animated AVIF with alpha is not supported' } };
  }
  const loaded = await loadLibav();
  if (!loaded.ok) return { ok: null, reason: { ...loaded.reason, needed: 'animated_avif' } };
  let open: OpenVideo | null = null;
  try {
    open = openVideo(loaded.libav, bytes, 'image/avif', limits.pixels);
    return { ok: true, sequence: readSequence(loaded.libav, open, limits) };
  } catch (error) {
    if (error instanceof DecodeError) return { ok: false, reason: error.fault };
    if (error instanceof NoDecoder) return { ok: null, reason: error.why };
    throw error;
  } finally {
    open?.close();
  }
}

function readSequence(libav: Libav, { stream, frames: decoded }: OpenVideo, limits: SequenceLimits): DecodedSequence {
  const reader = readFrames(libav, stream);
  const timeline = new VideoTimeline(stream);
  const frames: Pixels[] = [];
  const timesMs: number[] = [];
  const planes = createHash('sha256');
  let pixels = 0;
  try {
    for (const frame of decoded()) {
      timeline.add(frame);
      pixels += frame.width * frame.height;
      if (frames.length === limits.frames) throw new OverLimit(`${limits.frames} frames`);
      if (pixels > limits.pixels) throw new OverLimit(`${limits.pixels} pixels`);
      const display = stream.displayOf(frame);
      planes.update(`${frame.width} x ${frame.height}, ${frame.format}${display}\n`).update(frame.toBuffer());
      frames.push(reader.pixelsOf(frame));
      timesMs.push(Math.round(1000 * timeline.sinceFirstS));
    }
  } finally {
    reader.close();
  }
  timeline.sum();
  const endMs = Math.round(1000 * timeline.endS);
  const delaysMs = timesMs.map((ms, number) => (timesMs[number + 1] ?? endMs) - ms);
  return { frames, delaysMs, planesSha256: planes.digest('hex') };
}

/** Whether a track has auxiliary video, by its handler (ISO/IEC 14496-12, sections 8.4.3 and 12.1). */
function hasAlphaTrack(bytes: Uint8Array): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = all.indexOf('auxv'); at >= 0; at = all.indexOf('auxv', at + 4)) {
    if (latin1(all, at - 12, at - 8) === 'hdlr') return true;
  }
  return false;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(Math.max(0, from), Math.max(0, to)));
}
