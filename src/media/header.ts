export interface MediaType {
  readonly mime: string;
  /** Without the dot. */
  readonly extension: string;
}

const PNG: MediaType = { mime: 'image/png', extension: 'png' };
const JPEG: MediaType = { mime: 'image/jpeg', extension: 'jpg' };
const GIF: MediaType = { mime: 'image/gif', extension: 'gif' };
const WEBP: MediaType = { mime: 'image/webp', extension: 'webp' };
const AVIF: MediaType = { mime: 'image/avif', extension: 'avif' };
const MP4: MediaType = { mime: 'video/mp4', extension: 'mp4' };
const QUICKTIME: MediaType = { mime: 'video/quicktime', extension: 'mov' };
const WEBM: MediaType = { mime: 'video/webm', extension: 'webm' };
const MATROSKA: MediaType = { mime: 'video/x-matroska', extension: 'mkv' };
const KNOWN = [PNG, JPEG, GIF, WEBP, AVIF, MP4, QUICKTIME, WEBM, MATROSKA];

/** The type by the signature in the first bytes; null if unknown. Decoding may still fail. */
export function sniff(bytes: Uint8Array): MediaType | null {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return PNG;
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return JPEG;
  if (ascii(bytes, 0, 6) === 'GIF87a' || ascii(bytes, 0, 6) === 'GIF89a') return GIF;
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return WEBP;
  if (ascii(bytes, 4, 8) === 'ftyp') return isoBrand(bytes);
  if (startsWith(bytes, [0x1a, 0x45, 0xdf, 0xa3])) return ascii(bytes, 0, 64).includes('webm') ? WEBM : MATROSKA;
  return null;
}

export function isMediaExtension(extension: string): boolean {
  return extension === 'jpeg' || KNOWN.some((type) => type.extension === extension);
}

export function extensionOf(mime: string | null): string | null {
  return KNOWN.find((type) => type.mime === mime)?.extension ?? null;
}

/** Whether a type matches what a target expects: `image/*`, `video/mp4`; null matches any media. */
export function fitsExpectation(type: MediaType | null, expected: string | null): boolean {
  if (type === null) return false;
  if (expected === null || expected === '*/*') return true;
  return expected.endsWith('/*') ? type.mime.startsWith(expected.slice(0, -1)) : type.mime === expected;
}

/** Major brands of images other than AVIF, which nothing here decodes. */
const OTHER_IMAGES = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'crx ']);

/** ISO base media: the major brand first, else the compatible brands (ISO/IEC 14496-12, section 4.3). */
function isoBrand(bytes: Uint8Array): MediaType | null {
  const major = ascii(bytes, 8, 12);
  if (major === 'avif' || major === 'avis') return AVIF;
  if (major === 'qt  ') return QUICKTIME;
  const boxEnd = Math.min(64, ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0));
  const brands = ascii(bytes, 16, boxEnd);
  if (brands.includes('avif') && !brands.includes('isom')) return AVIF;
  return OTHER_IMAGES.has(major) ? null : MP4;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return bytes.length >= signature.length && signature.every((byte, at) => bytes[at] === byte);
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, Math.max(from, to)));
}

/* What a header says without decoding: seconds of videos that are priced, and sizes of input images. */

export interface ImageHeader {
  /** In pixels, before the orientation that the file declares. */
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
  /** Whether pixels may be transparent. */
  readonly alpha: boolean;
}

/** Of PNG, JPEG, WebP and GIF; null for others, and for a broken header. */
export function imageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const image = pngHeader(view) ?? gifHeader(view) ?? webpHeader(view) ?? jpegHeader(view);
  return image === null || image.width * image.height === 0 ? null : image;
}

/** The length that MP4 and QuickTime declare, in seconds; null for others, and if they do not say. */
export function headerSeconds(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let seconds: number | null = null;
  walkBoxes(view, 0, view.byteLength, (box) => {
    if (box.type !== 'moov') return true;
    walkBoxes(view, box.from, box.to, ({ type, from, to }) => {
      if (type === 'mvhd') seconds = movieSeconds(view, from, to);
      return type !== 'mvhd';
    });
    return false;
  });
  return seconds;
}

