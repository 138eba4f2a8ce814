import { sniff, walkBoxes } from '../header.ts';
import { pngChunks } from './png-chunks.ts';

/** sRGB in cHRM: x and y of white, red, green and blue, times 100,000. */
const SRGB_CHROMATICITIES = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000];

/** 1 / 2.2 times 100,000, the gAMA of sRGB files. */
const SRGB_GAMMA = 45_455;

/** Primaries of BT.709, transfer of sRGB, RGB, full range (ITU-T H.273). */
const SRGB_CODE_POINTS = '1/13/0/1';

/**
 * Colours that a PNG or AVIF declares and decoding ignores: `cICP 9/16/0/1`, `gAMA 100000`, `nclx 9/16`. Empty for
 * sRGB, none, a profile (which is followed), and other formats.
 */
export function unfollowedColour(bytes: Uint8Array): string {
  return colourOfAvif(bytes) || colourOfPng(bytes);
}

/** Precedence by the PNG specification, third edition, section 4.3: cICP, iCCP, sRGB, then gAMA with cHRM. */
function colourOfPng(bytes: Uint8Array): string {
  const chunks = colourChunks(bytes);
  const codePoints = chunks.get('cICP');
  if (codePoints !== undefined) {
    const points = codePoints.join('/');
    return points === SRGB_CODE_POINTS ? '' : `cICP ${points}`;
  }
  if (chunks.has('iCCP') || chunks.has('sRGB')) return '';
  const gamma = numbersOf(chunks.get('gAMA'));
  const chromaticities = numbersOf(chunks.get('cHRM'));
  const isUsual = chromaticities.every((value, at) => value === SRGB_CHROMATICITIES[at]);
  return [
    gamma.length === 0 || gamma[0] === SRGB_GAMMA ? '' : `gAMA ${gamma.join(' ')}`,
    isUsual ? '' : `cHRM ${chromaticities.join(' ')}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** Of sRGB; 2: not specified (ITU-T H.273). */
const SRGB_PRIMARIES = [1, 2];
const SRGB_TRANSFERS = [13, 2];

/**
 * Primaries and transfer among the properties of items, whose matrix and range are followed; a profile precedes them
 * (ISO/IEC 14496-12, sections 8.11.14 and 12.1.5).
 */
function colourOfAvif(bytes: Uint8Array): string {
  if (sniff(bytes)?.mime !== 'image/avif') return '';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const colours = new Set<string>();
  let hasProfile = false;
  const noteColours = (path: readonly string[], from: number, to: number): boolean =>
    walkBoxes(view, from, to, (box) => {
      const [type, ...inner] = path;
      if (box.type !== type) return true;
      // Version and flags come first in `meta`.
      if (inner.length > 0) return noteColours(inner, box.from + (type === 'meta' ? 4 : 0), box.to);
      if (box.to - box.from < NCLX_BYTES) return true;
      const [primaries, transfer] = [view.getUint16(box.from + 4), view.getUint16(box.from + 6)];
      const isUsual = SRGB_PRIMARIES.includes(primaries) && SRGB_TRANSFERS.includes(transfer);
      if (view.getUint32(box.from) !== NCLX) hasProfile = true;
      else if (!isUsual) colours.add(`nclx ${primaries}/${transfer}`);
      return true;
    });
  noteColours(['meta', 'iprp', 'ipco', 'colr'], 0, bytes.length);
  return hasProfile ? '' : [...colours].join(', ');
}

/** The letters `nclx`. */
const NCLX = 0x6e636c78;
const NCLX_BYTES = 11;

const COLOUR = new Set(['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM']);

function colourChunks(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const chunks = new Map<string, Uint8Array>();
  for (const { type, data } of pngChunks(bytes)) {
    if (type === 'IDAT') break;
    if (COLOUR.has(type) && !chunks.has(type)) chunks.set(type, data);
  }
  return chunks;
}

/** Big-endian, 32 bits. */
function numbersOf(data: Uint8Array | undefined): readonly number[] {
  if (data === undefined) return [];
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from({ length: Math.floor(data.length / 4) }, (_, number) => view.getUint32(4 * number));
}
