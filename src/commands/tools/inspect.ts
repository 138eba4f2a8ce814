import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EXAMINE_LIMITS_MS, type Examiners, openExaminers } from '../../examine/examiners.ts';
import { accepted, type Checked, type Fault, refused } from '../../kit/diagnostic.ts';
import { decodeReason } from '../../kit/outcome-words.ts';
import { padded, textWidth, wrapped } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import { plural, bytes as sayBytes, significant } from '../../kit/wording.ts';
import type { Difference } from '../../media/difference.ts';
import { type MediaType, sniff } from '../../media/header.ts';
import {
  DEFAULT_LIMITS,
  type DecidingMeasure,
  isAtLeast,
  type Layer,
  type Level,
  layerOf,
  levelOf,
  unlikenessOf,
} from '../../media/level.ts';
import { loadLibav } from '../../media/libav.ts';
import type { OutputFact, PairFact } from '../../record/fact.ts';
import { keeperOfMedia } from '../../record/output-files.ts';
import { decisionWords, LEVEL_WORDS, ssimWords, stepsOf255 } from '../../report/level-words.ts';
import { type Paint, type TableRow, tableLines } from '../../report/paint.ts';
import { readBytes } from '../../suite/named-file.ts';
import { type Edge, EXIT, type ExitCode, printSentence, type TextSink } from '../edge.ts';

interface InspectArguments {
  readonly a: string;
  readonly b: string;
  readonly json: boolean;
  /** The least level that is a success; absent: any. */
  readonly atLeast?: Level | undefined;
}

interface KeptFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly mime: string;
}

const MOST_BYTES = 1024 * 1024 * 1024;

