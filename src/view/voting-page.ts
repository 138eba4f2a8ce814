import { BASE_STYLE, contentSecurityPolicy, documentHead } from '../markup/document.ts';
import { html, type Markup, textOf, trusted } from '../markup/markup.ts';
import { CSS as VOTING } from './voting-css.ts';
import { SCRIPT } from './voting-script.ts';

const STYLE = BASE_STYLE + VOTING;
const SHOWS_DATA = 'media-src data:';

/** Holds the ballots, and saves the votes to a file: needs no server. @param ballots each as JSON without `<` */
export function* votingFile(ballots: Iterable<string>): Generator<string> {
  const saving = html`<div class="end with-script" hidden><p><b>Thank you.</b> Save your votes and send votes.csv to the person who gave you this page. <code>retake vote RUN --import votes.csv</code> shows the results.</p></div>
<p class="save with-script"><button type="button" class="save-votes" disabled>Save votes.csv</button> <small class="kept"></small></p>`;
  yield textOf(html`${headOf([SHOWS_DATA])}${body(html`<main class="voting">`, saving)}`);
  for (const ballot of ballots) yield `<script type="application/json" class="shown">${ballot}</script>\n`;
  yield textOf(END);
}

/** The same page, which asks its server for ballots and gives it the votes. @param token marks votes of this page */
export function servedVotingPage(token: string): { readonly text: string; readonly policy: string } {
  const also = [SHOWS_DATA, "connect-src 'self'"];
  const ending = html`<div class="end with-script" hidden><p><b>Thank you.</b> Your votes are kept. You can close this page. To see the results, end <code>retake vote</code> with Ctrl-C: it reports the run again.</p></div>
<p class="with-script"><small class="kept"></small></p>`;
  return {
    text: textOf(html`${headOf(also)}${body(html`<main class="voting" data-token="${token}">`, ending)}${END}`),
    policy: `${contentSecurityPolicy({ style: STYLE, script: SCRIPT, loadsBeside: false, also })}; frame-ancestors 'none'`,
  };
}

function headOf(also: readonly string[]): Markup {
  return documentHead({ title: 'Which is better? · Retake', style: STYLE, script: SCRIPT, loadsBeside: false, also });
}

const SPEEDS = [0.25, 0.5, 1];

function body(opening: Markup, ending: Markup): Markup {
  return html`<body>
${opening}
<header><h1>Which is better?</h1><p class="count" aria-live="polite"></p><button type="button" class="back" hidden>Back: change the last vote <kbd>B</kbd></button></header>
<p class="without-script">This page needs JavaScript. Allow it, or use another browser.</p>
<div class="fault with-script" role="alert" hidden><p></p><button type="button" class="again">Try again</button></div>
<div class="ballot with-script" hidden>
<p class="prompt text" tabindex="-1"></p>
<figure class="input" hidden><img alt="Input image"><figcaption>Input image</figcaption></figure>
<div class="sides">${(['left', 'right'] as const).map(
    (side) =>
      html`<button type="button" class="side" data-choice="${side}"><img alt="" hidden><video muted playsinline preload="auto" hidden></video></button>`,
  )}</div>
<div class="player" role="group" aria-label="Videos" hidden><button type="button" class="play">Play</button><button type="button" class="restart">From the start <kbd>Space</kbd></button><input type="range" min="0" max="1" step="any" value="0" aria-label="Time"><output></output><label>Speed <select>${SPEEDS.map((speed) => html`<option value="${speed}"${speed === 1 && html` selected`}>${speed} ×</option>`)}</select></label></div>
<div class="choices"><button type="button" data-choice="left">Left <kbd>←</kbd></button><button type="button" data-choice="neither">Equally good <kbd>↑</kbd></button><button type="button" data-choice="right">Right <kbd>→</kbd></button><button type="button" data-choice="skip">Skip <kbd>S</kbd></button><button type="button" class="zoom" aria-pressed="false">Full size <kbd>Z</kbd></button></div>
</div>
${ending}
</main>
`;
}

const END = html`<script>${trusted(SCRIPT)}</script>
</body>
</html>
`;
