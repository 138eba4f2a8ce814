import { html, type Markup } from '../../markup/markup.ts';

/** The compare view, which the script fills and opens. */
export function compareDialog(): Markup {
  return html`<dialog id="compare" aria-labelledby="compare-title">
<header><div><h2 id="compare-title">Compare: <span id="compare-prompt"></span></h2>
<p>Arrow keys change the right image; Escape closes.</p></div>
<button type="button" id="compare-close">Close</button></header>
<div class="pair">${['Left image', 'Right image'].map(
    (name) =>
      html`<figure><select aria-label="${name}"></select><div class="stage"></div><figcaption></figcaption></figure>`,
  )}</div>
</dialog>`;
}