/** `retake inspect`: how equal two images or videos are, and where they differ. Exit code 1 below `atLeast`. */
export async function inspectCommand({ a, b, json, atLeast }: InspectArguments, edge: Edge): Promise<ExitCode> {
  const scratch = await mkdtemp(join(tmpdir(), 'retake-inspect-'));
  const examiners = openExaminers({ workers: 2, timeLimitMs: EXAMINE_LIMITS_MS, signal: edge.drain });
  try {
    const kept = accepted(both(await keepFile(a, scratch, edge.cwd), await keepFile(b, scratch, edge.cwd)));
    const files = await examineFiles(kept, scratch, examiners);
    if (files === null) return interrupted(edge);
    const [one, other] = accepted(files);
    let pair: PairFact | null = null;
    if (one.shown.pixelSha256 !== other.shown.pixelSha256) {
      pair = await examiners.compare([scratch], one, other);
      if (pair === null) return interrupted(edge);
      if (!pair.compared) {
        edge.say(`retake inspect: the files could not be compared: ${decodeReason(pair.reason)}`);
        return EXIT.incomplete;
      }
    }
    const inspection = compareInspected(one, other, pair?.compared === true ? pair.difference : null);
    edge.out.write(json ? `${JSON.stringify(inspectionJson(inspection))}\n` : describeInspection(inspection, edge.out));
    if (atLeast === undefined || isAtLeast(inspection.level, atLeast)) return EXIT.ok;
    edge.say(`retake inspect: the level is ${inspection.level}, below ${atLeast}`);
    return EXIT.failed;
  } finally {
    await examiners.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

function interrupted({ err }: Pick<Edge, 'err'>): ExitCode {
  printSentence(err, 'interrupted: the files were not compared');
  return EXIT.incomplete;
}

/** Stores a file under its digest, as a record stores outputs. */
async function keepFile(path: string, scratch: string, cwd: string): Promise<Checked<KeptFile>> {
  const bytes = await readBytes(resolve(cwd, path), MOST_BYTES);
  if (!(bytes instanceof Uint8Array)) return cannotInspect(path, bytes);
  const type: MediaType | null = sniff(bytes);
  if (type === null) {
    const cause = bytes.length === 0 ? 'it is empty' : 'it is not an image or video of a known format';
    return cannotInspect(path, {
      cause,
      remedy: 'use a PNG, JPEG, WebP, GIF, AVIF, MP4, QuickTime, WebM or Matroska file',
    });
  }
  const sha256 = keeperOfMedia(scratch)(bytes, type.extension);
  return { ok: true, value: { path, sha256, bytes: bytes.length, mime: type.mime } };
}

async function examineFiles(
  [a, b]: readonly [KeptFile, KeptFile],
  scratch: string,
  examiners: Examiners,
): Promise<Checked<readonly [InspectedFile, InspectedFile]> | null> {
  const first = examiners.examine(scratch, a);
  const second = a.sha256 === b.sha256 ? first : examiners.examine(scratch, b, 1);
  const [ofA, ofB] = await Promise.all([first, second]);
  return ofA === null || ofB === null ? null : both(await inspected(a, ofA), await inspected(b, ofB));
}

async function inspected(
  { path }: KeptFile,
  fact: Awaited<ReturnType<Examiners['examine']>>,
): Promise<Checked<InspectedFile>> {
  if (fact?.decodes === null) {
    const decoder = (await loadLibav()).ok
      ? 'convert it to a format that is decoded'
      : 'run npm install --include=optional';
    return cannotInspect(path, {
      cause: decodeReason(fact.reason),
      remedy: `${decoder}, or inspect it on a machine that can decode it`,
    });
  }
  if (fact?.decodes === false) {
    return cannotInspect(path, {
      cause: `it does not decode: ${decodeReason(fact.reason)}`,
      remedy: 'check that it is complete',
    });
  }
  if (fact === null) throw new Error('an output that decodes was not looked at');
  return { ok: true, value: { path, ...fact } };
}

function cannotInspect(path: string, { cause, remedy }: Fault): Checked<never> {
  return refused(`cannot inspect ${path}: ${cause}`, remedy);
}

/** Both values, or the errors of either without repetition. */
function both<T>(one: Checked<T>, other: Checked<T>): Checked<readonly [T, T]> {
  if (one.ok && other.ok) return { ok: true, value: [one.value, other.value] };
  const diagnostics = [one, other].flatMap((result) => (result.ok ? [] : result.diagnostics));
  return {
    ok: false,
    diagnostics: [...new Map(diagnostics.map((diagnostic) => [diagnostic.cause, diagnostic])).values()],
  };
}

export type InspectedFile = Extract<OutputFact, { decodes: true }> & { readonly path: string };

/** By the default limits of levels. */
interface Inspection {
  readonly a: InspectedFile;
  readonly b: InspectedFile;
  readonly level: Level;
  readonly layer: Layer;
  /** Null if their pixels are equal. */
  readonly difference: Difference | null;
  /** What keeps them from `similar`; null if nothing does. */
  readonly decidedBy: DecidingMeasure | null;
}

/** @param difference of their pixels; null if these are equal */
export function compareInspected(a: InspectedFile, b: InspectedFile, difference: Difference | null): Inspection {
  const layer = layerOf({ sha256: a.sha256, ...a.shown }, { sha256: b.sha256, ...b.shown });
  const level = difference === null ? (layer === 'none' ? 'byte' : 'pixel') : levelOf(difference);
  const isUnlike = difference !== null && !isAtLeast(level, 'similar');
  return { a, b, level, layer, difference, decidedBy: isUnlike ? unlikenessOf(difference, DEFAULT_LIMITS) : null };
}

export function inspectionJson({ a, b, level, layer, difference, decidedBy }: Inspection): object {
  return { level, layer, difference, decidedBy, limits: DEFAULT_LIMITS, files: [fileJson(a), fileJson(b)] };
}

function fileJson({ path, mime, bytes, width, height, frames, video, sha256, shown }: InspectedFile): object {
  const { strippedSha256, pixelSha256, pdq, pdqQuality, blank } = shown;
  const { fps = null, durationS = null, codec = null, pixelFormat = null } = video ?? {};
  const size = { mime, bytes, width, height, frames, fps, durationS, codec, pixelFormat };
  return { path, ...size, sha256, strippedSha256, pixelSha256, pdq, pdqQuality, blank };
}

const NARROWEST = 40;

const LAYER_MEANINGS: Readonly<Record<Inspection['layer'], string>> = {
  none: 'nothing differs.',
  metadata: 'only metadata differs (text, times, provenance); all other bytes are the same.',
  encoding: 'all pixels are equal; compression or container differs.',
  pixels: 'what is shown differs',
};

export function describeInspection(
  inspection: Inspection,
  { colour, width: columns }: Pick<TextSink, 'colour' | 'width'>,
): string {
  const width = Math.max(NARROWEST, columns);
  const paint: Paint = (style, text) =>
    colour && style === 'bold' && text !== '' ? `\u001b[1m${text}\u001b[0m` : text;
  const { a, b, level, layer, difference, decidedBy } = inspection;
  // Never broken: a path is copied, or read by a program.
  const names = [a, b].map(({ path }, index) => `${index === 0 ? 'a' : 'b'}  ${visibleLine(path)}`);
  const verdict = [
    ...sentence('level', level, LEVEL_WORDS[level].meaning, width, paint),
    ...(decidedBy === null ? [] : sentence('limit', 'not similar', decisionWords(decidedBy), width, paint)),
    ...sentence('layer', layer, layerMeaning(inspection), width, paint),
  ];
  const distances = difference === null ? [] : ['', ...distanceLines(inspection, difference, width)];
  const lines = [...names, '', ...tableLines('', ['a', 'b'], rowsOf(a, b), width, paint).slice(1), ''];
  return `${[...lines, ...verdict, ...distances].map((line) => line.trimEnd()).join('\n')}\n`;
}

/** `level  near: what that means`; wrapping ignores the colours. */
function sentence(what: string, word: string, meaning: string, width: number, paint: Paint): readonly string[] {
  const head = `${what}  `;
  return wrapped(`${word}: ${meaning}`, width - head.length).map((line, index) =>
    index === 0 ? head + paint('bold', word) + line.slice(word.length) : ' '.repeat(head.length) + line,
  );
}

function layerMeaning({ a, b, layer, difference }: Inspection): string {
  if (layer === 'encoding' && a.mime === b.mime && a.shown.strippedSha256 === null) {
    return `${LAYER_MEANINGS.encoding} For ${a.mime}, metadata is not separated from encoding.`;
  }
  if (difference === null) return LAYER_MEANINGS[layer];
  const { samples, unpaired } = difference;
  if (samples === null) return `${LAYER_MEANINGS.pixels} in size.`;
  if (samples.maxDifference > 0) {
    const by = `by up to ${stepsOf255(samples.maxDifference)} of 255 in a sample`;
    return `${LAYER_MEANINGS.pixels}, ${by}${unpaired > 0 ? ', and in the number of frames' : ''}.`;
  }
  if (unpaired > 0) return `${LAYER_MEANINGS.pixels} in the number of frames; paired frames are equal.`;
  const declared = 'depth, declared colours or pixel aspect, colour format or times';
  return `${LAYER_MEANINGS.pixels} in ${declared}; all samples are equal.`;
}

function rowsOf(a: InspectedFile, b: InspectedFile): readonly TableRow[] {
  const row = (name: string, say: (file: InspectedFile) => string | null): TableRow[] => {
    const [ofA, ofB] = [say(a), say(b)];
    if (ofA === null && ofB === null) return [];
    return [{ name, cells: [ofA, ofB].map((value) => ({ value: value ?? '–', evidence: '' })) }];
  };
  return [
    ...row('type', ({ mime }) => mime),
    ...row('size', ({ bytes }) => sayBytes(bytes)),
    ...row('pixels', ({ width, height }) => `${width} x ${height}`),
    ...row('frames', ({ frames }) => String(frames)),
    ...row('frames per second', ({ video }) => (video === null || video.fps === null ? null : significant(video.fps))),
    ...row('length', ({ video }) =>
      video === null || video.durationS === null ? null : `${significant(video.durationS)} s`,
    ),
    ...row('codec', ({ video }) => (video === null ? null : visibleLine(`${video.codec} ${video.pixelFormat}`))),
    ...row('blank', ({ shown }) => (shown.blank ? 'yes' : 'no')),
    ...row('SHA-256', ({ sha256 }) => short(sha256)),
    ...row('without metadata', ({ shown }) => (shown.strippedSha256 === null ? null : short(shown.strippedSha256))),
    ...row('of pixels', ({ shown }) => short(shown.pixelSha256)),
    ...row('PDQ', ({ shown }) => short(shown.pdq)),
    ...row('PDQ quality', ({ shown }) => String(shown.pdqQuality)),
  ];
}

/** A quarter of a digest is enough to see that two differ. */
function short(digest: string): string {
  return digest.slice(0, 16);
}

function distanceLines({ a, b }: Inspection, difference: Difference, width: number): readonly string[] {
  const { frames, unpaired, samples, ssim, chroma, pdqDistance, correlation, similarityFrames } = difference;
  const several = frames + unpaired > 1;
  const sizes = 'not defined: the sizes differ';
  const quality = `not defined: quality below 50 (a ${a.shown.pdqQuality}, b ${b.shown.pdqQuality})`;
  const rows: (readonly [name: string, value: string])[] = [
    ['largest difference', samples === null ? sizes : `${stepsOf255(samples.maxDifference)} of 255`],
    [several ? 'PSNR, worst frame' : 'PSNR', samples === null ? sizes : sayPsnr(samples.psnrDb)],
    ...(several && ssim !== null
      ? ([
          ['SSIM, 5th percentile', ssimWords(ssim.p5)],
          ['SSIM, worst frame', ssimWords(ssim.worst)],
        ] as const)
      : ([['SSIM', ssim === null ? sizes : ssimWords(ssim.p5)]] as const)),
    [
      several ? 'chroma distance, 95th percentile' : 'chroma distance',
      chroma === null ? sizes : `${significant(chroma)} of 255`,
    ],
    [
      'picture hash (PDQ)',
      pdqDistance === null ? quality : `${pdqDistance} of 256 bits differ${several ? ' (median)' : ''}`,
    ],
    ...(correlation === undefined
      ? []
      : ([[several ? 'correlation, median' : 'correlation', correlation.toFixed(3)]] as const)),
    ...(several ? ([['frames', sayFrames(frames, unpaired, similarityFrames)]] as const) : []),
  ];
  const widest = Math.max(...rows.map(([name]) => textWidth(name)));
  return rows.flatMap(([name, value]) =>
    wrapped(value, width - widest - 2).map((line, index) => `${padded(index === 0 ? name : '', widest)}  ${line}`),
  );
}

function sayPsnr(psnrDb: number | null): string {
  return psnrDb === null ? 'infinite: no sample differs' : `${psnrDb.toFixed(1)} dB`;
}

function sayFrames(frames: number, unpaired: number, similarityFrames: number): string {
  const counted = `${plural(frames, 'pair')}, ${unpaired} unpaired`;
  return similarityFrames < frames
    ? `${counted}; SSIM, chroma, PDQ and correlation of ${plural(similarityFrames, 'pair')}`
    : counted;
}