/** ISO/IEC 14496-12, section 8.2.2: a fragmented file has duration 0, an unknown one has all bits set. */
function movieSeconds(view: DataView, from: number, to: number): number | null {
  const isLong = from < to && view.getUint8(from) === 1;
  if (to - from < (isLong ? 32 : 20)) return null;
  const scale = view.getUint32(from + (isLong ? 20 : 12));
  const ticks = isLong ? Number(view.getBigUint64(from + 24)) : view.getUint32(from + 16);
  const isUnknown = ticks === 0 || ticks >= (isLong ? 2 ** 63 : 2 ** 32 - 1);
  return scale === 0 || isUnknown ? null : ticks / scale;
}

/**
 * IHDR is the first chunk; acTL and tRNS precede IDAT (PNG, third edition, section 5.6). An animation whose only frame
 * is the still image, which has its fcTL before IDAT, is that image.
 */
function pngHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 26 || view.getUint32(0) !== 0x89504e47 || textAt(view, 12, 4) !== 'IHDR') return null;
  const chunks = new Set<string>();
  let frames = 0;
  for (let at = 8; at + 8 <= view.byteLength && !chunks.has('IDAT'); at += 12 + view.getUint32(at)) {
    const type = textAt(view, at + 4, 4);
    chunks.add(type);
    if (type === 'acTL' && at + 12 <= view.byteLength) frames = view.getUint32(at + 8);
  }
  const alpha = [4, 6].includes(view.getUint8(25)) || chunks.has('tRNS');
  const animated = chunks.has('acTL') && !(frames === 1 && chunks.has('fcTL'));
  return { width: view.getUint32(16), height: view.getUint32(20), animated, alpha };
}

/** Whether these are an animated PNG or an animated AVIF (by its brands: AV1 Image File Format, section 5.2). */
export function isUndecodedAnimation(bytes: Uint8Array): boolean {
  const mime = sniff(bytes)?.mime;
  if (mime === 'image/png') return imageHeader(bytes)?.animated === true;
  if (mime !== 'image/avif') return false;
  const end = Math.min(bytes.length, 256, ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0));
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12 && ascii(bytes, at, at + 4) === 'avis') return true;
  return false;
}

/** Taken as animated: nothing sends it as an input. */
function gifHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 10 || !/^GIF8[79]a$/.test(textAt(view, 0, 6))) return null;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true), animated: true, alpha: true };
}

/** RFC 9649: the canvas of an extended file, else the frame of the only chunk. */
function webpHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 30 || textAt(view, 0, 4) !== 'RIFF' || textAt(view, 8, 4) !== 'WEBP') return null;
  const image = (width: number, height: number, flags = 0) => {
    return { width, height, animated: (flags & 0x02) !== 0, alpha: (flags & 0x10) !== 0 };
  };
  switch (textAt(view, 12, 4)) {
    case 'VP8X':
      return image((view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1, view.getUint8(20));
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return image((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, (bits >>> 28) & 1 ? 0x10 : 0);
    }
    case 'VP8 ':
      return image(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    default:
      return null;
  }
}

/** The first frame header (ITU-T T.81, annex B.2.2): SOF0 to SOF15 without DHT, JPG and DAC. */
function jpegHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1; // A fill byte.
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame)
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), animated: false, alpha: false };
    const length = view.getUint16(at + 2);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}

function textAt(view: DataView, at: number, length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(view.getUint8(at + index))).join('');
}

export interface IsoBox {
  readonly type: string;
  /** Start of its header. */
  readonly start: number;
  /** Start and end of its content. */
  readonly from: number;
  readonly to: number;
}

/**
 * Visits the boxes of a range; false if they do not fill it exactly, or when a visit gives false. Sizes by ISO/IEC
 * 14496-12, section 4.2; 0 reaches to the end of the range.
 */
export function walkBoxes(view: DataView, from: number, to: number, visit: (box: IsoBox) => boolean): boolean {
  let at = from;
  while (at < to) {
    if (at + 8 > to) return false;
    let header = 8;
    let size = view.getUint32(at);
    if (size === 1) {
      header = 16;
      if (at + header > to) return false;
      size = Number(view.getBigUint64(at + 8));
    } else if (size === 0) size = to - at;
    if (size < header || at + size > to) return false;
    if (!visit({ type: textAt(view, at + 4, 4), start: at, from: at + header, to: at + size })) return false;
    at += size;
  }
  return true;
}
