import { createHash } from 'node:crypto';
import workerpool from 'workerpool';
import { decodeFrugally, decodePicture } from '../media/decode.ts';
import { decodeVideo, digestOfFrames } from '../media/decode-video.ts';
import { sniff } from '../media/sniff.ts';
import type { DecodedOutput, OutputFact, UndecodableOutput, UnexaminedOutput } from '../record/fact.ts';
import { readMedia, writeSmall } from '../record/store.ts';

/*
 * Runs in a child process of the examination: what came back is hostile input, and a process can be killed in the
 * middle of a native call where a thread cannot.
 */

/** Finds what one stored output is, and keeps its thumbnail and preview. Null where its media has been pruned. */
async function examineOutput(folder: string, sha256: string): Promise<OutputFact | null> {
  const bytes = await readMedia(folder, sha256);
  if (bytes === null) return null;
  const mime = sniff(bytes)?.mime ?? null;
  const output = { fact: 'output', sha256, bytes: bytes.length, mime } as const;
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    return { ...output, decodes: false, reason: 'the stored file was changed: its digest is another' };
  }
  if (mime === null) return { ...output, decodes: false, reason: 'not a media format that is known' };
  if (mime.startsWith('image/')) return { ...output, ...(await examinePicture(folder, sha256, bytes)) };
  return { ...output, ...(await examineVideo(folder, sha256, bytes, mime)) };
}

async function examinePicture(
  folder: string,
  sha256: string,
  bytes: Uint8Array,
): Promise<DecodedOutput | UndecodableOutput> {
  const decoding = await decodePicture(bytes);
  if (!decoding.ok) return { decodes: false, reason: decoding.reason };
  writeSmall(folder, sha256, 'webp', decoding.thumbnail);
  return { decodes: true, ...decoding.picture, thumbnail: true };
}

async function examineVideo(
  folder: string,
  sha256: string,
  bytes: Uint8Array,
  mime: string,
): Promise<DecodedOutput | UndecodableOutput | UnexaminedOutput> {
  const decoding = await decodeVideo(bytes, mime);
  if (decoding.ok !== true) return { decodes: decoding.ok, reason: decoding.reason };
  const { video, poster, preview } = decoding;
  writeSmall(folder, sha256, 'webp', poster);
  if (preview !== null) writeSmall(folder, sha256, 'mp4', preview);
  const { width, height, frames, fps, durationS, codec, pixelFormat, frameDigests } = video;
  const framesSha256 = digestOfFrames(frameDigests);
  return {
    decodes: true,
    width,
    height,
    frames,
    thumbnail: true,
    video: { fps, durationS, codec, pixelFormat, framesSha256, preview: preview !== null },
  };
}

decodeFrugally();
workerpool.worker({ examineOutput });
