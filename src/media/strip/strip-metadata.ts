import { createHash } from 'node:crypto';
import { PNG_SIGNATURE, pngChunks } from '../still/png-chunks.ts';

const MARKER = 0xff;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COM = 0xfe;

/** Tables, frames, scans, restarts: SOFn, DHT, DAC (0xC0 to 0xCF), SOS, DQT, DNL, DRI, DHP, EXP. */
const FIRST_CODING = 0xc0;
const LAST_CODING = 0xdf;

/**
 * Hands over, in order, the parts of a JPEG that decide how it is shown; false if its segments cannot be walked to EOI.
 * Markers by ITU-T T.81, annex B.
 *
 * - Kept: tables, frame and scan headers, coded data, restart markers, Adobe's APP14 (the colour transform) and the
 * profile in APP2.
 * - Left out: comments, other application segments (EXIF, XMP, IPTC, provenance), fill bytes, what follows EOI.
 * - Tokens after EOI: the orientation of the first EXIF segment, which decoders follow; and JFIF if it decides the
 * colours: libjpeg then assumes YCbCr, whatever APP14 or component names say (jdapimin.c, default_decompress_parms).
 */
function stripJpeg(bytes: Uint8Array, keep: (part: Uint8Array) => void): boolean {
  if (bytes[0] !== MARKER || bytes[1] !== SOI) return false;
  keep(bytes.subarray(0, 2));
  const seen: Seen = { orientation: null, jfif: false, ownColours: false };
  let at = 2;
  for (;;) {
    if (bytes[at] !== MARKER) return false;
    while (bytes[at + 1] === MARKER) at += 1;
    const marker = bytes[at + 1] ?? 0;
    if (marker === EOI) {
      keep(bytes.subarray(at, at + 2));
      keep(Buffer.from(seen.jfif && seen.ownColours ? 'jfif ' : '', 'latin1'));
      keep(orientationToken(seen.orientation ?? 1));
      return true;
    }
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    let end = at + 2 + length;
    if (!hasLength(marker) || length < 2 || end > bytes.length) return false;
    const content = bytes.subarray(at + 4, end);
    if (marker === SOS) end = endOfScan(bytes, end);
    if (note(seen, marker, content)) keep(bytes.subarray(at, end));
    at = end;
  }
}

interface Seen {
  orientation: ExifOrientation | null;
  jfif: boolean;
  /** Something other than JFIF declares the colours of the components. */
  ownColours: boolean;
}

function note(seen: Seen, marker: number, content: Uint8Array): boolean {
  switch (marker) {
    case APP0:
      seen.jfif ||= startsWith(content, 'JFIF\0');
      return false;
    case APP1:
      if (isExif(content)) seen.orientation ??= exifOrientation(content);
      return false;
    case APP2:
      return startsWith(content, 'ICC_PROFILE\0');
    case APP14:
      seen.ownColours ||= startsWith(content, 'Adobe');
      return startsWith(content, 'Adobe');
  }
  // A frame header: precision, height, width, then three bytes per component, its name first.
  if (isFrame(marker)) seen.ownColours ||= content[6] === 0x52 && content[9] === 0x47 && content[12] === 0x42;
  return marker >= FIRST_CODING && marker <= LAST_CODING;
}

/** SOFn; DHT, JPG and DAC are numbers among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Where coded data end: before the next marker other than a stuffed byte or a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(MARKER, from);
  while (at >= 0) {
    const next = bytes[at + 1] ?? MARKER;
    if (next !== 0 && !isRestart(next)) return at;
    at = bytes.indexOf(MARKER, at + 2);
  }
  return bytes.length;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

function hasLength(marker: number): boolean {
  const codes = marker >= FIRST_CODING && marker <= LAST_CODING && marker !== SOI && !isRestart(marker);
  return codes || (marker >= APP0 && marker <= APP15) || marker === COM;
}

function startsWith(content: Uint8Array, text: string): boolean {
  if (content.length < text.length) return false;
  for (let at = 0; at < text.length; at += 1) if (content[at] !== text.charCodeAt(at)) return false;
  return true;
}

/** Ancillary chunks that decide pixels, their colour, or the frames of an animation. */
const KEPT = new Set([
  'tRNS',
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI', 'mDCv', 'cLLi'],
  ...['acTL', 'fcTL', 'fdAT'],
]);

