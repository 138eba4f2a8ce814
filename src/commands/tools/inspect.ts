import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EXAMINE_LIMITS_MS, type Examiners, openExaminers } from '../../examine/examiners.ts';
import { accepted, type Checked, type Fault, refused } from '../../kit/diagnostic.ts';
import { decodeReason } from '../../kit/outcome-words.ts';
import { type MediaType, sniff } from '../../media/header.ts';
import { isAtLeast, type Level } from '../../media/level.ts';
import { loadLibav } from '../../media/libav.ts';
import type { PairFact } from '../../record/fact.ts';
import { keeperOfMedia } from '../../record/output-files.ts';
import { readBytes } from '../../suite/named-file.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../../workflow/edge.ts';
import { compareInspected, describeInspection, type InspectedFile, inspectionJson } from '../display/inspection.ts';

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
        printSentence(edge.err, `retake inspect: the files could not be compared: ${decodeReason(pair.reason)}`);
        return EXIT.incomplete;
      }
    }
    const inspection = compareInspected(one, other, pair?.compared === true ? pair.difference : null);
    edge.out.write(json ? `${JSON.stringify(inspectionJson(inspection))}\n` : describeInspection(inspection, edge.out));
    if (atLeast === undefined || isAtLeast(inspection.level, atLeast)) return EXIT.ok;
    printSentence(edge.err, `retake inspect: the level is ${inspection.level}, below ${atLeast}`);
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

/** Both, or the errors of either; the same error of the same file once. */
function both<T>(one: Checked<T>, other: Checked<T>): Checked<readonly [T, T]> {
  if (one.ok && other.ok) return { ok: true, value: [one.value, other.value] };
  const diagnostics = [one, other].flatMap((each) => (each.ok ? [] : each.diagnostics));
  return {
    ok: false,
    diagnostics: [...new Map(diagnostics.map((diagnostic) => [diagnostic.cause, diagnostic])).values()],
  };
}
