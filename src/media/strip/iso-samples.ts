import type { IsoBox } from './iso-boxes.ts';

/** Boxes with the places of a track's samples; their content begins with four bytes of version and flags. */
export interface SampleTables {
  readonly sizes: IsoBox;
  readonly chunks: IsoBox;
  /** `stco`, or `co64`, whose offsets have 64 bits. */
  readonly offsets: IsoBox;
}

export interface SampleRun {
  readonly description: number;
  readonly samples: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Visits a track's samples, chunk by chunk, in the order of decoding; false if tables contradict each other or the
 * file, or a visit gives false. Time depends on the size of the tables, not on numbers in them. Tables by ISO/IEC
 * 14496-12, sections 8.7.3 (`stsz`), 8.7.4 (`stsc`) and 8.7.5 (`stco`, `co64`).
 */
export function walkSamples(view: DataView, tables: SampleTables, visit: (run: SampleRun) => boolean): boolean {
  const sizes = sizesOf(view, tables.sizes);
  const chunks = rowsOf(view, tables.chunks, 12);
  const offsets = rowsOf(view, tables.offsets, tables.offsets.type === 'co64' ? 8 : 4);
  if (sizes === null || chunks === null || offsets === null) return false;
  let sample = 0;
  let row = -1;
  for (let chunk = 0; chunk < offsets.rows; chunk += 1) {
    // Rows name their first chunk, counted from 1.
    if (row + 1 < chunks.rows && view.getUint32(chunks.at + (row + 1) * 12) === chunk + 1) row += 1;
    if (row < 0) return false;
    const samples = view.getUint32(chunks.at + row * 12 + 4);
    if (samples === 0 || sample + samples > sizes.samples) return false;
    const from = offsetAt(view, tables.offsets, offsets.at, chunk);
    const to = from + bytesOf(view, sizes, sample, samples);
    if (to > view.byteLength) return false;
    if (!visit({ description: view.getUint32(chunks.at + row * 12 + 8), samples, from, to })) return false;
    sample += samples;
  }
  return sample === sizes.samples && row === chunks.rows - 1;
}

interface Sizes {
  readonly samples: number;
  /** The size of every sample; 0 if each has its own. */
  readonly each: number;
  readonly at: number;
}

function sizesOf(view: DataView, box: IsoBox): Sizes | null {
  if (box.to - box.from < 12) return null;
  const [each, samples, at] = [view.getUint32(box.from + 4), view.getUint32(box.from + 8), box.from + 12];
  return each === 0 && at + 4 * samples > box.to ? null : { samples, each, at };
}

function rowsOf(view: DataView, box: IsoBox, width: number): { readonly rows: number; readonly at: number } | null {
  if (box.to - box.from < 8) return null;
  const [rows, at] = [view.getUint32(box.from + 4), box.from + 8];
  return at + width * rows > box.to ? null : { rows, at };
}

function offsetAt(view: DataView, { type }: IsoBox, at: number, chunk: number): number {
  return type === 'co64' ? Number(view.getBigUint64(at + 8 * chunk)) : view.getUint32(at + 4 * chunk);
}

function bytesOf(view: DataView, { each, at }: Sizes, first: number, samples: number): number {
  if (each > 0) return each * samples;
  let bytes = 0;
  for (let sample = first; sample < first + samples; sample += 1) bytes += view.getUint32(at + 4 * sample);
  return bytes;
}
