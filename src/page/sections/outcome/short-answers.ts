import type { Analysis } from '../../../analysis/analysis.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import type { Warning } from '../../../analysis/warning.ts';
import { needsKeptOutputs } from '../../../gate/rule-case.ts';
import type { RunQuestion } from '../../../gate/verdict.ts';
import { plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import type { AnsweredRun } from '../../../report/reporter.ts';
import { answersByKind } from '../../../report/run-answer.ts';
import { lostWords } from '../../../report/run-statement.ts';
import { isItSure, isItTheSame, type ShortAnswer } from '../../../report/short-answers.ts';

/** Questions whose answer is a speed. */
const OF_SPEED: ReadonlySet<RunQuestion> = new Set(['worth', 'load', 'alone', 'slower']);

/** What failed, each with its evidence, and what of it the list says. */
interface WrongList {
  readonly list: Markup;
  readonly areCausesSaid: boolean;
}

/**
 * Three questions that a reader has of variants of one kind, a line each.
 *
 * @param wrong of these variants alone: it is the answer to the last; null counts what failed
 */
export function shortAnswers(
  { analysis, comparisons, verdict }: AnsweredRun,
  variants: readonly VariantSummary[],
  wrong: WrongList | null,
): Markup {
  const asked = answersByKind({ analysis, comparisons, verdict }).find(({ kind }) => kind === variants[0]?.kind);
  const isOfSpeed = asked === undefined || OF_SPEED.has(asked.question);
  // A stored baseline asks whether outputs are the same as in another run.
  const isBeside = verdict.rules.some(({ rule }) => needsKeptOutputs(rule));
  const answers = [
    [isOfSpeed ? 'Sure?' : 'Sure of the speed?', answer(isItSure(analysis, comparisons, variants))],
    [isBeside ? 'Same again within this run?' : 'Same again?', answer(isItTheSame(analysis, variants))],
    ['What went wrong?', whatIsWrong(analysis, variants, wrong)],
  ] as const;
  return html`<dl class="short">${answers.map(([question, words]) => html`<div><dt>${question}</dt> <dd>${words}</dd></div>`)}</dl>
`;
}

function answer({ words, tone }: ShortAnswer): Markup {
  return tone === null ? html`${words}` : html`<span class="${`state ${tone}`}">${words}</span>`;
}

/** What a box above or the headline says is not said again. */
function whatIsWrong(analysis: Analysis, variants: readonly VariantSummary[], wrong: WrongList | null): Markup {
  const { failures } = analysis;
  const names = new Set(variants.map(({ name }) => name));
  const warnings = analysis.warnings.filter((warning) => concernsAny(warning, names));
  const ofVariants = failures.filter(({ variant }) => names.has(variant));
  const lost = lostWords({ failures: ofVariants, variants: [] }, 'request').join(', ');
  const isBoxed = warnings.some(({ unfit }) => unfit !== undefined);
  const told = isBoxed ? null : tellingWarnings(warnings, lost !== '');
  const elsewhere = analysis.warnings.length - warnings.length;
  const parts = [
    ...(lost === '' || wrong?.areCausesSaid === true ? [] : [html`<a class="bad" href="#failures">${lost}</a>`]),
    ...(told === null ? [] : [html`<a class="warn" href="#warnings">${told}</a>`]),
  ];
  const others =
    elsewhere === 0
      ? false
      : html`; <a class="warn" href="#warnings">${plural(elsewhere, 'warning')} in other tabs</a>`;
  if (lost === '' && parts.length === 0)
    return html`${elsewhere === 0 && !isBoxed ? 'Nothing: no' : 'No'} request failed or was blocked${others}${wrong?.list ?? ''}`;
  return html`${parts.map((part, at) => html`${at > 0 && '; '}${part}`)}${others}${wrong?.list ?? ''}`;
}

/** One that nothing else says, that of the machine before others: `6 warnings, among them: ...`; null without one. */
function tellingWarnings(all: readonly Warning[], areLostCounted: boolean): string | null {
  // Late stamps say of the machine what follows from it.
  const isLate = all.some(({ code }) => code === 'too_many_late_stamps');
  const isSaid = ({ code, unfit }: Warning) =>
    unfit !== undefined || (areLostCounted && OF_FAILURES.has(code)) || (isLate && code === 'unfit_machine');
  const [first] = all
    .filter((warning) => !isSaid(warning))
    .toSorted((a, b) => Number(b.code === 'unfit_machine') - Number(a.code === 'unfit_machine'));
  if (first === undefined) return null;
  const words = first.brief ?? first.what;
  return all.length > 1 ? `${plural(all.length, 'warning')}, among them: ${words}` : words;
}

const OF_FAILURES: ReadonlySet<Warning['code']> = new Set(['many_failures', 'missing_pairs']);

/** Also what is about the whole run. */
function concernsAny({ variants }: Warning, names: ReadonlySet<string>): boolean {
  return variants.length === 0 || variants.some((variant) => names.has(variant));
}
