import type { Analysis } from '../../../analysis/analysis.ts';
import type { Verdict } from '../../../analysis/gate/verdict.ts';
import { warningWords } from '../../../analysis/warnings.ts';
import { incompleteRemedy, whyIncomplete } from '../../../analysis/words/why-incomplete.ts';
import { capital, count, listed, plural, unbroken } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { tallyOf } from '../../../report/statements/gate-sentence.ts';
import { type FailureCause, failureCauses, whatIsComplete } from '../../../report/statements/run-statement.ts';
import { missingSentences } from '../../../report/statements/two-runs-statement.ts';
import { isTold, type VerdictLine, verdictLinesOf } from '../../../report/statements/verdict-lines.ts';
import { anyDelivered } from '../../markup/scope.ts';
import type { Sheet } from '../../shown-outputs.ts';
import { unfitItem } from '../certainty/warnings.ts';
import { takeLink } from '../details/failures.ts';
import { worstEvidence } from './worst-evidence.ts';

/** What must be known before any number: it stands above the first images. Nothing where all is well. */
export function trouble(analysis: Analysis, verdict: Verdict, sheet: Sheet): Markup {
  const unfit = analysis.warnings.filter((warning) => warning.unfit === true);
  const nothing =
    !anyDelivered(analysis.variants) &&
    html`<p class="nothing">${analysis.run.requestsSent === 0 ? 'Nothing was sent' : 'No take was delivered'}: there is no latency, no output and nothing to compare.</p>`;
  return html`${incomplete(analysis)}${nothing}
${unfit.length > 0 && html`<ul class="warnings unfit">${unfit.map(unfitItem)}</ul>`}
${failedRules(verdict, analysis, sheet)}
${whatFailed(analysis, sheet)}`;
}

/** The same in a line each, for where there is little room: what distorts or stops the run, then rules, then failures. */
export function troubleLines(analysis: Analysis, verdict: Verdict, sheet: Sheet): readonly Markup[] {
  const { run, warnings } = analysis;
  return [
    ...(run.complete ? [] : [html`${capital(whatIsComplete(analysis))}.`]),
    ...warnings
      .filter((warning) => warning.unfit === true)
      .map((warning) => html`<span class="state bad">${capital(warningWords(warning).what)}.</span>`),
    ...verdictLinesOf(verdict.rules).filter(isTold).map(ruleLine),
    ...failureCauses(analysis).map((cause) => causeLine(cause, sheet)),
  ];
}

function incomplete(analysis: Analysis): Markup | false {
  const { complete, shards, stop } = analysis.run;
  if (complete) return false;
  // A run that ended without a variant has nothing to resume.
  const raised = stop?.reason === 'requests' || stop?.reason === 'usd' ? ` --set limits.${stop.reason}=N` : '';
  const command =
    shards === null &&
    stop?.reason !== 'finished' &&
    html` To resume it: <code>retake run --resume FOLDER${raised}</code>`;
  return html`<p id="incomplete" class="results"><span class="state bad">Incomplete</span> ${capital(whatIsComplete(analysis))}. ${capital(incompleteRemedy(whyIncomplete(analysis)))}.${command}</p>`;
}

/** More lines are folded, and what is undecided where a rule failed or takes are missing: images must find room. */
const MOST_LINES = 2;
const MOST_CAUSES = 2;

function failedRules(verdict: Verdict, analysis: Analysis, sheet: Sheet): Markup | false {
  const told = verdictLinesOf(verdict.rules).filter(isTold);
  return (
    told.length > 0 &&
    html`<h3 id="gate" class="quiet">Gate</h3>
${foldedList(told, verdict, (line) => ruleItem(line, analysis, sheet))}`
  );
}

