import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { DecodeError, OverLimit } from './decode-error.ts';
import type { DecodeFault, ImageIntegrity, MissingDecoder } from './facts.ts';
import { isUndecodedAnimation, sniff } from './header.ts';
import { hashOf, type Pdq, type Shrunk, shrunkOf } from './pdq.ts';
import { emptyTransparent, type Pixels, peakOf, type TimedPixels } from './pixels.ts';
import { integrityOf } from './signals/blank.ts';
import { type OnGrounds, onChecks, onGrounds, viewsOf } from './still/grounds.ts';
import { strippedDigest } from './strip/strip-metadata.ts';

export interface DecodedImage {
  /** In pixels, after the orientation that the file declares. */
  readonly width: number;
  readonly height: number;
  readonly frames: readonly [TimedPixels, ...TimedPixels[]];
  /** SHA-256 of what is shown: size, depth, times and pixels. */
  readonly pixelSha256: string;
}

/** `ok` is null if nothing here decodes this kind. */
export type Decoding =
  | { readonly ok: true; readonly image: DecodedImage }
  | { readonly ok: false; readonly reason: DecodeFault }
  | { readonly ok: null; readonly reason: MissingDecoder };

/** Of all frames together; larger images are refused before allocation. */
const MOST_PIXELS = 64 * 1024 * 1024;

const MOST_BYTES = 256 * 1024 * 1024;

const MOST_FRAMES = 4096;

const THUMBNAIL_SIDE = 256;

/** Longer side in pixels: as wide as a page shows it. */
const SMALL_THUMBNAIL_SIDE = 200;

const COPY_SIDE = 1024;

/** WebP's 0 to 6. Its usual 4 takes half as long again, for files smaller by a twentieth. */
const EFFORT = 2;

/** Browsers use this for frames without a time. */
const DEFAULT_DELAY_MS = 100;

/**
 * Decodes a whole image, so that a truncated one is found: upright, in sRGB from any profile, grey or CMYK, with its 16
 * bits and any transparency. Never throws for its bytes.
 */
export async function decodeImage(bytes: Uint8Array): Promise<Decoding> {
  if (isUndecodedAnimation(bytes)) {
    const detail = 'animated PNG and AVIF are not decoded: use animated WebP or GIF, or a video';
    return { ok: null, reason: { code: 'not_supported', detail } };
  }
  try {
    return await decodeByHeader(bytes);
  } catch (error) {
    return { ok: false, reason: faultOf(error) };
  }
}

/** Pixels of all frames, by the header; 0 of what is not decoded. */
export async function declaredPixels(bytes: Uint8Array): Promise<number> {
  try {
    if (isUndecodedAnimation(bytes)) return 0;
    const { width, height } = await (await openImage(bytes)).metadata();
    return width * height;
  } catch {
    return 0;
  }
}

/** Opens all frames; of AVIF only the primary image, as others may be alternates, tiles, layers and thumbnails. */
async function openImage(bytes: Uint8Array): Promise<Sharp> {
  const options = { failOn: 'error', limitInputPixels: MOST_PIXELS } as const;
  if (sniff(bytes)?.mime !== 'image/avif') return sharp(bytes, { ...options, pages: -1 });
  const { pagePrimary = 0 } = await sharp(bytes, options).metadata();
  return sharp(bytes, { ...options, page: pagePrimary });
}

async function decodeByHeader(bytes: Uint8Array): Promise<Decoding> {
  const {
    width,
    height,
    depth: stored,
    pageHeight = height,
    delay,
    orientation = 1,
  } = await (await openImage(bytes)).metadata();
  const pages = height / pageHeight;
  if (pages > MOST_FRAMES) throw new OverLimit(`${MOST_FRAMES} frames`);
  if (4 * width * height * (stored === 'ushort' ? 2 : 1) > MOST_BYTES) {
    throw new OverLimit(`${MOST_BYTES} bytes of decoded frames`);
  }
  // Only stills are turned: an animation is one strip of frames.
  const strip = await decodeStrip(bytes, stored === 'ushort' ? 16 : 8, pages === 1 && orientation !== 1);
  const delaysMs = Array.from({ length: pages }, (_, page) => delay?.[page] || DEFAULT_DELAY_MS);
  return decoded(strip, delaysMs);
}

function decoded(strip: Pixels, delaysMs: readonly number[]): Decoding {
  const height = strip.height / delaysMs.length;
  const samples = strip.width * height * strip.channels;
  const frames: TimedPixels[] = [];
  let atMs = 0;
  for (const [page, delayMs] of delaysMs.entries()) {
    const pixels = { ...strip, height, data: strip.data.subarray(page * samples, (page + 1) * samples) };
    frames.push({ atS: atMs / 1000, pixels });
    atMs += delayMs;
  }
  const [first, ...others] = frames;
  if (first === undefined) throw new DecodeError('it has no frame that decodes');
  const pixelSha256 = digestOf(strip, delaysMs);
  return { ok: true, image: { width: strip.width, height, frames: [first, ...others], pixelSha256 } };
}

