import { type IsoBox, walkBoxes } from './iso-boxes.ts';

export type ByteRange = readonly [from: number, to: number];

/**
 * The parts of a sample description that decide decoding. Left out: of a visual entry (ISO/IEC 14496-12, section
 * 12.1.3) the codec's name and the writer's version, vendor and quality, which only QuickTime has; of an audio entry
 * (12.2.3) its revision and vendor; of both, bit rates that a writer computed: `btrt`, and those in `esds`. Null if the
 * entry is too short. An entry of another handler is kept whole, and one whose inner boxes cannot be walked keeps them
 * all.
 */
export function keptOfSampleEntry(view: DataView, { from, to }: IsoBox, handler: string): readonly ByteRange[] | null {
  if (handler !== 'vide' && handler !== 'soun') return [[from, to]];
  const visual = handler === 'vide';
  const shortest = visual ? VISUAL_FIELDS : AUDIO_FIELDS;
  if (to - from < shortest) return null;
  const cuts: ByteRange[] = visual
    ? [
        [from + 8, from + 24],
        [from + 42, from + 74],
      ]
    : [[from + 10, from + 16]];
  // QuickTime's versions 1 and 2 of an audio entry have more fields.
  const version = visual ? 0 : view.getUint16(from + 8);
  const inner = from + shortest + (version === 1 ? 16 : version === 2 ? 36 : 0);
  const rates: ByteRange[] = [];
  const walked = walkBoxes(view, inner, to, (box) => {
    if (box.type === 'btrt') rates.push([box.start, box.to]);
    if (box.type === 'esds') rates.push(...ratesOfDescriptor(view, box));
    return true;
  });
  return complement([from, to], walked ? [...cuts, ...rates] : cuts);
}

const VISUAL_FIELDS = 78;
const AUDIO_FIELDS = 28;

const ES_TAG = 3;
const DECODER_CONFIG_TAG = 4;

/**
 * The buffer size and both bit rates of an elementary stream descriptor (ISO/IEC 14496-1, sections 7.2.6.5 and
 * 7.2.6.6).
 */
function ratesOfDescriptor(view: DataView, { from, to }: IsoBox): readonly ByteRange[] {
  const stream = contentOf(view, from + 4, to, ES_TAG);
  if (stream === null || stream + 3 > to) return [];
  const flags = view.getUint8(stream + 2);
  let at = stream + 3 + ((flags & 0x80) === 0 ? 0 : 2);
  if ((flags & 0x40) !== 0) at += at < to ? 1 + view.getUint8(at) : to;
  if ((flags & 0x20) !== 0) at += 2;
  const config = contentOf(view, at, to, DECODER_CONFIG_TAG);
  return config === null || config + 13 > to ? [] : [[config + 2, config + 13]];
}

/** The content of a descriptor follows its tag and a length of one to four bytes, seven bits each. */
function contentOf(view: DataView, at: number, to: number, tag: number): number | null {
  if (at >= to || view.getUint8(at) !== tag) return null;
  for (let byte = at + 1; byte < Math.min(at + 5, to); byte += 1) if (view.getUint8(byte) < 0x80) return byte + 1;
  return null;
}

function complement([from, to]: ByteRange, cuts: readonly ByteRange[]): readonly ByteRange[] {
  const kept: ByteRange[] = [];
  let at = from;
  for (const [start, end] of cuts) {
    kept.push([at, start]);
    at = end;
  }
  kept.push([at, to]);
  return kept;
}
