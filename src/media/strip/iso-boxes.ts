export interface IsoBox {
  readonly type: string;
  /** With its header. */
  readonly start: number;
  /** Of its content. */
  readonly from: number;
  readonly to: number;
}

/**
 * Visits the boxes that fill a range; false if they do not fill it exactly, or a visit gives false, which ends it.
 * Sizes by ISO/IEC 14496-12, section 4.2; a size of 0 reaches to the end of the range.
 */
export function walkBoxes(view: DataView, from: number, to: number, visit: (box: IsoBox) => boolean): boolean {
  let at = from;
  while (at < to) {
    if (at + 8 > to) return false;
    let header = 8;
    let size = view.getUint32(at);
    if (size === 1) {
      header = 16;
      if (at + header > to) return false;
      size = Number(view.getBigUint64(at + 8));
    } else if (size === 0) size = to - at;
    if (size < header || at + size > to) return false;
    if (!visit({ type: typeAt(view, at + 4), start: at, from: at + header, to: at + size })) return false;
    at += size;
  }
  return true;
}

function typeAt(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}
