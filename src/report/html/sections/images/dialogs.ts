import { html, type Markup } from '../../markup/markup.ts';

const VIEWS = [
  ['side', 'Side by side'],
  ['slider', 'Slider'],
  ['flicker', 'Flicker'],
  ['difference', 'Difference'],
] as const;

const SPEEDS = [0.1, 0.25, 0.5, 1];

const DOUBLINGS = [0, 1, 2, 3, 4, 5, 6];

/** The script fills and opens it. */
export function compareDialog(): Markup {
  return html`<dialog id="compare" tabindex="-1" aria-labelledby="compare-title">
<header><div><h2 id="compare-title">Compare: <span id="compare-prompt"></span></h2><p id="compare-text" class="text"></p></div>
<button type="button" class="close">Close</button></header>
<div class="tools">
<fieldset class="views"><legend class="quiet">View</legend>${VIEWS.map(
    ([value, words]) =>
      html`<label><input type="radio" name="compare-view" value="${value}"><span>${words}</span></label>`,
  )}</fieldset>
<div class="zoom" role="group" aria-label="Zoom"><button type="button" data-zoom="fit">Fit</button><button type="button" data-zoom="1" title="A pixel of the screen for each pixel of the image">100 %</button><button type="button" data-zoom="out" aria-label="Zoom out">−</button><output></output><button type="button" data-zoom="in" aria-label="Zoom in">+</button></div>
<label class="tool slider">Divider <input type="range" min="0" max="100" value="50" step="1"></label>
<div class="tool flicker"><button type="button">Pause</button> <span></span></div>
<label class="tool difference">Amplify <select>${DOUBLINGS.map((times) => html`<option value="${times}"${times === 2 && html` selected`}>× ${1 << times}</option>`)}</select></label>
</div>
<div class="overlay" hidden><div class="stage" tabindex="0" role="group" aria-label="Both images; drag or use Shift and arrow keys to move"></div></div>
<div class="player" role="group" aria-label="Videos" hidden><button type="button" class="play">Play</button><button type="button" class="step" data-step="-1" aria-label="One frame back" title="One frame back">‹</button><button type="button" class="step" data-step="1" aria-label="One frame on" title="One frame on">›</button><input type="range" min="0" max="1" step="any" value="0" aria-label="Time"><output></output><label>Speed <select>${SPEEDS.map((speed) => html`<option value="${speed}"${speed === 1 && html` selected`}>${speed} ×</option>`)}</select></label></div>
<div class="sides">${['Left image', 'Right image', 'Third image'].map(
    (name) =>
      html`<figure><select aria-label="${name}"></select><div class="stage" tabindex="0" role="group" aria-label="${`${name}; drag or use Shift and arrow keys to move`}"></div><figcaption></figcaption></figure>`,
  )}</div>
<div class="between" aria-live="polite"></div>
<p class="keys">Arrow keys change the right image, + and − zoom, 0 fits, 1 shows a pixel of the screen for each pixel of the image, Shift and arrow keys move, V changes the view, Space plays videos, comma and full stop step one frame back and on, Escape closes. The address leads back to this view.</p>
</dialog>`;
}

/** The script fills and opens it. */
export function takesDialog(): Markup {
  return html`<dialog id="takes" aria-labelledby="takes-title">
<header><div><h2 id="takes-title">Takes: <span></span></h2></div><button type="button" class="close">Close</button></header>
<div class="scroll content" tabindex="0" role="group" aria-label="Takes: scrolls sideways"></div>
</dialog>`;
}
