import type { Verdict } from '../../../../compare/gate/verdict.ts';
import { plural, unbroken } from '../../../../text/wording.ts';
import { missingSentences } from '../../../statements/two-runs-statement.ts';
import { type VerdictLine, verdictLinesOf } from '../../../statements/verdict-lines.ts';
import { html, type Markup } from '../../markup/markup.ts';

const RESULT_CLASSES = {
  pass: 'state good',
  fail: 'state bad',
  inconclusive: 'state warn',
  not_applicable: 'state',
} as const;

/** More lines of results that pass are folded. */
const MOST_PASSING_LINES = 4;

/** What failed first; then those that pass are folded. */
export function gateResults(verdict: Verdict): Markup {
  const missing = missingSentences(verdict);
  const lines = verdictLinesOf(verdict.rules);
  const told = lines.filter((line) => line.verdict === 'fail' || line.verdict === 'inconclusive');
  const quiet = lines.filter((line) => !told.includes(line));
  const fold = quiet.length > MOST_PASSING_LINES || (told.length > 0 && quiet.length > 1);
  return html`<h3 id="gate" class="quiet">Gate</h3>
${told.length > 0 && list(told)}
${quiet.length > 0 && (fold ? html`<details class="fold"><summary>${plural(quiet.length, 'line')} of results that pass or are not applied</summary>${list(quiet)}</details>` : list(quiet))}
${missing.length > 0 && html`<p>${missing.map((sentence) => `${sentence}.`).join(' ')}</p>`}`;
}

function list(lines: readonly VerdictLine[]): Markup {
  return html`<ul class="results">${lines.map(
    ({ verdict, word, subject, finding }) =>
      html`<li><span class="${RESULT_CLASSES[verdict]}">${word}</span> <strong>${subject}</strong>: ${unbroken(finding)}</li>`,
  )}</ul>`;
}
