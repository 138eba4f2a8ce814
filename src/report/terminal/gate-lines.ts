import type { Analysis } from '../../analysis/analysis.ts';
import type { RuleResult, Verdict } from '../../analysis/gate/verdict.ts';
import { padded, textWidth, wrapped } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import { count, plural, unbroken } from '../../kit/wording.ts';
import { verdictSentence } from '../statements/gate-sentence.ts';
import { missingSentences } from '../statements/two-runs-statement.ts';
import { isTold, uncoveredSentences, type VerdictLine, verdictLinesOf } from '../statements/verdict-lines.ts';
import { resultsByGravity, ruleFinding, ruleSubject } from '../statements/verdict-statement.ts';
import { looksSentence } from '../words/load-words.ts';
import { GAP, type Paint, toneStyle } from './paint.ts';

/** Below the rule's word where a line is broken. */
const INDENT = '      ';

/** Lines of rules that failed or are undecided; fewer of a run that is not complete, whose gate decides nothing. */
const MOST_TOLD = 8;
const MOST_OF_INCOMPLETE = 3;

/** Lines of rules in all, if fewer need to be told; more that pass are counted. */
const MOST_RULES = 6;
const FEWEST_PASSED = 2;

/** The gate at the end of a run: what failed first, a line for each rule; then what limits the verdict. */
export function gateLines(verdict: Verdict, width: number, paint: Paint): readonly string[] {
  const looks = looksSentence(verdict);
  return [
    ...someRuleLines(verdict, width, paint),
    ...(looks === null ? [] : wrapped(`${looks}.`, width)),
    ...missingSentences(verdict).flatMap((sentence) => wrapped(visibleLine(`${sentence}.`), width)),
  ];
}

function someRuleLines({ rules, complete }: Verdict, width: number, paint: Paint): readonly string[] {
  const lines = verdictLinesOf(rules);
  const told = lines.filter(isTold);
  const quiet = lines.filter((line) => !told.includes(line));
  const shown = told.slice(0, complete ? MOST_TOLD : MOST_OF_INCOMPLETE);
  const passed = complete ? quiet.slice(0, Math.max(FEWEST_PASSED, MOST_RULES - shown.length)) : [];
  const more = [
    ...(told.length > shown.length ? [`${plural(told.length - shown.length, 'more line')} not passed`] : []),
    ...(quiet.length > passed.length ? [`${count(quiet.length - passed.length)} more that pass`] : []),
  ];
  return [
    ...ruleLines([...shown, ...passed], width, paint),
    ...(more.length === 0 ? [] : [paint('dim', `Not shown: ${more.join(', ')}`)]),
  ];
}

/** What no rule covers, or that there is none: without a full stop. */
export function gateNotes(verdict: Verdict, analysis: Pick<Analysis, 'run' | 'variants'>): readonly string[] {
  return verdict.verdict === 'none'
    ? [verdictSentence(verdict, analysis)]
    : uncoveredSentences(verdict, analysis.variants);
}

/** All that failed or is undecided with its evidence, for who asks for the gate alone. */
export function evidenceLines({ rules }: Pick<Verdict, 'rules'>, width: number): readonly string[] {
  return resultsByGravity(rules)
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive')
    .flatMap((result) => wrapped(visibleLine(evidenceOf(result)), width - GAP.length))
    .map((line) => GAP + line);
}

function evidenceOf(result: RuleResult): string {
  return `${ruleSubject(result)}: ${ruleFinding(result)}`;
}

/** Subjects and findings below each other where each fits in its line. */
export function ruleLines(lines: readonly VerdictLine[], width: number, paint: Paint): readonly string[] {
  const seen = lines.map((line) => ({
    ...line,
    subject: visibleLine(line.subject),
    finding: visibleLine(line.finding),
  }));
  const words = Math.max(0, ...seen.map(({ word }) => textWidth(word)));
  const subjects = Math.max(0, ...seen.map(({ subject }) => textWidth(subject)));
  const inColumns = seen.map(({ word, subject, finding }) => ({
    start: padded(word, words),
    rest: `${padded(subject, subjects)}${GAP}${finding}`,
  }));
  const fits = inColumns.every(({ start, rest }) => textWidth(start + GAP + rest) <= width);
  return seen.flatMap(({ tone, word, subject, finding }, at) => {
    const { start = word, rest = '' } = inColumns[at] ?? {};
    if (fits) return [paint(toneStyle(tone), word) + start.slice(word.length) + GAP + rest];
    // Its word is painted after the line is broken.
    const [first = '', ...others] = wrapped(unbroken(`${subject}: ${finding}`), width - textWidth(word) - GAP.length);
    const more = others.length === 0 ? [] : wrapped(others.join(' '), width - INDENT.length);
    return [paint(toneStyle(tone), word) + GAP + first, ...more.map((line) => INDENT + line)];
  });
}
