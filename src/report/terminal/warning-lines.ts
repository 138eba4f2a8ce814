import type { Analysis } from '../../analysis/analysis.ts';
import { groupBy } from '../../analysis/grouping.ts';
import type { Warning } from '../../analysis/warning-codes/coded-warning.ts';
import { textWidth, wrapped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { count, plural } from '../../text/wording.ts';
import { type FailureCause, failureCauses } from '../statements/run-statement.ts';
import { variantNames } from '../words/names.ts';
import { probeQuestions, probeStatement, QUESTION_NAMES } from '../words/probe-words.ts';
import { warningCount, warningKinds, warningWords } from '../words/warnings/warning-words.ts';
import { GAP, type Paint } from './paint.ts';

export function wholeWarning(
  warning: Warning,
  style: 'red' | 'yellow',
  width: number,
  paint: Paint,
): readonly string[] {
  const { what, cause, remedy } = warningWords(warning);
  const indented = (label: string, text: string): readonly string[] =>
    wrapped(`${label}: ${visibleLine(text)}`, width - GAP.length).map((line) => `${GAP}${line}`);
  return [
    ...markedLines(what, width).map((line) => paint(style, line)),
    ...indented('cause', cause),
    ...indented('remedy', remedy),
  ];
}

/** Lines after the first are further in, to tell the next warning from it. */
function markedLines(what: string, width: number): readonly string[] {
  return wrapped(visibleLine(what), width - GAP.length).map((line, at) => (at === 0 ? `! ${line}` : GAP + line));
}

/** Where a page has causes and remedies, only what was found, once for each code. */
export function warningLines(
  { warnings, flagged }: Pick<Analysis, 'warnings' | 'flagged'>,
  hasPage: boolean,
  width: number,
  paint: Paint,
): readonly string[] {
  const later = warnings.filter(({ unfit }) => unfit !== true);
  if (!hasPage) {
    return [
      ...later.flatMap((warning) => wholeWarning(warning, 'yellow', width, paint)),
      ...flaggedLine(flagged, width),
    ];
  }
  const lines = warningKinds(later).flatMap(([first, ...others]) => {
    const more = others.length === 0 ? '' : ` (+${count(others.length)} like it)`;
    return markedLines(`${warningWords(first).what}${more}`, width).map((line) => paint('yellow', line));
  });
  if (lines.length === 0) return flaggedLine(flagged, width);
  const inReport = `${warningCount(warnings)}: cause and remedy are in the report.`;
  return [...lines, ...flaggedLine(flagged, width), ...wrapped(inReport, width).map((line) => paint('dim', line))];
}

/** Whether each variant's median is the same without flagged takes. */
function flaggedLine(flagged: Analysis['flagged'], width: number): readonly string[] {
  if (flagged.length === 0) return [];
  const said = (wanted: boolean | null) => flagged.filter(({ agree }) => agree === wanted).length;
  const parts: readonly (readonly [number, string])[] = [
    [said(true), 'agrees'],
    [said(false), 'does not agree'],
    [said(null), 'has too few takes'],
  ];
  const noun = flagged.some(({ step }) => step !== null) ? 'step' : 'variant';
  const told = parts.flatMap(([found, words]) => (found === 0 ? [] : [`${words} for ${plural(found, noun)}`]));
  return wrapped(`p50 without the flagged takes: ${told.join(', ')}.`, width);
}

const MOST_CAUSES = 8;

export function failureLines(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const causes = failureCauses(analysis);
  if (causes.length === 0) return [];
  const more = causes.length - MOST_CAUSES;
  return [
    paint('bold', 'Failures'),
    ...causes.slice(0, MOST_CAUSES).flatMap((cause) => causeLines(cause, width, paint)),
    ...(more > 0 ? [paint('dim', `and ${plural(more, 'more cause')}`)] : []),
  ];
}

/** On one line where it fits. The message is not cut: it may name the remedy. */
function causeLines(cause: FailureCause, width: number, paint: Paint): readonly string[] {
  const { takes, outcome } = cause;
  const who = visibleLine(cause.who);
  const said = [cause.code, cause.wholeMessage]
    .map(visibleLine)
    .filter((part) => part !== '')
    .join(': ');
  const indent = GAP.repeat(2);
  const below = wrapped(said, width - indent.length).map((line) => indent + line);
  const plain = [who, takes, outcome].join(GAP);
  const head = [who, takes, paint('red', outcome)].join(GAP);
  if (textWidth(plain) > width)
    return [...wrapped(who, width), indent + [takes, paint('red', outcome)].join(GAP), ...below];
  return textWidth(plain + GAP + said) <= width ? [head + GAP + said] : [head, ...below];
}

const MOST_ANSWERS = 12;

/** Variants with the same answer share a line; of many lines, those that found something wrong come first. */
export function probeLines(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const questions = probeQuestions(analysis);
  const found = analysis.probes.flatMap((probed) =>
    questions.flatMap((question) => {
      const statement = probeStatement(question, probed);
      if (statement === null) return [];
      const { word, evidence, bad } = statement;
      const said = evidence === '' ? word : `${word} (${visibleLine(evidence)})`;
      return [{ bad, variant: probed.variant, answer: `${QUESTION_NAMES[question]}: ${said}` }];
    }),
  );
  const groups = [...groupBy(found, ({ answer }) => answer).values()];
  const answers = groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const names = group.map(({ variant }) => variant);
    const who = variantNames(names, analysis.variants.length);
    return [{ bad: first.bad, words: `${visibleLine(who)}, ${first.answer}` }];
  });
  if (answers.length === 0) return [];
  const ordered = answers.length <= MOST_ANSWERS ? answers : answers.toSorted((a, b) => Number(b.bad) - Number(a.bad));
  const more = answers.length - MOST_ANSWERS;
  return [
    paint('bold', 'Probes'),
    ...ordered.slice(0, MOST_ANSWERS).flatMap(({ bad, words }) => {
      const lines = wrapped(words, width);
      return bad ? lines.map((line) => paint('yellow', line)) : lines;
    }),
    ...(more > 0 ? [paint('dim', `${plural(more, 'more answer')} in the report`)] : []),
  ];
}
