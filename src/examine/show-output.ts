import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extensionOf, sniff } from '../media/header.ts';
import { loadLibav } from '../media/libav.ts';
import type { TimedPixels } from '../media/pixels.ts';
import { framesAt, type ImageBox, middleTimes, type VideoShape } from '../media/shown-shape.ts';
import { flatImage, stillImage, type Worsening } from '../media/still-image.ts';
import { videoCopy } from '../media/video-copies.ts';
import { type ComparedOutput, NotComparable, openDecoded } from './compare-outputs.ts';

/** How an output is shown to a program of the user, or to a voter. */
export interface ShowHow {
  /** Folder of its files, whose random names reveal nothing. */
  readonly to: string;
  /** Images of a video or animation, from the middles of equal parts of its duration. */
  readonly frames: number;
  readonly worsening: Worsening;
  /** Images are scaled into it; absent: not scaled. */
  readonly box?: ImageBox;
  readonly original: boolean;
  /** Shape of a video to make instead of images. */
  readonly video?: VideoShape;
}

export interface OutputFiles {
  readonly images: readonly string[];
  /** File as delivered, or the coded file of a worse copy; null unless asked for. */
  readonly original: string | null;
  readonly video: string | null;
}

/** Writes the files. Throws NotComparable, DecodeError or NoDecoder if media are gone or do not decode. */
export async function showOutput(
  output: ComparedOutput,
  { to, frames, worsening, box, original, video: shape }: ShowHow,
  read: (sha256: string) => Promise<Uint8Array>,
): Promise<OutputFiles> {
  const keep = async (content: Uint8Array, extension: string): Promise<string> => {
    const path = join(to, `${randomUUID()}.${extension}`);
    await writeFile(path, content, { flag: 'wx', mode: 0o600 });
    return path;
  };
  if (shape !== undefined)
    return { images: [], original: null, video: await keep(await copyIn(shape, output, read), 'mp4') };
  const images: string[] = [];
  let coded: Uint8Array | null = null;
  const { sequence, close } = await openDecoded(output, read);
  try {
    const moves = sequence.count > 1 || output.mime.startsWith('video/');
    const times = moves ? middleTimes(frames, sequence.count * (sequence.frameS ?? 0)) : [0];
    for (const pixels of framesAt(sequence.frames, times)) {
      const { png, jpeg } = await stillImage(pixels, worsening, box ?? null);
      coded = jpeg ?? png;
      images.push(await keep(png, 'png'));
    }
  } finally {
    close();
  }
  if (coded === null) throw new NotComparable({ code: 'no_longer_decodes' });
  if (!original) return { images, original: null, video: null };
  const file = worsening === null ? await read(output.sha256) : coded;
  return { images, original: await keep(file, extensionOf(sniff(file)?.mime ?? null) ?? 'bin'), video: null };
}

async function copyIn(
  shape: VideoShape,
  output: ComparedOutput,
  read: (sha256: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const loaded = await loadLibav();
  if (!loaded.ok) throw new NotComparable({ ...loaded.reason, needed: 'video' });
  const { sequence, close } = await openDecoded(output, read);
  try {
    return await videoCopy(loaded.libav, shape, flatImages(sequence.frames, shape));
  } finally {
    close();
  }
}

/** Frames scaled to the shape; repeats the last if the output ends early. */
async function* flatImages(frames: Iterable<TimedPixels>, shape: VideoShape): AsyncGenerator<Buffer> {
  for (const pixels of framesAt(frames, middleTimes(shape.frames, shape.frames / shape.fps))) {
    yield await flatImage(pixels, shape);
  }
}
