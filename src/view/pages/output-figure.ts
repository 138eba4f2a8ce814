import { extensionOf } from '../../media/sniff.ts';
import type { Output } from '../../record/model/sample.ts';
import { mediaName } from '../../record/outputs/output-files.ts';
import { html, type Markup } from '../../report/html/markup/markup.ts';
import { fileAddress, type RunPlace } from './addresses.ts';

/** An output where a page can load it. */
export interface ShownOutput {
  /** The file as it came; null where it is of no known type, or was pruned. */
  readonly original: string | null;
  /** A small image of it; null where there is none. */
  readonly small: string | null;
  readonly isVideo: boolean;
}

/**
 * Where the files of an output are.
 *
 * @param has whether a file of the run is there, by its path within the run
 */
export function shownOutput(place: RunPlace, { sha256, mime }: Output, has: (path: string) => boolean): ShownOutput {
  const extension = extensionOf(mime);
  const original = extension === null ? null : mediaName(sha256, extension);
  const small = [`thumbs/${sha256}.1024.webp`, `thumbs/${sha256}.webp`].find(has);
  return {
    original: original !== null && has(original) ? fileAddress(place, original) : null,
    small: small === undefined ? null : fileAddress(place, small),
    isVideo: mime?.startsWith('video/') === true,
  };
}

/**
 * An output with a link to its original, and words below it.
 *
 * @param number of an output that arrived while its run is in progress, for the script
 */
export function outputFigure(
  { original, small, isVideo }: ShownOutput,
  label: string,
  caption: Markup,
  number: number | null = null,
): Markup {
  return html`<figure${number !== null && html` data-number="${number}"`}>${shown({ original, small, isVideo }, label)}<figcaption>${caption}${
    original !== null && html` <a href="${original}" aria-label="${`Original: ${label}`}">original</a>`
  }</figcaption></figure>`;
}

function shown({ original, small, isVideo }: ShownOutput, label: string): Markup {
  if (isVideo && original !== null) {
    return html`<video controls muted loop playsinline preload="${small === null ? 'metadata' : 'none'}" aria-label="${label}"${small !== null && html` poster="${small}"`} src="${original}"></video>`;
  }
  const image = small ?? original;
  return image === null
    ? html`<span class="nothing">no image stored</span>`
    : html`<img loading="lazy" decoding="async" alt="${label}" src="${image}">`;
}