/** The rules that passed or were not applied, and what no rule covers. @param uncovered sentences, without a full stop */
export function passedRules(verdict: Verdict, uncovered: readonly string[]): Markup | false {
  if (verdict.verdict === 'none') return false;
  const lines = verdictLinesOf(verdict.rules);
  const quiet = lines.filter((line) => !isTold(line));
  const sentences = [...missingSentences(verdict), ...uncovered];
  if (quiet.length === 0 && sentences.length === 0) return false;
  const { passedRules: passed } = tallyOf(verdict);
  const summary =
    passed > 0 ? `${plural(passed, 'rule')} passed` : quiet.length > 0 ? 'Passed in part' : 'What the gate leaves open';
  return html`<details class="fold passed"><summary>${summary}</summary><div${lines.every((line) => !isTold(line)) && html` id="gate"`}>${quiet.length > 0 && list(quiet, ruleLine)}
${sentences.length > 0 && html`<p class="note">${sentences.map((sentence) => `${sentence}.`).join(' ')}</p>`}</div></details>`;
}

function foldedList(
  lines: readonly VerdictLine[],
  { complete }: Pick<Verdict, 'complete'>,
  item: (line: VerdictLine) => Markup,
): Markup {
  const failed = lines.filter(({ verdict }) => verdict === 'fail');
  const first = failed.length > 0 || !complete ? failed : lines;
  const shown = first.slice(0, first.length === MOST_LINES + 1 ? first.length : MOST_LINES);
  const folded = lines.slice(shown.length);
  const more = rulesOf(folded.filter((line) => failed.includes(line)));
  const undecided = rulesOf(folded.filter(({ verdict }) => verdict === 'inconclusive'));
  const unfit = rulesOf(folded.filter(({ verdict }) => verdict === 'pass'));
  const isMore = shown.some((line) => !failed.includes(line));
  const summary = [
    ...(more > 0 ? [`${count(more)} more failed`] : []),
    ...(undecided > 0 ? [`${count(undecided)} ${isMore ? 'more ' : ''}undecided`] : []),
    ...(unfit > 0 ? [`${count(unfit)} passed on an unfit machine`] : []),
  ];
  return html`${shown.length > 0 && list(shown, item)}${
    folded.length > 0 &&
    html`<details class="fold"><summary>Gate: ${listed(summary)}</summary>${list(folded, item)}</details>`
  }`;
}

/** A rule may have several lines. */
function rulesOf(lines: readonly VerdictLine[]): number {
  return new Set(lines.map(({ worst }) => worst.index)).size;
}

function list(lines: readonly VerdictLine[], item: (line: VerdictLine) => Markup): Markup {
  return html`<ul class="results">${lines.map((line) => html`<li>${item(line)}</li>`)}</ul>`;
}

/** A rule that failed leads to what did worst by it. */
function ruleItem(line: VerdictLine, analysis: Analysis, sheet: Sheet): Markup {
  const worst = line.verdict === 'fail' ? worstEvidence(line.worst, analysis, sheet) : null;
  return html`${ruleLine(line)}${worst !== null && html` <a href="#${worst.anchor}">${worst.words}</a>`}`;
}

function ruleLine({ tone, word, subject, finding }: VerdictLine): Markup {
  return html`<span class="${tone === null ? 'state' : `state ${tone}`}">${word}</span> <strong>${subject}</strong>: ${unbroken(finding)}`;
}

function whatFailed(analysis: Pick<Analysis, 'failures' | 'variants'>, sheet: Sheet): Markup | false {
  const causes = failureCauses(analysis);
  if (causes.length === 0) return false;
  const shown = causes.slice(0, MOST_CAUSES);
  const more = causes.length - shown.length;
  return html`<h3 id="what-failed" class="quiet">What failed</h3>
<ul class="brief">${shown.map((cause) => html`<li>${causeLine(cause, sheet)}</li>`)}${more > 0 && html`<li><a href="#failures">${plural(more, 'more cause')}</a></li>`}</ul>`;
}

function causeLine({ who, takes, outcome, code, message, exampleTrial }: FailureCause, sheet: Sheet): Markup {
  return html`<strong>${who}</strong>: ${takeLink(exampleTrial, takes, sheet)}: ${outcome} (<code>${code}</code>)${message !== '' && html`, <q>${message}</q>`}`;
}
