import { plural } from '../../../kit/wording.ts';
import { html, type Markup, trusted } from '../../../markup/markup.ts';
import { OUTLINED } from '../../../markup/page-data.ts';
import type { KeptFact } from '../../../report/reporter.ts';
import { furtherShown, type PromptInputs, type Sheet, type SheetKind } from '../../shown-outputs.ts';

/** Draws the edge of what is light in a mask: white, with a dark line at both sides. */
const OUTLINE = trusted(
  '<filter id="outline" color-interpolation-filters="sRGB"><feColorMatrix values="0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 20 0 0 0 -1" result="mask"/><feMorphology operator="erode" radius="1" result="less"/><feMorphology in="mask" operator="dilate" radius="1"/><feComposite in2="less" operator="out" result="line"/><feMorphology operator="dilate" radius="1"/><feColorMatrix values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0.8 0"/><feMerge><feMergeNode/><feMergeNode in="line"/></feMerge></filter>',
);

/** What lies on an input image: the outline of what may change, and its further images. */
export function inputLayers(input: PromptInputs, { layers }: Sheet): Markup {
  const { mask, others } = input;
  const further = furtherShown(input).filter(({ sha256 }) => layers.has(sha256));
  const more = others.length - further.length;
  return html`${
    mask !== null &&
    layers.has(mask.sha256) &&
    html`<svg class="outline" viewBox="0 0 ${mask.width} ${mask.height}" aria-hidden="true">${layer(mask)}</svg>`
  }${
    others.length > 0 &&
    html`<span class="further">${further.map((other, at) => html`<svg viewBox="0 0 ${other.width} ${other.height}" preserveAspectRatio="xMidYMid slice" role="img" aria-label="input image ${at + 2}">${layer(other)}</svg>`)}${more > 0 && html`<small>and ${plural(more, 'more input')}</small>`}</span>`
  }`;
}

/** In a strip, style shows it where the input has a mask. */
export function outlineLegend(inputs: Iterable<PromptInputs | undefined>, { layers }: Sheet): Markup | false {
  const isOutlined = [...inputs].some((input) => input?.mask && layers.has(input.mask.sha256));
  return isOutlined && html`<small class="outlined">${OUTLINED}</small>`;
}

function layer(image: KeptFact): Markup {
  return html`<use href="${`#${idOf(image)}`}"/>`;
}

/** The images that the layers of a kind use. */
export function layerSources({ inputs }: SheetKind, { layers }: Sheet): Markup | false {
  const images = new Map(
    [...inputs.values()]
      .flatMap(({ mask, others }) => [mask ?? [], others].flat())
      .map((image) => [image.sha256, image]),
  );
  const sources = [...images.values()].flatMap((image) => {
    const source = layers.get(image.sha256);
    return source === undefined
      ? []
      : html`<image id="${idOf(image)}" width="${image.width}" height="${image.height}" href="${source}"/>`;
  });
  return (
    sources.length > 0 &&
    html`<svg class="filters" width="0" height="0" aria-hidden="true">${OUTLINE}<defs>${sources}</defs></svg>`
  );
}

function idOf({ sha256 }: KeptFact): string {
  return `input-${sha256.slice(0, 12)}`;
}
