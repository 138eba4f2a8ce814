import type { Cell } from '../../../analysis/summaries.ts';
import { takeName } from '../../../kit/names.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { likenessWords } from '../../../report/level-words.ts';
import type { InputImageFact } from '../../../report/reporter.ts';

import { type DeliveredTake, firstOfEachOutput, type Sheet, type SheetKind } from '../../shown-outputs.ts';
import type { EmbeddedMedia } from './embedded-images.ts';

type FigurePlace = 'strip' | 'sheet';

/** Image or video with a link to the original. The script makes `.pick` a button that compares it. */
export function outputFigure(take: DeliveredTake, cell: Cell, sheet: Sheet, place: FigurePlace): Markup {
  const original = sheet.originalOf(take);
  const label = labelOf(take, cell);
  const number = firstOfEachOutput(cell).findIndex(({ sha256 }) => sha256 === take.sha256);
  const pick = html`<span class="pick" data-cell="${sheet.places.number(cell)}"${number !== 0 && html` data-output="${number}"`}>${shown(take, cell, sheet, place)}${likenessMark(take, cell, sheet)}</span>`;
  return html`<div class="output">${pick}${
    original !== null &&
    html`<a class="original" href="${original}"${place === 'strip' && html` aria-label="${`Original: ${label}`}"`}>original</a>`
  }</div>`;
}

function likenessMark({ sha256 }: DeliveredTake, cell: Cell, { images, likenessOf }: Sheet): Markup | false {
  const likeness = likenessOf(cell);
  if (likeness === null || likeness.word === 'unknown' || likeness.output !== sha256) return false;
  const { word, baseline, baselineOutput } = likeness;
  const heat = images.heatMap(sha256, baselineOutput);
  return html`<span class="like ${word}">${likenessWords(likeness)}</span>${heat !== null && html`<span class="heat"><img alt="${`where it differs from ${baseline}`}" decoding="async" src="${heat}"><small aria-hidden="true">difference</small></span>`}`;
}

/** Both ends of the scale on which likeness stands, on the baseline's output: `sent again: SSIM 1.00 · another seed: SSIM 0.41`. */
export function scaleMark(cell: Cell, { scaleOf }: Sheet): Markup | false {
  const scale = scaleOf(cell);
  if (scale === null) return false;
  const ends = [
    ['sent again', scale.repeatSsim],
    ['another seed', scale.otherSeed?.ssim ?? null],
  ] as const;
  const said = ends.flatMap(([what, ssim]) => (ssim === null ? [] : [`${what}: SSIM ${ssim.toFixed(2)}`]));
  return said.length > 0 && html`<small class="scale">${said.join(' · ')}</small>`;
}

export function inputFigure(prompt: string, { inputs }: SheetKind, sheet: Sheet, place: FigurePlace): Markup {
  const input = inputs.get(prompt);
  if (input === undefined) return html`<span class="blank">no input image</span>`;
  const label = `${prompt}, input image`;
  const file = sheet.originalOf(input);
  return html`<div class="output"><span class="input">${inputImage(input, label, sheet, place)}</span>${
    file !== null &&
    html`<a class="original" href="${file}"${place === 'strip' && html` aria-label="${`Original: ${label}`}"`}>original</a>`
  }</div>`;
}

function inputImage(
  { sha256, width, height }: InputImageFact,
  label: string,
  sheet: Sheet,
  place: FigurePlace,
): Markup {
  const media = place === 'strip' ? sheet.images.inStrip(sha256) : sheet.images.inSheet(sha256);
  if (media === null) return missing(sha256, sheet);
  const number = 'number' in media ? `media-${media.number}` : null;
  if (media.image === null && number !== null) return repeated(number);
  const id = 'isRepeated' in media && media.isRepeated ? number : null;
  return html`<img class="image"${id !== null && html` id="${id}"`} width="${width}" height="${height}" loading="lazy" decoding="async" alt="${label}" src="${media.image}">`;
}

/** `fox, fast, seed 1, take 2`. */
function labelOf(take: DeliveredTake, { prompt, variant, seed }: Cell): string {
  return `${prompt}, ${variant}, seed ${seed}, ${takeName(take)}`;
}

/** Width in pixels: a larger image is printed as a thumbnail, also in a strip. */
const MOST_PRINTED = 512 * 512;

function shown(take: DeliveredTake, cell: Cell, sheet: Sheet, place: FigurePlace): Markup {
  const { sha256 } = take;
  if (place === 'strip') {
    const media = sheet.images.inStrip(sha256);
    if (media === null) return missing(sha256, sheet);
    const { width, height } = sheet.outputs.get(sha256) ?? {};
    const isPrinted = (width ?? 0) * (height ?? 0) <= MOST_PRINTED;
    return mediaElement(isPrinted ? { ...media, printed: null } : media, take, cell, sheet, null);
  }
  const media = sheet.images.inSheet(sha256);
  if (media === null) return missing(sha256, sheet);
  if (media.image !== null)
    return mediaElement(media, take, cell, sheet, media.isRepeated ? `media-${media.number}` : null);
  return repeated(`media-${media.number}`);
}

/** @param first the id of the image that holds the bytes */
function repeated(first: string): Markup {
  return html`<a class="blank" data-same="${first}" href="${`#${first}`}">the same bytes as an image above</a>`;
}

function missing(sha256: string, sheet: Sheet): Markup {
  if (sheet.outputs.get(sha256)?.thumbnail === true && sheet.images.isAbsent(sha256)) sheet.gone.add(sha256);
  return html`<span class="blank">${sheet.images.isCrowdedOut(sha256) ? 'left out of this page: too many images' : 'no thumbnail'}</span>`;
}

function mediaElement(
  { image, printed, video }: EmbeddedMedia,
  take: DeliveredTake,
  cell: Cell,
  sheet: Sheet,
  id: string | null,
): Markup {
  const { width, height } = sheet.outputs.get(take.sha256) ?? { width: null, height: null };
  const shape = html`${id !== null && html` id="${id}"`} width="${width ?? 1}" height="${height ?? 1}"`;
  const label = labelOf(take, cell);
  return video === null
    ? html`<img class="image"${shape} loading="lazy" decoding="async" alt="${label}" src="${image}">${printed !== null && html`<img class="printed" alt="${label}" src="${printed}">`}`
    : html`<video class="image"${shape} controls muted loop playsinline preload="none" aria-label="${label}" poster="${image}" src="${video}"></video>`;
}
