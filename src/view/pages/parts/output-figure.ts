import { html, type Markup } from '../../../markup/markup.ts';
import { extensionOf } from '../../../media/header.ts';
import type { Output } from '../../../record/journal.ts';
import { mediaName } from '../../../record/output-files.ts';
import { fileAddress, type RunPlace } from '../../addresses.ts';

export interface ShownOutput {
  /** The file as it came; null if its type is unknown, or it was pruned. */
  readonly original: string | null;
  readonly small: string | null;
  readonly isVideo: boolean;
}

/** @param has whether a file of the run is there, by its path within the run */
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

/** @param number the place of an output that arrived while its run is in progress, from 1: the script finds it by this */
export function outputFigure(
  output: ShownOutput,
  label: string,
  caption: Markup,
  number: number | null = null,
): Markup {
  const { original } = output;
  return html`<figure${number !== null && html` data-key="${number}"`}>${shown(output, label)}<figcaption>${caption}${
    original !== null && html` <a class="original" href="${original}" aria-label="${`Original: ${label}`}">original</a>`
  }</figcaption></figure>`;
}

function shown(output: ShownOutput, label: string): Markup {
  const { original, small, isVideo } = output;
  if (isVideo && original !== null) {
    return html`<video class="image" controls muted loop playsinline preload="${small === null ? 'metadata' : 'none'}" aria-label="${label}"${small !== null && html` poster="${small}"`} src="${original}"></video>`;
  }
  const image = small ?? original;
  return image === null
    ? html`<span class="nothing">no image stored</span>`
    : html`<img class="image" loading="lazy" decoding="async" alt="${label}" src="${image}">`;
}
