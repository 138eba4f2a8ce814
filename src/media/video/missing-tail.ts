import type { DecodeFault } from '../facts.ts';

/**
 * What is missing if a file ends before its outermost box or element; null for a whole file, another container, and a
 * stream without length. Demuxers take such a file for a shorter one. Sizes by ISO/IEC 14496-12, section 4.2, and RFC
 * 8794, section 4.
 */
export function missingTail(bytes: Uint8Array, mime: string): DecodeFault | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = mime === 'video/webm' || mime === 'video/x-matroska' ? ebmlEnd(view) : isoEnd(view);
  if (end <= view.byteLength) return null;
  return { code: 'not_decodable', detail: `cut off: the file declares ${end} bytes and has ${view.byteLength}` };
}

function isoEnd(view: DataView): number {
  let at = 0;
  while (at + 8 <= view.byteLength) {
    let size = view.getUint32(at);
    if (size === 0) return view.byteLength;
    if (size === 1) {
      if (at + 16 > view.byteLength) return at + 16;
      size = Number(view.getBigUint64(at + 8));
      if (size < 16) return at;
    } else if (size < 8) return at;
    at += size;
  }
  return at;
}

function ebmlEnd(view: DataView): number {
  let at = 0;
  while (at < view.byteLength) {
    const id = vintLength(view, at);
    if (id === null || id > 4) return at;
    const length = vintLength(view, at + id);
    if (length === null || at + id + length > view.byteLength) return at;
    const size = vintValue(view, at + id, length);
    if (size === null) return view.byteLength;
    at += id + length + size;
  }
  return at;
}

/** Length of a variable-size integer: its leading zero bits and one. */
function vintLength(view: DataView, at: number): number | null {
  if (at >= view.byteLength) return null;
  const length = Math.clz32(view.getUint8(at)) - 23;
  return length > 8 ? null : length;
}

/** Null if all bits are set: the size was unknown when written. */
function vintValue(view: DataView, at: number, length: number): number | null {
  const first = view.getUint8(at) & (0xff >> length);
  let value = first;
  let unknown = first === 0xff >> length;
  for (let byte = 1; byte < length; byte += 1) {
    const next = view.getUint8(at + byte);
    value = value * 256 + next;
    unknown &&= next === 0xff;
  }
  return unknown ? null : value;
}
