import { type Pdq, pdq } from './compare/pdq.ts';
import { type DecodedPicture, thumbnailOf } from './decode.ts';
import { lumaOf } from './pixels.ts';
import { integrityOf, type PictureIntegrity } from './signals/integrity.ts';

/** What is found on a picture that decoded. */
export interface PictureFindings {
  /** Of the first frame, as the two below. */
  readonly thumbnail: Uint8Array;
  readonly hash: Pdq;
  readonly first: PictureIntegrity;
  /** Nothing is to be seen on any frame. */
  readonly blank: boolean;
}

/** Looks at a picture's first frame, and at the others where nothing is to be seen on that. */
export async function findingsOf({ frames }: DecodedPicture): Promise<PictureFindings> {
  const [{ pixels }, ...others] = frames;
  const luma = lumaOf(pixels);
  const first = integrityOf(pixels, luma);
  return {
    thumbnail: await thumbnailOf(pixels),
    hash: pdq(luma),
    first,
    blank: first.blank && others.every((frame) => integrityOf(frame.pixels).blank),
  };
}
