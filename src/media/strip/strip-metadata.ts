import { createHash } from 'node:crypto';
import { stripJpeg } from './strip-jpeg.ts';
import { stripMp4 } from './strip-mp4.ts';
import { stripPng } from './strip-png.ts';

/** Hands over the parts of a file that are not metadata; false if the file cannot be walked to its end. */
type Strip = (bytes: Uint8Array, keep: (part: Uint8Array) => void) => boolean;

const FORMATS: Readonly<Record<string, Strip>> = {
  'image/png': stripPng,
  'image/jpeg': stripJpeg,
  'video/mp4': stripMp4,
  'video/quicktime': stripMp4,
};

/**
 * SHA-256, in hex, of a PNG, JPEG, MP4 or QuickTime file without its metadata: texts, times, provenance and the like.
 * Null for other formats, and if the file cannot be walked to its end. Linear in the number of bytes.
 */
export function strippedDigest(bytes: Uint8Array, mime: string): string | null {
  const strip = Object.hasOwn(FORMATS, mime) ? FORMATS[mime] : undefined;
  if (strip === undefined) return null;
  const hash = createHash('sha256');
  return strip(bytes, (part) => hash.update(part)) ? hash.digest('hex') : null;
}
