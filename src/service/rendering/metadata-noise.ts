import { crc32 } from 'node:zlib';

/** The first chunk after IHDR: an 8-byte signature, then IHDR with 13 bytes of data and 12 around them. */
const AFTER_HEADER = 8 + 25;

/** Adds a tEXt chunk (PNG specification, section 11.3.3.2): other bytes, the same pixels. Latin-1 only. */
export function withText(png: Uint8Array, keyword: string, text: string): Buffer {
  const content = Buffer.from(`tEXt${keyword}\0${text}`, 'latin1');
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4, 0);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return Buffer.concat([png.subarray(0, AFTER_HEADER), chunk, png.subarray(AFTER_HEADER)]);
}

/** Adds a `free` box (ISO/IEC 14496-12, section 8.1.2) with a text: other bytes, the same frames. */
export function withFreeBox(mp4: Uint8Array, text: string): Buffer {
  const content = Buffer.from(`free${text}`, 'latin1');
  const box = Buffer.alloc(content.length + 4);
  box.writeUInt32BE(box.length, 0);
  content.copy(box, 4);
  return Buffer.concat([mp4, box]);
}
