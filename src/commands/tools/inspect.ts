import { resolve } from 'node:path';
import type { Examiners } from '../../examine/examiners.ts';
import { accepted, type Checked, type Fault, refused } from '../../kit/diagnostic.ts';
import { decodeReason } from '../../kit/outcome-words.ts';
import { visibleLine } from '../../kit/visible.ts';
import type { Difference } from '../../media/difference.ts';
import { type MediaType, sniff } from '../../media/header.ts';
import { DEFAULT_LIMITS, isAtLeast, type Layer, layerOf, levelOf, unlikenessOf } from '../../media/level.ts';
import type { OutputFact, PairFact } from '../../record/fact.ts';
import { keeperOfMedia } from '../../record/output-files.ts';
import { decisionWords, LEVEL_WORDS } from '../../report/level-words.ts';
import { readBytes } from '../../suite/named-file.ts';
import type { inspect } from '../declared/tool-commands.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';
import { openScratch, type Scratch } from '../scratch.ts';

interface KeptFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly mime: string;
}

const MOST_BYTES = 1024 * 1024 * 1024;

/** `retake inspect`: how equal two images or videos are, and where they differ. Exit code 1 below `atLeast`. */
export async function inspectCommand(
  { a, b, json, atLeast }: ArgumentsOf<typeof inspect>,
  edge: Edge,
): Promise<ExitCode> {
  const scratch = openScratch({ idle: edge.idleExaminers, signal: edge.drain }, 2);
  try {
    const kept = accepted(
      both(await keepFile(a, scratch.folder, edge.cwd), await keepFile(b, scratch.folder, edge.cwd)),
    );
    const files = await examineFiles(kept, scratch);
    if (files === null) return interrupted(edge);
    const [one, other] = accepted(files);
    let pair: PairFact | null = null;
    if (one.shown.pixelSha256 !== other.shown.pixelSha256) {
      pair = await scratch.compare([scratch.folder], one, other);
      if (pair === null) return interrupted(edge);
      if (!pair.compared) {
        edge.say(`retake inspect: the files could not be compared: ${decodeReason(pair.reason)}`);
        return EXIT.incomplete;
      }
    }
    const inspection = inspectionOf(one, other, pair?.compared === true ? pair.difference : null);
    edge.out.write(json ? `${JSON.stringify(inspection)}\n` : describeInspection(inspection));
    if (atLeast === undefined || isAtLeast(inspection.level, atLeast)) return EXIT.ok;
    edge.say(`retake inspect: the level is ${inspection.level}, below ${atLeast}`);
    return EXIT.failed;
  } finally {
    await scratch.close();
  }
}

function interrupted({ err }: Pick<Edge, 'err'>): ExitCode {
  printSentence(err, 'interrupted: the files were not compared');
  return EXIT.incomplete;
}

/** Stores a file under its digest, as a record stores outputs. */
async function keepFile(path: string, folder: string, cwd: string): Promise<Checked<KeptFile>> {
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
  const sha256 = keeperOfMedia(folder)(bytes, type.extension);
  return { ok: true, value: { path, sha256, bytes: bytes.length, mime: type.mime } };
}

async function examineFiles(
  [a, b]: readonly [KeptFile, KeptFile],
  { folder, examine }: Scratch,
): Promise<Checked<readonly [InspectedFile, InspectedFile]> | null> {
  const first = examine(folder, a);
  const second = a.sha256 === b.sha256 ? first : examine(folder, b, b.mime.startsWith('video/') ? 1 : 0);
  const [ofA, ofB] = await Promise.all([first, second]);
  return ofA === null || ofB === null ? null : both(inspected(a, ofA), inspected(b, ofB));
}

function inspected({ path }: KeptFile, fact: Awaited<ReturnType<Examiners['examine']>>): Checked<InspectedFile> {
  if (fact?.decodes === null) {
    const { code } = fact.reason;
    const decoder =
      code === 'package_missing' || code === 'package_broken'
        ? 'run npm install --include=optional'
        : 'convert it to a format that is decoded';
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

type InspectedFile = Extract<OutputFact, { decodes: true }> & { readonly path: string };

/** By the default limits of levels. @param difference of their pixels; null if these are equal */
function inspectionOf(a: InspectedFile, b: InspectedFile, difference: Difference | null) {
  const layer = layerOf({ sha256: a.sha256, ...a.shown }, { sha256: b.sha256, ...b.shown });
  const level = difference === null ? (layer === 'none' ? 'byte' : 'pixel') : levelOf(difference);
  const isUnlike = difference !== null && !isAtLeast(level, 'similar');
  /** What keeps them from `similar`; null if nothing does. */
  const decidedBy = isUnlike ? unlikenessOf(difference, DEFAULT_LIMITS) : null;
  return { level, layer, difference, decidedBy, limits: DEFAULT_LIMITS, files: [fileJson(a), fileJson(b)] };
}

function fileJson({ path, mime, bytes, width, height, frames, video, sha256, shown }: InspectedFile): object {
  const { strippedSha256, pixelSha256, pdq, pdqQuality, blank } = shown;
  const { fps = null, durationS = null, codec = null, pixelFormat = null } = video ?? {};
  const size = { mime, bytes, width, height, frames, fps, durationS, codec, pixelFormat };
  return { path, ...size, sha256, strippedSha256, pixelSha256, pdq, pdqQuality, blank };
}

const LAYER_MEANINGS: Readonly<Record<Layer, string>> = {
  none: 'nothing differs.',
  metadata: 'only metadata differs (text, times, provenance); all other bytes are the same.',
  encoding: 'all pixels are equal; compression or container differs, or metadata in a file without strippedSha256.',
  pixels: 'what is shown differs.',
};

function describeInspection({ level, layer, difference, decidedBy, files }: ReturnType<typeof inspectionOf>): string {
  const [a, b] = files;
  const lines = [
    `level  ${level}: ${LEVEL_WORDS[level].meaning}`,
    ...(decidedBy === null ? [] : [`limit  not similar: ${decisionWords(decidedBy)}`]),
    `layer  ${layer}: ${LAYER_MEANINGS[layer]}`,
    '',
    ...valueLines('', { difference, a, b }),
  ];
  return `${lines.join('\n')}\n`;
}

/** `difference.ssim.p5  0.98`: what `--json` has and is not null, by its names; `a` and `b` are its `files`. */
function valueLines(name: string, value: unknown): readonly string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [`${name}  ${visibleLine(String(value))}`];
  return Object.entries(value).flatMap(([key, inner]) => valueLines(name === '' ? key : `${name}.${key}`, inner));
}
