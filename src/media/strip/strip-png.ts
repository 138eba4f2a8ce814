import { type ExifOrientation, exifOrientation, orientationToken } from './exif-orientation.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const FRAMING = 12;

/** Ancillary chunks that decide pixels, their colour, or the frames of an animation. */
const KEPT = new Set([
  'tRNS',
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI', 'mDCv', 'cLLi'],
  ...['acTL', 'fcTL', 'fdAT'],
]);

/**
 * Hands over, in order, the parts of a PNG that decide how it is shown; false, and the parts are meaningless, if its
 * chunks cannot be walked to IEND. Chunks by the PNG specification, third edition, sections 5.3, 5.6 and 11.
 *
 * - Kept whole, with checksum: every critical chunk (its first letter is a capital), transparency, colour space and
 *   colour volume, animation. So a file of nothing else keeps the digest of its bytes.
 * - Left out: text, time, physical size, background, histogram, suggested palette, significant bits, provenance (caBX)
 *   and unknown ancillary chunks; and what follows IEND, which no decoder reads.
 * - The orientation of the first EXIF chunk stays, as a token after IEND: decoders turn the image by it.
 * - A colour profile stays unchanged, with the date in its header. Files with different dates there, or with the same
 *   data cut into other IDAT chunks, differ.
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
