import { wallClock } from '../kit/time.ts';
import { html, type Markup } from './markup.ts';

/** UTC; the script of a page shows the reader's own time in its place. @param iso UTC time in ISO form */
export function clockTime(iso: string): Markup {
  return html`<time datetime="${iso}">${wallClock(iso)}</time>`;
}