/**
 * Hands over, in order, the parts of a PNG that decide how it is shown; false if its chunks cannot be walked to IEND.
 * Chunks by the PNG specification, third edition, sections 5.3, 5.6 and 11.
 *
 * - Kept, with checksum: critical chunks (first letter a capital), transparency, colour space and volume, animation. So
 * a file of nothing else keeps its digest.
 * - Left out: all other ancillary chunks (text, time, size, background, provenance), and what follows IEND.
 * - Token after IEND: the orientation of the first EXIF chunk, which decoders follow.
 * - Not normalised: dates in profiles, and cuts between IDAT chunks.
 */
function stripPng(bytes: Uint8Array, keep: (part: Uint8Array) => void): boolean {
  let orientation: ExifOrientation | null = null;
  let isFirst = true;
  for (const { type, data, whole } of pngChunks(bytes)) {
    if ((type === 'IHDR') !== isFirst) return false;
    if (isFirst) keep(PNG_SIGNATURE);
    isFirst = false;
    if (isCritical(whole[4] ?? 0) || KEPT.has(type)) keep(whole);
    else if (type === 'eXIf') orientation ??= exifOrientation(data);
    if (type === 'IEND') {
      keep(orientationToken(orientation ?? 1));
      return true;
    }
  }
  return false;
}

/** By bit 5 of a type's first byte: a capital letter. */
function isCritical(first: number): boolean {
  return (first & 0x20) === 0;
}

/**
 * SHA-256 (hex) of a PNG or JPEG file without metadata: texts, times, provenance. Null for other formats and damaged
 * files. Linear time.
 */
export function strippedDigest(bytes: Uint8Array, mime: string): string | null {
  const strip = mime === 'image/png' ? stripPng : mime === 'image/jpeg' ? stripJpeg : null;
  const hash = createHash('sha256');
  return strip?.(bytes, (part) => hash.update(part)) === true ? hash.digest('hex') : null;
}

/** A PNG made by Retake, upright, without metadata. Throws for other bytes. */
export function strippedPng(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  if (!stripPng(bytes, (part) => parts.push(part))) throw new Error('not a PNG');
  return Buffer.concat(parts);
}

/** EXIF's eight ways to show an image; 1 is upright. */
type ExifOrientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const PREFIX = [0x45, 0x78, 0x69, 0x66, 0, 0];
const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const LONG = 4;

/** Whether a JPEG's APP1 segment begins with "Exif" and two zeros. */
function isExif(segment: Uint8Array): boolean {
  return PREFIX.every((byte, at) => segment[at] === byte);
}

/**
 * The orientation in EXIF data, with or without "Exif" prefix; 1 if missing or invalid. Tag 0x0112 of the first
 * directory (Exif 2.32, section 4.6.4; TIFF 6.0, section 2).
 */
function exifOrientation(exif: Uint8Array): ExifOrientation {
  const tiff = isExif(exif) ? exif.subarray(PREFIX.length) : exif;
  if (tiff.length < 8) return 1;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const order = view.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return 1;
  const little = order === 0x4949;
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.length) return 1;
  const entries = view.getUint16(directory, little);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) return 1;
    if (view.getUint16(at, little) !== ORIENTATION_TAG) continue;
    const type = view.getUint16(at + 2, little);
    if (type === SHORT) return asOrientation(view.getUint16(at + 8, little));
    return type === LONG ? asOrientation(view.getUint32(at + 8, little)) : 1;
  }
  return 1;
}

/** Stands for EXIF data in a stripped digest; empty for upright, as for a file without EXIF. */
function orientationToken(orientation: ExifOrientation): Uint8Array {
  return Buffer.from(orientation === 1 ? '' : `orientation ${orientation}`, 'latin1');
}

function asOrientation(value: number): ExifOrientation {
  return ALL.find((orientation) => orientation === value) ?? 1;
}

const ALL: readonly ExifOrientation[] = [1, 2, 3, 4, 5, 6, 7, 8];
