import { type IsoBox, walkBoxes } from './iso-boxes.ts';
import { type ByteRange, keptOfSampleEntry } from './iso-sample-entries.ts';
import { type SampleTables, walkSamples } from './iso-samples.ts';

/** Not shown: free space, user data, provenance, indexes of places in the file, wall-clock times. */
const DROPPED = new Set([
  ...['free', 'skip', 'wide', 'udta', 'meta', 'uuid'],
  ...['pdin', 'sidx', 'ssix', 'mfra', 'styp', 'prft', 'emsg'],
]);

const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']);

/** Their content: version and flags (4 bytes), when made and when changed (4 bytes each; 8 in version 1), the rest. */
const TIMED = new Set(['mvhd', 'tkhd', 'mdhd']);

/** No file nests deeper; ends a chain of boxes within boxes. */
const DEEPEST = 16;

/**
 * Hands over the parts of an MP4 or QuickTime file that decide what is shown, independent of places in the file; false,
 * and the parts are meaningless, if its boxes cannot be walked or its samples not found. Boxes by ISO/IEC 14496-12 and
 * the QuickTime File Format Specification.
 *
 * - Kept: `ftyp`; `moov` with its tables of times, sizes and descriptions; instead of a track's tables of chunks the
 *   bytes of its samples in order, so that the index may be before or after the samples, chunks be cut or interleaved
 *   otherwise, and bytes outside of samples are ignored; of a file in fragments `moof` and `mdat` in their order;
 *   unknown boxes.
 * - Left out: `udta`, `meta`, `uuid`, free space, indexes of places; when the file, a track or its media was made or
 *   changed; the names that a writer gave to a handler and a codec, its vendor, the bit rates it computed.
 * - What an encoder wrote into the stream itself, such as the settings of x264, is part of the samples and stays.
 * - Not supported, so false: compact sample sizes, offsets to encryption data, samples that tracks share.
 */
export function stripMp4(bytes: Uint8Array, keep: (part: Uint8Array) => void): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const index: IsoBox[] = [];
  let fragments = 0;
  const sound = walkBoxes(view, 0, bytes.length, (box) => {
    if (box.type === 'moov') index.push(box);
    if (box.type === 'moof') fragments += 1;
    return index.length < 2;
  });
  const moov = index[0];
  if (!sound || moov === undefined) return false;
  const file: File = { bytes, view, keep, left: bytes.length, samples: 0 };
  const keepAll = (wanted: (type: string) => boolean): boolean =>
    walkBoxes(view, 0, bytes.length, (box) => !wanted(box.type) || keepBox(file, box, TOP));
  return (
    keepAll((type) => type === 'ftyp') &&
    keepBox(file, moov, TOP) &&
    keepAll((type) => type !== 'ftyp' && type !== 'moov' && (type !== 'mdat' || fragments > 0)) &&
    (file.samples > 0 || fragments > 0)
  );
}

interface File {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly keep: (part: Uint8Array) => void;
  /** Bytes that samples may still have: all together no more than the file. */
  left: number;
  samples: number;
}

interface BoxPlace {
  readonly depth: number;
  /** The track's handler: `vide`, `soun`; empty outside of a track. */
  readonly handler: string;
  /** Start of the fragment; 0 outside of one. */
  readonly fragment: number;
}

const TOP: BoxPlace = { depth: 0, handler: '', fragment: 0 };

/** Hands over a box as type, kept length and kept bytes; a container between two lengths that no box has. */
function keepBox(file: File, box: IsoBox, place: BoxPlace): boolean {
  const { type, from, to } = box;
  if (DROPPED.has(type)) return true;
  if (CONTAINERS.has(type)) return place.depth < DEEPEST && keepContainer(file, box, place);
  if (TIMED.has(type)) return keepTimed(file, box);
  // Only the handler: manufacturer and name follow.
  if (type === 'hdlr') return to - from >= 12 && keepParts(file, type, [[from, from + 12]]);
  if (type === 'stsd') return keepSampleEntries(file, box, place.handler);
  if (type === 'tfhd') return keepFragmentHeader(file, box, place.fragment);
  return keepParts(file, type, [[from, to]]);
}

