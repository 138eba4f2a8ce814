import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExaminerSource } from '../../examine/examiners.ts';
import { codeOf } from '../../kit/diagnostic.ts';
import { decodeReason } from '../../kit/outcome-words.ts';
import { visibleLine } from '../../kit/visible.ts';
import { plural, bytes as sayBytes, significant } from '../../kit/wording.ts';
import { fitsExpectation, sniff } from '../../media/header.ts';
import type { OutputFact } from '../../record/fact.ts';
import { keeperOfMedia } from '../../record/output-files.ts';
import { beginningOfText, refusedResult, unexpectedMedia, withoutSecrets } from '../../run/refused-outputs.ts';
import type { CallResult } from '../../targets/call.ts';
import type { KnownSecrets } from '../../targets/secrets.ts';
import type { Target } from '../../targets/target.ts';
import { openScratch } from '../scratch.ts';

export interface SavedOutput {
  readonly lines: readonly string[];
  /** False if it is known not to decode. */
  readonly decodes: boolean;
}

export interface OutputSaver {
  /** Saves an output under a free name that begins with `stem`. */
  readonly save: (asset: TriedAsset, stem: string) => Promise<SavedOutput>;
  readonly close: () => Promise<void>;
}

/**
 * Outputs are decoded in a child process, as in a run, until `signal` is aborted.
 * @param folder must exist
 */
export function openOutputSaver(folder: string, source: ExaminerSource): OutputSaver {
  const scratch = openScratch(source);
  const keepMedia = keeperOfMedia(scratch.folder);
  return {
    save: async (asset, stem) => {
      const { bytes } = asset;
      const type = sniff(bytes);
      const extension = type?.extension ?? 'bin';
      const path = await writeUnderFreeName(folder, stem, extension, bytes);
      const sha256 = keepMedia(bytes, extension);
      const output = { sha256, bytes: bytes.length, mime: type?.mime ?? null };
      const fact = await scratch.examine(scratch.folder, output);
      const pixels = fact?.decodes === true ? `, of pixels ${fact.shown.pixelSha256.slice(0, 16)}` : '';
      const is = `  ${visibleLine(typeWords(asset))}, ${sayBytes(bytes.length)}${fact === null ? '' : `, ${describeFact(fact)}`}`;
      return {
        lines: [is, `  sha256 ${sha256.slice(0, 16)}${pixels}, saved as ${path}`],
        decodes: fact?.decodes !== false,
      };
    },
    close: scratch.close,
  };
}

type TriedAsset = Extract<CallResult, { outcome: 'ok' }>['assets'][number];

function typeWords({ bytes, declaredMime }: TriedAsset): string {
  return sniff(bytes)?.mime ?? `bytes of no known type (the server says ${declaredMime ?? 'nothing'})`;
}

/** `256 x 144, 49 frames, 24.0 fps, 2.04 s, h264 yuv420p`; or why that is unknown. */
function describeFact(fact: OutputFact): string {
  if (fact.decodes === null) return `not decoded: ${visibleLine(decodeReason(fact.reason))}`;
  if (!fact.decodes) return `does not decode: ${visibleLine(decodeReason(fact.reason))}`;
  const { width, height, frames, video, shown } = fact;
  const parts = [`${width} x ${height}`];
  if (video !== null || frames > 1) parts.push(plural(frames, 'frame'));
  if (video !== null) {
    const { fps, durationS, codec, pixelFormat } = video;
    if (fps !== null) parts.push(`${significant(fps)} frames per second`);
    if (durationS !== null) parts.push(`${significant(durationS)} s long`);
    parts.push(visibleLine(`${codec} ${pixelFormat}`));
  }
  if (shown.blank) parts.push('blank: only one colour is visible');
  return parts.join(', ');
}

/** As in a run: media of another type than expected are a failure, and an output with the key is not saved. */
export function effectiveResult(called: CallResult, { result: { expect } }: Target, secrets: KnownSecrets): CallResult {
  const result = withoutSecrets(called, secrets);
  if (result.outcome !== 'ok') return result;
  const [{ bytes, declaredMime }] = result.assets;
  const type = sniff(bytes);
  if (fitsExpectation(type, expect)) return result;
  const text = type === null ? beginningOfText(bytes, secrets.redact) : '';
  return refusedResult(result, unexpectedMedia({ type, bytes: bytes.length, declaredMime }, text, expect));
}

/** Writes `stem.extension`, or if it exists `stem-2.extension` and so on: nothing is overwritten. Gives the path. */
async function writeUnderFreeName(folder: string, stem: string, extension: string, bytes: Uint8Array): Promise<string> {
  for (let copy = 1; ; copy += 1) {
    const path = join(folder, `${stem}${copy === 1 ? '' : `-${copy}`}.${extension}`);
    try {
      await writeFile(path, bytes, { flag: 'wx' });
      return path;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}
