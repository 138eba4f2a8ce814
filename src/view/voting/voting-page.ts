import { documentHead } from '../../report/html/markup/document.ts';
import { html, textOf, trusted } from '../../report/html/markup/markup.ts';
import { BASE_STYLE } from '../../report/html/style/style.ts';
import type { ShownBallot } from '../pages/parts/shown-ballot.ts';
import { SCRIPT } from './voting-script.ts';
import { VOTING_STYLE } from './voting-style.ts';

/**
 * One file in which somebody votes without access to the run: the ballots are in it, and a button saves the votes. In
 * pieces, one for each ballot.
 */
export function* votingPage(ballots: Iterable<ShownBallot>): Generator<string> {
  const style = BASE_STYLE + VOTING_STYLE;
  yield textOf(documentHead({ title: 'Which image is better? · Retake', style, script: SCRIPT, loadsBeside: false }));
  yield textOf(html`<body>
<main class="voting">
<header><h1>Which image is better?</h1><p class="count" aria-live="polite"></p></header>
<p class="without-script">This page needs JavaScript. Allow it, or open the file in another browser.</p>
<div class="ballot with-script" hidden>
<p class="prompt text"></p>
<figure class="input" hidden><img alt="Input image"><figcaption>Input image</figcaption></figure>
<div class="sides"><button type="button" class="side" data-choice="left"><img alt="Left image"></button><button type="button" class="side" data-choice="right"><img alt="Right image"></button></div>
<div class="choices"><button type="button" data-choice="left">Left <kbd>←</kbd></button><button type="button" data-choice="neither">Equally good <kbd>↑</kbd></button><button type="button" data-choice="right">Right <kbd>→</kbd></button><button type="button" data-choice="skip">Skip <kbd>S</kbd></button><button type="button" class="zoom" aria-pressed="false">Full size <kbd>Z</kbd></button></div>
</div>
<div class="end with-script" hidden><p><b>Thank you.</b> Save your votes and send the file to whoever asked you.</p></div>
<p class="save with-script"><button type="button" class="save-votes" disabled>Save votes.csv</button> <small class="kept"></small></p>
</main>
<script type="application/json" id="ballots">[`);
  let at = 0;
  for (const ballot of ballots) {
    // `<` alone could end the element.
    yield `${at > 0 ? ',' : ''}${JSON.stringify(ballot).replaceAll('<', '\\u003c')}`;
    at += 1;
  }
  yield textOf(html`]</script>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`);
}
