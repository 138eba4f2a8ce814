import { walkBoxes } from './strip/iso-boxes.ts';

/* Sizes read from a header without decoding, for outputs that are priced by second or megapixel. */

export type SizeUnit = 'second' | 'megapixel';

/** Seconds of MP4 and QuickTime; megapixels (millions of pixels) of PNG, JPEG, WebP and GIF; else null. */
export function headerSize(bytes: Uint8Array, unit: SizeUnit): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return unit === 'second' ? videoSeconds(view) : imageMegapixels(view);
}

function imageMegapixels(view: DataView): number | null {
  const pixels = pngPixels(view) ?? gifPixels(view) ?? webpPixels(view) ?? jpegPixels(view);
  return pixels === null || pixels === 0 ? null : pixels / 1e6;
}

function videoSeconds(view: DataView): number | null {
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

/** IHDR is the first chunk. */
function pngPixels(view: DataView): number | null {
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47 || ascii(view, 12, 4) !== 'IHDR') return null;
  return view.getUint32(16) * view.getUint32(20);
}

/** The logical screen. */
function gifPixels(view: DataView): number | null {
  if (view.byteLength < 10 || !/^GIF8[79]a$/.test(ascii(view, 0, 6))) return null;
  return view.getUint16(6, true) * view.getUint16(8, true);
}

/** RFC 9649: the canvas of an extended file, else the frame of the only chunk. */
function webpPixels(view: DataView): number | null {
  if (view.byteLength < 30 || ascii(view, 0, 4) !== 'RIFF' || ascii(view, 8, 4) !== 'WEBP') return null;
  switch (ascii(view, 12, 4)) {
    case 'VP8X':
      return ((view.getUint32(24, true) & 0xffffff) + 1) * ((view.getUint32(26, true) >>> 8) + 1);
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8 ':
      return (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff);
    default:
      return null;
  }
}

/** The first frame header (ITU-T T.81, annex B.2.2): SOF0 to SOF15 without DHT, JPG and DAC. */
function jpegPixels(view: DataView): number | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1; // A fill byte.
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return view.getUint16(at + 5) * view.getUint16(at + 7);
    const length = view.getUint16(at + 2);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}

function ascii(view: DataView, at: number, length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(view.getUint8(at + index))).join('');
}
