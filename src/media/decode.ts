import sharp from 'sharp';

/** A picture that decoded to its last row. */
export interface DecodedPicture {
  /** In pixels, as shown: after the orientation the file declares. */
  readonly width: number;
  readonly height: number;
  /** Pictures in the file: 1 for a still, more for an animation. */
  readonly frames: number;
}

/** What a decoder made of some bytes. */
export type Decoding =
  | { readonly ok: true; readonly picture: DecodedPicture; readonly thumbnail: Uint8Array }
  | { readonly ok: false; readonly reason: string };

/** Above this a picture is refused before its pixels are allocated: 64 megapixels, all frames together. */
const MOST_PIXELS = 64 * 1024 * 1024;

/** The longer side of a thumbnail, in pixels. */
const THUMBNAIL_SIDE = 256;

/**
 * Decodes a picture whole, so that one cut off in its middle is found, and makes its thumbnail (WebP, longer side
 * 256 pixels, first frame). Bytes that do not decode are a reason, never a throw.
 */
export async function decodePicture(bytes: Uint8Array): Promise<Decoding> {
  const open = (pages: number) => sharp(bytes, { failOn: 'error', limitInputPixels: MOST_PIXELS, pages });
  try {
    const { autoOrient, pages = 1, pageHeight } = await open(-1).metadata();
    // Every frame to its last row: stats() reads all pixels without handing them over.
    await open(-1).stats();
    const thumbnail = await open(1)
      .autoOrient()
      .resize({ width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer();
    // The frames of an animation are given as one strip: its page is one frame.
    const height = pages > 1 ? (pageHeight ?? autoOrient.height) : autoOrient.height;
    return { ok: true, picture: { width: autoOrient.width, height, frames: pages }, thumbnail };
  } catch (error) {
    return { ok: false, reason: firstLine(error) };
  }
}

/** One decoder thread a process: the pool of processes is what runs side by side. No cache: each picture comes once. */
export function decodeFrugally(): void {
  sharp.concurrency(1);
  sharp.cache(false);
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '').slice(0, 200);
}
