import type { Analysis } from '../../../../analysis/analysis.ts';
import { plural } from '../../../../text/quantity.ts';
import { failureCauses } from '../../../statements/failure-statement.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** Causes beyond this many are only counted here: they are listed in full further down. */
const MOST_LINES = 5;

/** What failed, a line for each cause with the variants that it hit, the most frequent first; nothing where no take failed. */
export function whatFailed(analysis: Pick<Analysis, 'failures' | 'variants'>): Markup | false {
  const causes = failureCauses(analysis);
  if (causes.length === 0) return false;
  // One more line takes no more room than the words that count it.
  const shown = causes.length === MOST_LINES + 1 ? causes : causes.slice(0, MOST_LINES);
  const more = causes.length - shown.length;
  return html`<h3 id="what-failed">What failed</h3>
<ul class="brief">${shown.map(
    ({ who, takes, outcome, code, message }) =>
      html`<li><strong>${who}</strong>: ${takes}: ${outcome} (<code>${code}</code>)${message !== '' && html`, <q>${message}</q>`}</li>`,
  )}</ul>
<p class="brief jump"><a href="#failures">${more > 0 ? `${plural(more, 'more cause')}, and failures of each variant` : 'Failures of each variant'}</a></p>`;
}
