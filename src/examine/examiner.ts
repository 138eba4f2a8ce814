import { createHash } from 'node:crypto';
import workerpool from 'workerpool';
import { declaredPixels, decodeFrugally, decodeImage, findingsOf } from '../media/decode.ts';
import { decodeVideo, digestOfFrames, VIDEO_LIMITS } from '../media/decode-video.ts';
import { imageSequence, videoSequence } from '../media/difference-of.ts';
import { sniff } from '../media/header.ts';
import { openHeatMap } from '../media/heat-map.ts';
import type { TimedPixels } from '../media/pixels.ts';
import { differenceOutside } from '../media/still-image.ts';
import type { OutputFact, OutsideFact, PairFact, UncomparedReason } from '../record/fact.ts';
import { heatFormat, readMedia, writeSmall } from '../record/output-files.ts';
import {
  type ComparedOutput,
  compareOutputs,
  NotComparable,
  OutputMemory,
  uncomparedReason,
} from './compare-outputs.ts';
import type { MaskedEdit } from './pairs.ts';
import { type OutputFiles, type ShowHow, showOutput } from './show-output.ts';

/* A process, because outputs are hostile, and a thread cannot be killed in the middle of a native call. */

type Findings<F = OutputFact> = F extends OutputFact ? Omit<F, 'fact' | 'sha256' | 'bytes' | 'mime'> : never;

const memory = new OutputMemory();

/**
 * Examines a stored output, and keeps its small copies. Null if its media are pruned; the number of pixels if above
 * `granted`, as decoding must wait for memory.
 */
async function examineOutput(folder: string, sha256: string, granted: number): Promise<OutputFact | null | number> {
  const bytes = await readMedia(folder, sha256);
  if (bytes === null) return null;
  const mime = sniff(bytes)?.mime ?? null;
  const output = { fact: 'output', sha256, bytes: bytes.length, mime } as const;
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    return { ...output, decodes: false, reason: { code: 'digest_changed' } };
  }
  if (mime === null) return { ...output, decodes: false, reason: { code: 'unknown_format' } };
  const pixels = mime.startsWith('image/') ? await declaredPixels(bytes) : 0;
  if (pixels > granted) return pixels;
  const examined = mime.startsWith('image/')
    ? await examineImage(folder, sha256, bytes)
    : await examineVideo(folder, sha256, bytes, mime);
  return { ...output, ...examined };
}

/** Compares two outputs whose pixels differ. Keeps a heat map in `heatFolder`, if not null. */
async function comparePair(
  folders: readonly string[],
  a: ComparedOutput,
  b: ComparedOutput,
  heatFolder: string | null,
): Promise<PairFact> {
  const pair = { fact: 'pair', a: a.sha256, b: b.sha256 } as const;
  try {
    const heatMap = heatFolder === null ? null : openHeatMap();
    const difference = await compareOutputs(a, b, memory, readerOf(folders), heatMap?.add);
    const drawn = (await heatMap?.draw()) ?? null;
    if (heatFolder !== null && drawn !== null) writeSmall(heatFolder, a.sha256, heatFormat(b.sha256), drawn);
    return { ...pair, compared: true, difference };
  } catch (error) {
    return { ...pair, compared: false, reason: uncomparedReason(error) };
  }
}

/** Null if media are pruned. */
async function measureOutside(folder: string, edit: MaskedEdit): Promise<OutsideFact | null> {
  const [input, mask, output] = await Promise.all(
    [edit.input, edit.mask, edit.output].map((sha256) => readMedia(folder, sha256)),
  );
  if (!input || !mask || !output) return null;
  const [before, after] = [await decodeImage(input), await decodeImage(output)];
  const levels =
    before.ok && after.ok
      ? await differenceOutside(before.image.frames[0].pixels, mask, after.image.frames[0].pixels)
      : null;
  return { fact: 'outside', ...edit, levels };
}

function readerOf(folders: readonly string[]): (sha256: string) => Promise<Uint8Array> {
  return async (sha256) => {
    for (const folder of folders) {
      const bytes = await readMedia(folder, sha256);
      if (bytes !== null) return bytes;
    }
    throw new NotComparable({ code: 'media_missing' });
  };
}

async function show(folder: string, output: ComparedOutput, how: ShowHow): Promise<OutputFiles | UncomparedReason> {
  try {
    return await showOutput(output, how, readerOf([folder]));
  } catch (error) {
    return uncomparedReason(error);
  }
}

async function examineImage(folder: string, sha256: string, bytes: Uint8Array): Promise<Findings> {
  const decoding = await decodeImage(bytes);
  if (decoding.ok === false) return { decodes: false, reason: decoding.reason };
  if (decoding.ok === null) return { decodes: null, reason: decoding.reason };
  const { width, height, frames, pixelSha256 } = decoding.image;
  const findings = await findingsOf(bytes, decoding.image);
  const { strippedSha256, thumbnail, smallThumbnail, copy, shrunk, hash, first, blank } = findings;
  const [firstFrame, ...others] = frames;
  const output = { sha256, width, height, frames: frames.length };
  if (memory.holds(output)) memory.keep(output, imageSequence([{ ...firstFrame, shrunk }, ...others]));
  writeSmall(folder, sha256, 'webp', thumbnail);
  if (smallThumbnail !== null) writeSmall(folder, sha256, '200.webp', smallThumbnail);
  if (copy !== null) writeSmall(folder, sha256, '1024.webp', copy);
  const shown = { pixelSha256, strippedSha256, pdq: hash.hash, pdqQuality: hash.quality, blank, first, moving: null };
  return { decodes: true, width, height, frames: frames.length, thumbnail: true, video: null, shown };
}

async function examineVideo(folder: string, sha256: string, bytes: Uint8Array, mime: string): Promise<Findings> {
  const seen: TimedPixels[] = [];
  const decoding = await decodeVideo(bytes, mime, VIDEO_LIMITS, (frame) => {
    if (memory.holds({ ...frame.pixels, frames: seen.length + 1 })) seen.push(frame);
  });
  if (decoding.ok === false) return { decodes: false, reason: decoding.reason };
  if (decoding.ok === null) return { decodes: null, reason: decoding.reason };
  const { video, poster, smallPoster, preview } = decoding;
  writeSmall(folder, sha256, 'webp', poster);
  if (smallPoster !== null) writeSmall(folder, sha256, '200.webp', smallPoster);
  if (preview !== null) writeSmall(folder, sha256, 'mp4', preview);
  const { width, height, frames, fps, durationS, codec, pixelFormat, frameDigests } = video;
  if (seen.length === frames) memory.keep({ sha256, width, height, frames }, videoSequence(seen, { frames, fps }));
  const framesSha256 = digestOfFrames(frameDigests);
  const { pixelSha256, strippedSha256, first, moving } = video;
  const { hash, quality } = video.hash;
  return {
    decodes: true,
    width,
    height,
    frames,
    thumbnail: true,
    video: { fps, durationS, codec, pixelFormat, framesSha256, preview: preview !== null },
    shown: {
      pixelSha256,
      strippedSha256,
      pdq: hash,
      pdqQuality: quality,
      blank: moving.blankShare === 1,
      first,
      moving,
    },
  };
}

decodeFrugally();
workerpool.worker({ examineOutput, comparePair, measureOutside, show, started: () => null });
