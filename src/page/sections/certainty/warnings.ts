import {
  type Warning,
  type WarningKind,
  warningCount,
  warningKinds,
  warningWords,
} from '../../../analysis/warnings.ts';
import { count, plural, unbroken } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { section } from '../../markup/section.ts';

/** Warnings that make the numbers unfit stand at the top of the page, and are only counted here. */
export function warningsSection(warnings: readonly Warning[]): Markup | false {
  const others = warnings.filter(({ unfit }) => unfit !== true);
  const above = warnings.length - others.length;
  return (
    warnings.length > 0 &&
    section({
      anchor: 'warnings',
      title: 'What may distort the numbers',
      note: `${warningCount(warnings)}${above > 0 ? `, ${count(above)} of them at the top of this page` : ''}.`,
      content: html`<ul class="warnings folded">${warningKinds(others).map(alike)}</ul>`,
    })
  );
}

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

/** A warning that makes numbers unfit: what it says stands open. */
export function unfitItem(warning: Warning): Markup {
  return html`<li><strong>${unbroken(warningWords(warning).what)}</strong>
<details class="fold"><summary>Cause and remedy</summary>${causeAndRemedy(warning)}</details></li>`;
}

function causeAndRemedy(warning: Warning): Markup {
  const { cause, remedy } = warningWords(warning);
  return html`<dl><div><dt>Cause</dt><dd>${unbroken(cause)}</dd></div><div><dt>Remedy</dt><dd>${unbroken(remedy)}</dd></div></dl>`;
}
