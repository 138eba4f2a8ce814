import type { Analysis } from '../../../../analysis/analysis.ts';
import type { Warning } from '../../../../analysis/warning-codes/coded-warning.ts';
import { count, plural, unbroken } from '../../../../text/wording.ts';
import { type WarningKind, warningCount, warningKinds, warningWords } from '../../../words/warnings/warning-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** Warnings that make the numbers unfit stand at the top of the page, and are only counted here. */
export function warningsSection(warnings: readonly Warning[]): Markup | false {
  const others = warnings.filter(({ unfit }) => unfit !== true);
  const above = warnings.length - others.length;
  return (
    warnings.length > 0 &&
    html`<section id="warnings" aria-labelledby="warnings-title">
<h3 id="warnings-title">What may distort the numbers</h3>
<p class="note">${warningCount(warnings)}${above > 0 && `, ${count(above)} of them at the top of this page`}.</p>
<ul class="warnings folded">${warningKinds(others).map(alike)}</ul>
</section>
`
  );
}

/** More warnings of one code are folded. */
const MOST_ALIKE = 3;

function alike(warnings: WarningKind): Markup {
  const items = warnings.map(foldedItem);
  // One more line takes no more room than the words that fold it.
  if (items.length <= MOST_ALIKE + 1) return html`${items}`;
  return html`${items.slice(0, MOST_ALIKE)}<li class="more"><details class="fold"><summary>${plural(items.length - MOST_ALIKE, 'more warning')} of this kind</summary><ul class="warnings folded">${items.slice(MOST_ALIKE)}</ul></details></li>`;
}

function foldedItem(warning: Warning): Markup {
  return html`<li><details><summary>${unbroken(warningWords(warning).what)}</summary>${causeAndRemedy(warning)}</details></li>`;
}

export function warningItem(warning: Warning): Markup {
  return html`<li><strong>${unbroken(warningWords(warning).what)}</strong>
${causeAndRemedy(warning)}</li>`;
}

function causeAndRemedy(warning: Warning): Markup {
  const { cause, remedy } = warningWords(warning);
  return html`<dl><div><dt>Cause</dt><dd>${unbroken(cause)}</dd></div><div><dt>Remedy</dt><dd>${unbroken(remedy)}</dd></div></dl>`;
}

/** Further lines are left to the whole list. */
const MOST_LINES = 6;

/** This part of the page has already said why the run is incomplete and what failed. */
const SAID: ReadonlySet<Warning['code']> = new Set(['incomplete', 'many_failures', 'undecodable_outputs']);

/** Each kind has its remedy: none hides behind a number. Warnings that void the run stand above. */
export function warningsInShort({ warnings }: Pick<Analysis, 'warnings'>): Markup | false {
  const kinds = warningKinds(warnings.filter(({ unfit, code }) => unfit !== true && !SAID.has(code)));
  if (kinds.length === 0) return false;
  const shown = kinds.length === MOST_LINES + 1 ? kinds : kinds.slice(0, MOST_LINES);
  return html`<h3>Warnings</h3>
<ul class="brief">${shown.map(line)}</ul>
<p class="brief jump"><a href="#warnings">${warnings.length > 1 && 'All '}${warningCount(warnings)}, with cause and remedy</a></p>`;
}

function line([first, ...others]: WarningKind): Markup {
  const { what, remedy } = warningWords(first);
  return html`<li>${unbroken(what)}${others.length > 0 && ` (and ${count(others.length)} more like it)`}<small>${unbroken(remedy)}</small></li>`;
}
