/** Pictures that can be sent as inputs, by how their bytes begin: PNG (RFC 2083), JPEG (ITU-T T.81), WebP (RFC 9649). */
const SIGNATURES = [
  { mime: 'image/png', offset: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { mime: 'image/jpeg', offset: 0, bytes: [0xff, 0xd8, 0xff] },
  { mime: 'image/webp', offset: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
] as const;

const RIFF = [0x52, 0x49, 0x46, 0x46];

/** The media type of an input picture; null where the bytes are none of PNG, JPEG and WebP. Its name is not asked. */
export function pictureType(bytes: Uint8Array): string | null {
  const holds = (expected: readonly number[], offset: number) =>
    expected.every((byte, index) => bytes[offset + index] === byte);
  const found = SIGNATURES.find(({ offset, bytes: expected }) => holds(expected, offset));
  return found === undefined || (found.mime === 'image/webp' && !holds(RIFF, 0)) ? null : found.mime;
}
