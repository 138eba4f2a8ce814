import type { Warning } from '../../../../analysis/analysis.ts';
import { groupBy } from '../../../../analysis/grouping.ts';
import { plural } from '../../../../text/quantity.ts';
import { warningWords } from '../../../words/warnings/warning-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** What may have bent the numbers, each with cause and remedy; those that make them unfit stand at the top of the page. */
export function warningsSection(warnings: readonly Warning[]): Markup | false {
  const others = warnings.filter((warning) => warning.unfit !== true);
  return (
    others.length > 0 &&
    html`<section id="warnings" aria-labelledby="warnings-title">
<h3 id="warnings-title">${plural(others.length, 'warning')}</h3>
<ul class="warnings">${others.map(warningItem)}</ul>
</section>
`
  );
}

/** What may have bent the numbers, a line for each warning. */
export function warningLines(warnings: readonly Warning[]): Markup | false {
  const others = warnings.filter((warning) => warning.unfit !== true);
  return (
    others.length > 0 &&
    html`<section id="bent" aria-labelledby="bent-title">
<h3 id="bent-title">What may have bent the numbers</h3>
<ul class="brief">${[...groupBy(others, ({ code }) => code)].map(([, alike]) => linesOf(alike))}</ul>
<p class="brief"><a href="#warnings">Causes and remedies</a></p>
</section>
`
  );
}

/** Warnings of one code beyond this many are folded. */
const MOST_ALIKE = 3;

function linesOf(alike: readonly Warning[]): Markup {
  const items = alike.map((warning) => html`<li>${warningWords(warning).what}</li>`);
  // One more line takes no more room than the words that fold it.
  if (items.length <= MOST_ALIKE + 1) return html`${items}`;
  return html`${items.slice(0, MOST_ALIKE)}<li><details class="fold"><summary>${plural(items.length - MOST_ALIKE, 'more warning')} of this kind</summary><ul class="brief">${items.slice(MOST_ALIKE)}</ul></details></li>`;
}

/** A warning with its cause and remedy. */
export function warningItem(warning: Warning): Markup {
  const { what, cause, remedy } = warningWords(warning);
  return html`<li><strong>${what}</strong>
<dl><div><dt>Cause</dt><dd>${cause}</dd></div><div><dt>Remedy</dt><dd>${remedy}</dd></div></dl></li>`;
}
