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

/** By the signature in the first bytes; null if unknown. It chooses a decoder; decoding may still fail. */
export function sniff(bytes: Uint8Array): MediaType | null {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return PNG;
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return JPEG;
  if (ascii(bytes, 0, 6) === 'GIF87a' || ascii(bytes, 0, 6) === 'GIF89a') return GIF;
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return WEBP;
  if (ascii(bytes, 4, 8) === 'ftyp') return isoBrand(bytes);
  if (startsWith(bytes, [0x1a, 0x45, 0xdf, 0xa3])) return ascii(bytes, 0, 64).includes('webm') ? WEBM : MATROSKA;
  return isFilm(bytes) ? QUICKTIME : null;
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

/** Atoms that may stand before those of a film. */
const FILLERS = new Set(['wide', 'free', 'skip', 'pnot']);

/** QuickTime older than `ftyp` begins with the atom `moov` or `mdat`, or with fillers (QuickTime File Format, 2001). */
function isFilm(bytes: Uint8Array): boolean {
  let at = 0;
  // A size from 512 MiB on, whose first byte is that of a character, is a text that names an atom.
  while ((bytes[at] ?? 255) < 0x20) {
    const type = ascii(bytes, at + 4, at + 8);
    if (type === 'moov' || type === 'mdat') return true;
    const size = Buffer.from(bytes.subarray(at, at + 4)).readUInt32BE();
    if (size < 8 || !FILLERS.has(type)) return false;
    at += size;
  }
  return false;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return bytes.length >= signature.length && signature.every((byte, at) => bytes[at] === byte);
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, Math.max(from, to)));
}
