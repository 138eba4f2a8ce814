import { html, type Markup, trusted } from '../markup/markup.ts';
import { HEAT_COLOURS } from '../media/heat-scale.ts';
import { differenceKey } from './markup/difference-key.ts';

const VIEWS = [
  ['side', 'Side by side'],
  ['slider', 'Slider'],
  ['difference', 'Difference'],
] as const;

const SPEEDS = [0.1, 0.25, 0.5, 1];

const DOUBLINGS = [0, 1, 2, 3, 4, 5, 6];

/** Filter for a grey or coloured difference: the largest channel of a pixel counts. */
const HEAT_FILTER = trusted(
  `<svg class="filters" width="0" height="0" aria-hidden="true"><filter id="heat" color-interpolation-filters="sRGB">${[
    0, 1, 2,
  ]
    .map(
      (channel) =>
        `<feColorMatrix in="SourceGraphic" result="c${channel}" values="${`${[0, 1, 2].map((at) => Number(at === channel)).join(' ')} 0 0 `.repeat(3)}0 0 0 1 0"/>`,
    )
    .join(
      '',
    )}<feBlend in="c0" in2="c1" mode="lighten" result="c01"/><feBlend in="c01" in2="c2" mode="lighten"/><feComponentTransfer>${(
    ['R', 'G', 'B'] as const
  )
    .map(
      (channel, at) =>
        `<feFunc${channel} type="table" tableValues="${HEAT_COLOURS.map((colour) => ((colour[at] ?? 0) / 255).toFixed(3)).join(' ')}"/>`,
    )
    .join('')}</feComponentTransfer></filter></svg>`,
);

/** The script fills and opens it. */
export function compareDialog(): Markup {
  return html`<dialog id="compare" tabindex="-1" aria-labelledby="compare-title">
<header><div><h2 id="compare-title">Compare: <span id="compare-prompt"></span><span id="compare-seed"></span></h2><p id="compare-text" class="text"></p></div>
<div class="turn" role="group" aria-label="Prompt and seed" hidden><button type="button" data-turn="-1" aria-label="The one before" title="The one before">◂</button><output></output><button type="button" data-turn="1" aria-label="The next one" title="The next one">▸</button></div>
<button type="button" class="close">Close</button></header>
<div class="tools">
<fieldset class="views"><legend class="quiet">View</legend>${VIEWS.map(
    ([value, words]) =>
      html`<label><input type="radio" name="compare-view" value="${value}"><span>${words}</span></label>`,
  )}</fieldset>
<div class="zoom" role="group" aria-label="Zoom"><button type="button" data-zoom="fit">Fit</button><button type="button" data-zoom="1" title="A pixel of the screen for each pixel of the image">100 %</button><button type="button" data-zoom="out" aria-label="Zoom out">−</button><output></output><button type="button" data-zoom="in" aria-label="Zoom in">+</button></div>
<label class="tool slider">Divider <input type="range" min="0" max="100" value="50" step="1"></label>
<div class="tool difference"><label>Amplify <select><option value="">to the largest</option>${DOUBLINGS.map((times) => html`<option value="${times}">× ${1 << times}</option>`)}</select></label>${differenceKey(null)}</div>
</div>
${HEAT_FILTER}
<div class="overlay" hidden><div class="stage" tabindex="0" role="group" aria-label="Both images; drag or use Shift and arrow keys to move"></div></div>
<div class="player" role="group" aria-label="Videos" hidden><button type="button" class="play">Play</button><button type="button" class="step" data-step="-1" aria-label="One frame back" title="One frame back">‹</button><button type="button" class="step" data-step="1" aria-label="One frame on" title="One frame on">›</button><input type="range" min="0" max="1" step="any" value="0" aria-label="Time"><output></output><label>Speed <select>${SPEEDS.map((speed) => html`<option value="${speed}"${speed === 1 && html` selected`}>${speed} ×</option>`)}</select></label></div>
<div class="sides">${['Left image', 'Right image'].map(
    (name) =>
      html`<figure><select aria-label="${name}"></select><div class="stage" tabindex="0" role="group" aria-label="${`${name}; drag or use Shift and arrow keys to move`}"></div><figcaption></figcaption></figure>`,
  )}</div>
<div class="between" aria-live="polite"></div>
<p class="keys">Likeness says nothing about quality: the other one may be better. Left and right arrow keys turn to the prompt and seed before and after, up and down change the right image, + and − zoom, 0 fits, 1 shows a pixel of the screen for each pixel of the image, Shift and arrow keys move, V changes the view, Space plays videos, comma and full stop step one frame back and on, Escape closes. The address leads back to these two in this view.</p>
</dialog>`;
}
