import type { Analysis } from '../../../../analysis/analysis.ts';
import type { Warning } from '../../../../analysis/warning-codes/coded-warning.ts';
import { count, unbroken } from '../../../../text/wording.ts';
import { type WarningKind, warningCount, warningKinds, warningWords } from '../../../words/warnings/warning-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

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