function keepContainer(file: File, { type, start, from, to }: IsoBox, place: BoxPlace): boolean {
  const within: BoxPlace = {
    depth: place.depth + 1,
    handler: type === 'mdia' ? handlerIn(file, from, to) : place.handler,
    fragment: type === 'moof' ? start : place.fragment,
  };
  const isTable = type === 'stbl';
  const tables: IsoBox[] = [];
  keepHeader(file, type, OPENED);
  const walked = walkBoxes(file.view, from, to, (box) => {
    if (isTable && REFUSED_TABLES.has(box.type)) return false;
    if (!isTable || !PLACE_TABLES.has(box.type)) return keepBox(file, box, within);
    tables.push(box);
    // Sizes are also content: they separate the samples.
    return tables.length <= 3 && (box.type !== 'stsz' || keepBox(file, box, within));
  });
  const complete = walked && (!isTable || keepSamples(file, tables));
  keepHeader(file, type, CLOSED);
  return complete;
}

const PLACE_TABLES = new Set(['stsz', 'stsc', 'stco', 'co64']);
const REFUSED_TABLES = new Set(['stz2', 'saio']);
const OPENED = 0xffff_ffff;
const CLOSED = 0xffff_fffe;

function keepSamples(file: File, boxes: readonly IsoBox[]): boolean {
  const tables = tablesOf(boxes);
  if (tables === null) return false;
  let description: number | null = null;
  return walkSamples(file.view, tables, (run) => {
    if (run.description !== description) {
      description = run.description;
      const since = new DataView(new ArrayBuffer(16));
      since.setFloat64(0, file.samples);
      since.setFloat64(8, description);
      file.keep(new Uint8Array(since.buffer));
    }
    file.samples += run.samples;
    file.left -= run.to - run.from;
    if (file.left < 0) return false;
    file.keep(file.bytes.subarray(run.from, run.to));
    return true;
  });
}

function tablesOf(boxes: readonly IsoBox[]): SampleTables | null {
  const sizes = boxes.find(({ type }) => type === 'stsz');
  const chunks = boxes.find(({ type }) => type === 'stsc');
  const offsets = boxes.find(({ type }) => type === 'stco' || type === 'co64');
  return sizes && chunks && offsets ? { sizes, chunks, offsets } : null;
}

function keepTimed(file: File, { type, from, to }: IsoBox): boolean {
  const rest = from + (file.bytes[from] === 1 ? 20 : 12);
  if (rest > to) return false;
  return keepParts(file, type, [
    [from, from + 4],
    [rest, to],
  ]);
}

/** The start of its data, if declared, relative to its fragment (ISO/IEC 14496-12, section 8.8.7). */
function keepFragmentHeader(file: File, { type, from, to }: IsoBox, fragment: number): boolean {
  const based = to - from >= 4 && (file.view.getUint32(from) & 1) === 1;
  if (!based) return keepParts(file, type, [[from, to]]);
  if (to - from < 16) return false;
  const base = new DataView(new ArrayBuffer(8));
  base.setFloat64(0, Number(file.view.getBigUint64(from + 8)) - fragment);
  file.keep(new Uint8Array(base.buffer));
  return keepParts(file, type, [
    [from, from + 8],
    [from + 16, to],
  ]);
}

function keepSampleEntries(file: File, { type, from, to }: IsoBox, handler: string): boolean {
  if (to - from < 8 || !keepParts(file, type, [[from, from + 8]])) return false;
  return walkBoxes(file.view, from + 8, to, (entry) => {
    const kept = keptOfSampleEntry(file.view, entry, handler);
    return kept !== null && keepParts(file, entry.type, kept);
  });
}

function handlerIn({ view }: File, from: number, to: number): string {
  let found = '';
  walkBoxes(view, from, to, (box) => {
    if (box.type !== 'hdlr' || box.to - box.from < 12) return true;
    for (let at = box.from + 8; at < box.from + 12; at += 1) found += String.fromCharCode(view.getUint8(at));
    return false;
  });
  return found;
}

function keepParts(file: File, type: string, parts: readonly ByteRange[]): boolean {
  keepHeader(
    file,
    type,
    parts.reduce((sum, [from, to]) => sum + to - from, 0),
  );
  for (const [from, to] of parts) if (to > from) file.keep(file.bytes.subarray(from, to));
  return true;
}

function keepHeader(file: File, type: string, length: number): void {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(length);
  header.write(type, 4, 'latin1');
  file.keep(header);
}