/** All frames below each other. */
async function decodeStrip(bytes: Uint8Array, depth: 8 | 16, turn: boolean): Promise<Pixels> {
  const opened = await openImage(bytes);
  // Of 16 bits, sharp brings a profile only to Display P3.
  const isWide = depth === 16 && (await opened.metadata()).hasProfile;
  const image = isWide ? opened.withIccProfile('srgb') : opened;
  const { data, info } = await (turn ? image.autoOrient() : image)
    .toColourspace(depth === 16 ? 'rgb16' : 'srgb')
    .raw({ depth: depth === 16 ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return stripOf(data, depth, info);
}

export function thumbnailOf(pixels: Pixels): Promise<Uint8Array> {
  return smaller(pixels, THUMBNAIL_SIDE).webp({ quality: 82, effort: EFFORT }).toBuffer();
}

/** Longer side at most 200 pixels, for pages of very many images. Null if a thumbnail is no larger. */
export async function smallThumbnailOf(pixels: Pixels): Promise<Uint8Array | null> {
  if (Math.max(pixels.width, pixels.height) <= SMALL_THUMBNAIL_SIDE) return null;
  return smaller(pixels, SMALL_THUMBNAIL_SIDE).webp({ quality: 50, effort: EFFORT }).toBuffer();
}

/** Longer side at most 1,024 pixels. Null if a thumbnail shows all. */
export async function copyOf(pixels: Pixels): Promise<Uint8Array | null> {
  if (Math.max(pixels.width, pixels.height) <= THUMBNAIL_SIDE) return null;
  // Readers must not take compression artefacts for the model's. Sharper chroma would cost too much time.
  return smaller(pixels, COPY_SIDE).webp({ quality: 92, effort: 1 }).toBuffer();
}

/** At 8 bits: sharp would read 16-bit samples as linear light. */
export function toSharp({ width, height, channels, data }: Pixels): Sharp {
  return sharp(data instanceof Uint8Array ? data : inBytes(data), { raw: { width, height, channels } });
}

/** Transparency is shown on checks. */
function smaller(pixels: Pixels, side: number): Sharp {
  return toSharp(onChecks(pixels)).resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
}

/** A loop: `from` with a function first makes a list of all values. */
function inBytes(samples: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length);
  for (let at = 0; at < samples.length; at += 1) bytes[at] = ((samples[at] ?? 0) + 128) / 257;
  return bytes;
}

/** Only for sniffed formats: other loaders read further files, or run programs in an image (SVG). */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`);

/** One thread, because a pool of processes decodes; no cache, because each image comes once. */
export function decodeFrugally(): void {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
}

interface RawInfo {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** Shares the memory, but copies at an odd address. */
function wordsOf({ buffer, byteOffset, byteLength }: Buffer): Uint16Array {
  if (byteOffset % 2 === 0) return new Uint16Array(buffer, byteOffset, byteLength / 2);
  return new Uint16Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

function stripOf(raw: Buffer, depth: 8 | 16, { width, height, channels }: RawInfo): Pixels {
  const data = depth === 8 ? raw : wordsOf(raw);
  if (channels === 3) return { width, height, channels, depth, data };
  if (channels !== 4) throw new Error(`decoded to ${channels} channels`);
  return withNeededAlpha({ width, height, channels, depth, data });
}

/** Removes alpha that hides nothing, and the colour of transparent pixels: the image looks the same. */
function withNeededAlpha(strip: Pixels): Pixels {
  const { width, height, depth, data } = strip;
  const pixels = width * height;
  const opaque = peakOf(strip);
  let at = 3;
  while (at < data.length && data[at] === opaque) at += 4;
  if (at < data.length) {
    emptyTransparent(data);
    return strip;
  }
  const without = depth === 8 ? new Uint8Array(3 * pixels) : new Uint16Array(3 * pixels);
  for (let from = 0, to = 0; to < without.length; from += 4, to += 3) {
    without[to] = data[from] ?? 0;
    without[to + 1] = data[from + 1] ?? 0;
    without[to + 2] = data[from + 2] ?? 0;
  }
  return { width, height, channels: 3, depth, data: without };
}

function digestOf({ width, height, channels, depth, data }: Pixels, delaysMs: readonly number[]): string {
  const frames = delaysMs.length;
  const times = frames === 1 ? '' : delaysMs.join(' ');
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  // Little-endian on every machine, because digests are compared.
  const ordered = depth === 16 && endianness() === 'BE' ? Buffer.from(bytes).swap16() : bytes;
  return createHash('sha256')
    .update(`${width} x ${height}, ${frames}, ${channels} of ${depth} bits, ${times}\n`)
    .update(ordered)
    .digest('hex');
}

function faultOf(error: unknown): DecodeFault {
  if (error instanceof DecodeError) return error.fault;
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'not_decodable', detail: (message.split('\n')[0] ?? '').slice(0, 200) };
}

export interface ImageFindings {
  /** SHA-256 without metadata, of PNG and JPEG; null for other formats. */
  readonly strippedSha256: string | null;
  /** Made of the first frame, like everything below except `blank`. */
  readonly thumbnail: Uint8Array;
  /** Null if the thumbnail is no larger. */
  readonly smallThumbnail: Uint8Array | null;
  /** Null if the thumbnail shows every pixel. */
  readonly copy: Uint8Array | null;
  readonly shrunk: OnGrounds<Shrunk>;
  readonly hash: Pdq;
  readonly first: ImageIntegrity;
  readonly blank: boolean;
}

/** What examination keeps of an image and its bytes. */
export async function findingsOf(bytes: Uint8Array, { frames }: DecodedImage): Promise<ImageFindings> {
  const [{ pixels }, ...others] = frames;
  const views = viewsOf(pixels);
  const first = integrityOf(pixels, views);
  const shrunk = onGrounds(views, shrunkOf);
  return {
    strippedSha256: strippedDigest(bytes, sniff(bytes)?.mime ?? ''),
    thumbnail: await thumbnailOf(pixels),
    smallThumbnail: await smallThumbnailOf(pixels),
    copy: await copyOf(pixels),
    shrunk,
    hash: hashOf(onGrounds(shrunk, ({ hash }) => hash)),
    first,
    blank: first.blank && others.every((frame) => integrityOf(frame.pixels).blank),
  };
}
