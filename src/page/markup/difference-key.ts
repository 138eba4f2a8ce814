import { html, type Markup } from '../../markup/markup.ts';
import { SCALE_END } from '../../media/heat-scale.ts';

/** What the colours of a difference mean: one line beside it. @param end of 255; null: a script says it */
export function differenceKey(end: number | null = SCALE_END): Markup {
  return html`<span class="scale">0 <i></i> <span class="scale-end">${end === null ? '' : scaleEndWords(end)}</span></span>`;
}

/** @param end of 255: a larger difference has the same colour */
export function scaleEndWords(end: number): string {
  return end >= 255 ? '255 levels' : `${end} or more of 255 levels`;
}
