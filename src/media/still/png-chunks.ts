export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

interface PngChunk {
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
