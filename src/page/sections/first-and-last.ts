import type { TrendVariant } from '../../analysis/series.ts';
import { count, plural } from '../../kit/wording.ts';
import { dataUrl } from '../../markup/data-url.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** Reads the thumbnail of an output of a run; null where it is gone. */
export type ReadThumbnail = (run: string, sha256: string) => Uint8Array | null;

/** Bytes of images in a page: about 250 variants. */
const MOST_BYTES = 4_000_000;

/** First and last images of a variant; nothing where one is gone or the page has no room. */
export function firstAndLastImages(
  read: ReadThumbnail,
  runLink: (run: string) => Markup,
): (variant: Pick<TrendVariant, 'variant' | 'firstAndLast'>) => Markup | null {
  let bytes = 0;
  return ({ variant, firstAndLast: found }) => {
    if (found === null) return null;
    const { prompt, first, last, cells, same } = found;
    const seed = found.seed === null ? 'no seed' : `seed ${found.seed}`;
    const images = [first, last].map(({ run, sha256 }) => read(run, sha256));
    const size = images.reduce((sum, image) => sum + (image?.length ?? 0), 0);
    if (images.includes(null) || bytes + size > MOST_BYTES) return null;
    bytes += size;
    const figures = [first, last].map(({ run }, at) => {
      const image = images[at] ?? null;
      const which = at === 0 ? 'First run' : 'Last run';
      return (
        image !== null &&
        html`<figure><img alt="${`${which}: ${variant}, ${prompt}, ${seed}`}" src="${dataUrl('image/webp', image)}"><figcaption>${which}: ${runLink(run)}</figcaption></figure>`
      );
    });
    const isSame = first.sha256 === last.sha256;
    return html`<div class="first-and-last">${figures}<p class="note"><b>${prompt}, ${seed}.</b> ${count(same)} of ${plural(cells, 'output')} ${same === 1 ? 'has' : 'have'} the same bytes in both runs${isSame ? '.' : '; this is the first that differs.'}</p></div>
`;
  };
}
