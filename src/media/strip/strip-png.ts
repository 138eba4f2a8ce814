import { type ExifOrientation, exifOrientation, orientationToken } from './exif-orientation.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Length, type and checksum. */
const FRAMING = 12;

/** Ancillary chunks that decide pixels, their colour, or the frames of an animation. */
const KEPT = new Set([
  'tRNS',
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI', 'mDCv', 'cLLi'],
  ...['acTL', 'fcTL', 'fdAT'],
]);

/**
 * Hands over, in order, what of a PNG decides how it is shown; false where its chunks cannot be walked to IEND (what was
 * handed over then means nothing). Chunk layout by the PNG specification, third edition, sections 5.3, 5.6 and 11.
 *
 * - Kept whole, checksum included: every critical chunk, known or not (its first letter is a capital), transparency,
 *   colour space and colour volume, animation. So the digest of a file of nothing else is the digest of the file.
 * - Left out: text, time, physical size, background, histogram, suggested palette, significant bits, provenance (caBX)
 *   and every unknown ancillary chunk; and what follows IEND, which no decoder reads.
 * - Of EXIF, the orientation of its first chunk remains, as a token behind IEND: decoders turn the image by it.
 * - A colour profile stays unchanged, the date in its header too: a profile made for each file makes them differ.
 *   So do the same compressed data cut into other IDAT chunks.
 */
export function stripPng(bytes: Uint8Array, keep: (part: Uint8Array) => void): boolean {
  if (!SIGNATURE.every((byte, at) => bytes[at] === byte)) return false;
  keep(bytes.subarray(0, SIGNATURE.length));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let orientation: ExifOrientation | null = null;
  let at = SIGNATURE.length;
  while (at + FRAMING <= bytes.length) {
    const end = at + FRAMING + view.getUint32(at);
    if (end > bytes.length) return false;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if ((type === 'IHDR') !== (at === SIGNATURE.length)) return false;
    if (isCritical(bytes[at + 4] ?? 0) || KEPT.has(type)) keep(bytes.subarray(at, end));
    else if (type === 'eXIf') orientation ??= exifOrientation(bytes.subarray(at + 8, end - 4));
    if (type === 'IEND') {
      keep(orientationToken(orientation ?? 1));
      return true;
    }
    at = end;
  }
  return false;
}

/** By bit 5 of a type's first byte: a capital letter. */
function isCritical(first: number): boolean {
  return (first & 0x20) === 0;
}
