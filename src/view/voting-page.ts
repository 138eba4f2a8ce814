import { BASE_STYLE, contentSecurityPolicy, documentEnd, documentHead } from '../markup/document.ts';
import { html, type Markup, textOf } from '../markup/markup.ts';
import { CSS as VOTING } from './voting-css.ts';
import { SCRIPT } from './voting-script.ts';

const STYLE = BASE_STYLE + VOTING;

/** Asks its server for ballots, and gives it the votes. @param token marks votes of this page */
export function servedVotingPage(token: string): { readonly text: string; readonly policy: string } {
  const also = ['media-src data:', "connect-src 'self'"];
  const allowed = { style: STYLE, script: SCRIPT, loadsBeside: false, also };
  return {
    text: textOf(html`${documentHead({ title: 'Which is better? · Retake', ...allowed })}${body(token)}`),
    policy: `${contentSecurityPolicy(allowed)}; frame-ancestors 'none'`,
  };
}

const SPEEDS = [0.25, 0.5, 1];

/** Beside each other on a wide screen, above each other on a narrow one. */
const SIDES = { left: ['Left', 'Upper'], right: ['Right', 'Lower'] } as const;

function nameOf([beside, above]: readonly [beside: string, above: string]): Markup {
  return html`<span class="beside">${beside}</span><span class="above">${above}</span>`;
}

function picture(side: keyof typeof SIDES): Markup {
  return html`<button type="button" class="side" data-choice="${side}"><span class="quiet">${nameOf(SIDES[side])} <span class="kind"></span></span><img alt="" hidden><video muted playsinline preload="auto" hidden></video></button>`;
}

function choice(side: keyof typeof SIDES, key: string): Markup {
  return html`<button type="button" class="choice" data-choice="${side}">${nameOf(SIDES[side])} <kbd>${key}</kbd></button>`;
}

function body(token: string): Markup {
  return html`<main class="voting" data-token="${token}">
<header><h1>Which is better?</h1><p class="count" aria-live="polite" title="A check shows a pair again, with its sides exchanged."></p><button type="button" class="back" hidden>Back: change the last vote <kbd>B</kbd></button></header>
<p class="without-script">This page needs JavaScript. Allow it, or use another browser.</p>
<div class="fault with-script" role="alert" hidden><p></p><button type="button" class="again">Try again</button></div>
<div class="ballot with-script" hidden>
<p class="prompt text" tabindex="-1"></p>
<figure class="input" hidden><img alt="Input image"><figcaption>Input image</figcaption></figure>
<div class="player" role="group" aria-label="Videos" hidden><button type="button" class="play">Play</button><button type="button" class="restart">From the start <kbd>Space</kbd></button><input type="range" min="0" max="1" step="any" value="0" aria-label="Time"><output></output><label>Speed <select>${SPEEDS.map((speed) => html`<option value="${speed}"${speed === 1 && html` selected`}>${speed} ×</option>`)}</select></label></div>
<div class="sides">${picture('left')}${choice('left', '←')}<button type="button" class="choice" data-choice="neither">Equally good <kbd>↑</kbd></button>${picture('right')}${choice('right', '→')}</div>
<p class="others"><button type="button" data-choice="skip">Skip <kbd>S</kbd></button><button type="button" class="zoom" aria-pressed="false">Full size <kbd>Z</kbd></button></p>
</div>
<div class="end with-script" hidden><p><b>Thank you.</b> Your votes are kept. You can close this page. To see the results, end <code>retake vote</code> with Ctrl-C: it reports the run again.</p></div>
<p class="with-script"><small class="kept" hidden>This browser keeps nothing: if you load the page again, you begin again.</small></p>
</main>
${documentEnd(SCRIPT)}`;
}
