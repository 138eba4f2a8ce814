/** The MP4 with a `free` box (ISO/IEC 14496-12, section 8.1.2) at its end that holds a text: other bytes, the same frames. */
export function withFreeBox(mp4: Uint8Array, text: string): Buffer {
  const content = Buffer.from(`free${text}`, 'latin1');
  const box = Buffer.alloc(content.length + 4);
  box.writeUInt32BE(box.length, 0);
  content.copy(box, 4);
  return Buffer.concat([mp4, box]);
}
