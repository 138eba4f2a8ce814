import { createHash } from 'node:crypto';
import workerpool from 'workerpool';
import { decodeFrugally, decodePicture } from '../media/decode.ts';
import { sniff } from '../media/sniff.ts';
import type { OutputFact } from '../record/fact.ts';
import { readMedia, writeThumbnail } from '../record/store.ts';

/*
 * Runs in a child process of the examination: what came back is hostile input, and a process can be killed in the
 * middle of a native call where a thread cannot.
 */

/** Finds what one stored output is, and keeps its thumbnail. Null where its media has been pruned. */
async function examineOutput(folder: string, sha256: string): Promise<OutputFact | null> {
  const bytes = await readMedia(folder, sha256);
  if (bytes === null) return null;
  const mime = sniff(bytes)?.mime ?? null;
  const output = { fact: 'output', sha256, bytes: bytes.length, mime } as const;
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    return { ...output, decodes: false, reason: 'the stored file was changed: its digest is another' };
  }
  if (mime === null) return { ...output, decodes: false, reason: 'not a media format that is known' };
  if (!mime.startsWith('image/')) return { ...output, decodes: null, reason: `no decoder for ${mime}` };
  const decoding = await decodePicture(bytes);
  if (!decoding.ok) return { ...output, decodes: false, reason: decoding.reason };
  writeThumbnail(folder, sha256, decoding.thumbnail);
  return { ...output, decodes: true, ...decoding.picture, thumbnail: true };
}

decodeFrugally();
workerpool.worker({ examineOutput });
