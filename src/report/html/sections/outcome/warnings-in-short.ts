import type { Analysis, Warning } from '../../../../analysis/analysis.ts';
import { groupBy } from '../../../../analysis/grouping.ts';
import { count, plural } from '../../../../text/quantity.ts';
import { unbroken } from '../../../../text/unbroken.ts';
import { warningWords } from '../../../words/warnings/warning-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** Lines beyond this many are only counted here. */
const MOST_LINES = 6;

/** What this part of the page has said already: why the run is incomplete, and what failed. */
const SAID: ReadonlySet<Warning['code']> = new Set(['incomplete', 'many_failures', 'undecodable_outputs']);

/** The warnings in short, each kind of them with what to do about it, so that none hides behind a number. Those that void the run stand above. */
export function warningsInShort(analysis: Pick<Analysis, 'warnings'>): Markup | false {
  const kinds = warningKinds(analysis);
  if (kinds.length === 0) return false;
  const shown = kinds.length === MOST_LINES + 1 ? kinds : kinds.slice(0, MOST_LINES);
  const more = kinds.length - shown.length;
  return html`<h3>Warnings</h3>
<ul class="brief">${shown.map(line)}</ul>
<p class="brief jump"><a href="#warnings">${more > 0 ? `${plural(more, 'more kind')} of warnings, and all` : 'All'} causes and remedies</a></p>`;
}

/** The warnings by what they say, without those that void the run and those that stand elsewhere among what came out. */
export function warningKinds({ warnings }: Pick<Analysis, 'warnings'>): readonly (readonly Warning[])[] {
  const others = warnings.filter(({ unfit, code }) => unfit !== true && !SAID.has(code));
  return [...groupBy(others, ({ code }) => code).values()];
}

function line([first, ...others]: readonly Warning[]): Markup | false {
  if (first === undefined) return false;
  const { what, remedy } = warningWords(first);
  return html`<li>${unbroken(what)}${others.length > 0 && ` (and ${count(others.length)} more like it)`}<small>${unbroken(remedy)}</small></li>`;
}
