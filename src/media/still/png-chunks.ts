export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export interface PngChunk {
  readonly type: string;
  readonly data: Uint8Array;
  /** With length, type and checksum, 4 bytes each. */
  readonly whole: Uint8Array;
}

const FRAMING = 12;

/** The chunks of a PNG up to IEND or the end; none of other bytes (PNG, third edition, section 5.3). */
export function* pngChunks(bytes: Uint8Array): Generator<PngChunk> {
  if (!PNG_SIGNATURE.every((byte, at) => bytes[at] === byte)) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = PNG_SIGNATURE.length; at + FRAMING <= bytes.length; ) {
    const end = at + FRAMING + view.getUint32(at);
    if (end > bytes.length) return;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    yield { type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) };
    if (type === 'IEND') return;
    at = end;
  }
}

/** sRGB in cHRM: x and y of white, red, green and blue, times 100,000. */
const SRGB_CHROMATICITIES = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000];

/** 1 / 2.2 times 100,000, the gAMA of sRGB files. */
const SRGB_GAMMA = 45_455;

/** Primaries of BT.709, transfer of sRGB, RGB, full range (ITU-T H.273). */
const SRGB_CODE_POINTS = '1/13/0/1';

/**
 * Colours that a PNG declares and decoding ignores: `cICP 9/16/0/1`, `gAMA 100000`. Empty for sRGB, none, a profile
 * (which is followed), and other formats. Precedence by the PNG specification, third edition, section 4.3: cICP, iCCP,
 * sRGB, then gAMA with cHRM.
 */
export function unfollowedColour(bytes: Uint8Array): string {
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
