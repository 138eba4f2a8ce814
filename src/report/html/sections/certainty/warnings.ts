import type { Warning } from '../../../../analysis/analysis.ts';
import { groupBy } from '../../../../analysis/grouping.ts';
import { plural } from '../../../../text/quantity.ts';
import { unbroken } from '../../../../text/unbroken.ts';
import { warningWords } from '../../../words/warnings/warning-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** What may distort the numbers, each with cause and remedy below it; those that make them unfit stand at the top of the page. */
export function warningsSection(warnings: readonly Warning[]): Markup | false {
  const others = warnings.filter((warning) => warning.unfit !== true);
  return (
    others.length > 0 &&
    html`<section id="warnings" aria-labelledby="warnings-title">
<h3 id="warnings-title">What may distort the numbers</h3>
<ul class="warnings folded">${[...groupBy(others, ({ code }) => code).values()].map(alike)}</ul>
</section>
`
  );
}

/** Warnings of one code beyond this many are folded. */
const MOST_ALIKE = 3;

function alike(warnings: readonly Warning[]): Markup {
  const items = warnings.map(foldedItem);
  // One more line takes no more room than the words that fold it.
  if (items.length <= MOST_ALIKE + 1) return html`${items}`;
  return html`${items.slice(0, MOST_ALIKE)}<li class="more"><details class="fold"><summary>${plural(items.length - MOST_ALIKE, 'more warning')} of this kind</summary><ul class="warnings folded">${items.slice(MOST_ALIKE)}</ul></details></li>`;
}

function foldedItem(warning: Warning): Markup {
  return html`<li><details><summary>${unbroken(warningWords(warning).what)}</summary>${causeAndRemedy(warning)}</details></li>`;
}

/** A warning with its cause and remedy. */
export function warningItem(warning: Warning): Markup {
  return html`<li><strong>${unbroken(warningWords(warning).what)}</strong>
${causeAndRemedy(warning)}</li>`;
}

function causeAndRemedy(warning: Warning): Markup {
  const { cause, remedy } = warningWords(warning);
  return html`<dl><div><dt>Cause</dt><dd>${unbroken(cause)}</dd></div><div><dt>Remedy</dt><dd>${unbroken(remedy)}</dd></div></dl>`;
}
