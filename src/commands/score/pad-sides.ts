type PaddedSides = readonly [Buffer, Buffer];

/** Two PNG files of one length: what follows the end of a PNG is passed over. */
export function padPng(one: Buffer, other: Buffer): PaddedSides {
  const length = Math.max(one.length, other.length);
  const padded = (png: Buffer): Buffer => Buffer.concat([png, Buffer.alloc(length - png.length)]);
  return [padded(one), padded(other)];
}

/** Size and name of a box. */
const BOX_HEAD = 8;

/** Two MP4 files of one length: each ends with a box of free space (ISO/IEC 14496-12, section 8.1.2). */
export function padMp4(one: Buffer, other: Buffer): PaddedSides {
  const length = Math.max(one.length, other.length) + BOX_HEAD;
  const padded = (mp4: Buffer): Buffer => {
    const free = Buffer.alloc(length - mp4.length);
    free.writeUInt32BE(free.length);
    free.write('free', 4, 'latin1');
    return Buffer.concat([mp4, free]);
  };
  return [padded(one), padded(other)];
}
