/** EXIF's eight ways to show an image; 1 is upright. */
export type ExifOrientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const PREFIX = [0x45, 0x78, 0x69, 0x66, 0, 0];
const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const LONG = 4;

/** Whether a JPEG's APP1 segment begins with "Exif" and two zeros. */
export function isExif(segment: Uint8Array): boolean {
  return PREFIX.every((byte, at) => segment[at] === byte);
}

/**
 * The orientation in EXIF data, with their "Exif" prefix or without; 1 if none, invalid or damaged. Tag 0x0112 of the
 * first directory (Exif 2.32, section 4.6.4; TIFF 6.0, section 2).
 */
export function exifOrientation(exif: Uint8Array): ExifOrientation {
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

/** In a stripped digest: a few bytes instead of the EXIF data; none for upright, like a file without EXIF. */
export function orientationToken(orientation: ExifOrientation): Uint8Array {
  return Buffer.from(orientation === 1 ? '' : `orientation ${orientation}`, 'latin1');
}

function asOrientation(value: number): ExifOrientation {
  return ALL.find((each) => each === value) ?? 1;
}

const ALL: readonly ExifOrientation[] = [1, 2, 3, 4, 5, 6, 7, 8];
