import { hashOf, type SequenceFrame, shrunkOf } from './compare/difference-of.ts';
import type { Pdq } from './compare/pdq.ts';
import { copyOf, type DecodedImage, smallThumbnailOf, thumbnailOf } from './decode.ts';
import { onGrounds, viewsOf } from './grounds.ts';
import { integrityOf } from './signals/integrity.ts';
import type { ImageIntegrity } from './signals/signals.ts';

export interface ImageFindings {
  /** Of the first frame, as the five below. */
  readonly thumbnail: Uint8Array;
  /** Null if the thumbnail is no larger. */
  readonly smallThumbnail: Uint8Array | null;
  /** Null if the thumbnail shows every pixel. */
  readonly copy: Uint8Array | null;
  readonly shrunk: NonNullable<SequenceFrame['shrunk']>;
  readonly hash: Pdq;
  readonly first: ImageIntegrity;
  /** Of every frame. */
  readonly blank: boolean;
}

export async function findingsOf({ frames }: DecodedImage): Promise<ImageFindings> {
  const [{ pixels }, ...others] = frames;
  const views = viewsOf(pixels);
  const first = integrityOf(pixels, views);
  const shrunk = onGrounds(views, shrunkOf);
  return {
    thumbnail: await thumbnailOf(pixels),
    smallThumbnail: await smallThumbnailOf(pixels),
    copy: await copyOf(pixels),
    shrunk,
    hash: hashOf(onGrounds(shrunk, ({ hash }) => hash)),
    first,
    blank: first.blank && others.every((frame) => integrityOf(frame.pixels).blank),
  };
}
