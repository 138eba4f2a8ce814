import type { Analysis } from '../../analysis/analysis.ts';
import { groupBy } from '../../analysis/grouping.ts';
import { probeQuestions, probeStatement, QUESTION_NAMES } from '../../analysis/probes/probe-statement.ts';
import { type Warning, warningKinds, warningWords } from '../../analysis/warnings.ts';
import { variantNames } from '../../kit/names.ts';
import { clipped, textWidth, wrapped } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import { count, plural } from '../../kit/wording.ts';
import { type FailureCause, failureCauses } from '../statements/run-statement.ts';
import { GAP, type Paint } from './paint.ts';

function wholeWarning(warning: Warning, style: 'red' | 'yellow', width: number, paint: Paint): readonly string[] {
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

/** Warnings that void numbers, for the head. */
export function unfitLines(
  { warnings }: Pick<Analysis, 'warnings'>,
  hasPage: boolean,
  width: number,
  paint: Paint,
): readonly string[] {
  return warnings
    .filter(({ unfit }) => unfit === true)
    .flatMap((warning) =>
      hasPage ? briefLines(warning, '', 'red', width, paint) : wholeWarning(warning, 'red', width, paint),
    );
}

/** Kinds of warnings, those of the head included; more are counted. Where the gate passed, nobody has to act on them. */
const MOST_WARNINGS = 2;
const MOST_OF_PASSED = 1;
const MOST_LINES = 2;

/** What head, failures and probes say already. */
const SAID: ReadonlySet<Warning['code']> = new Set([
  'incomplete',
  'many_failures',
  'undecodable_outputs',
  'blank_outputs',
  'seed_ignored',
  'seed_unstable',
  'served_from_cache',
  'batch_dependent',
]);

/**
 * What was found, once for each code, the most serious first. Without a page, the first have their cause and remedy.
 */
export function warningLines(
  analysis: Analysis,
  { hasPage, hasPassed }: { readonly hasPage: boolean; readonly hasPassed: boolean },
  width: number,
  paint: Paint,
): readonly string[] {
  const { warnings, flagged } = analysis;
  const isSaid = ({ code }: Warning) => hasPage && SAID.has(code);
  const unfit = warnings.filter((warning) => warning.unfit === true).length;
  const kinds = warningKinds(warnings.filter((warning) => warning.unfit !== true && !isSaid(warning)));
  const most = hasPassed && hasPage ? MOST_OF_PASSED : MOST_WARNINGS;
  const shown = kinds.slice(0, Math.max(1, most - unfit));
  const others = kinds.length - shown.length;
  const agrees = flagged.length > 0 && flagged.every(({ agree }) => agree === true);
  return [
    ...shown.flatMap(([first, ...like], at) => {
      const more = [
        ...(like.length === 0 ? [] : [`+${count(like.length)} like it`]),
        ...(others > 0 && at === shown.length - 1 ? [`+${count(others)} more`] : []),
      ];
      const end = first.code === 'flagged_samples' && agrees ? '; p50 agrees without them' : '';
      return hasPage
        ? briefLines(first, end + (more.length === 0 ? '' : ` (${more.join(', ')})`), 'yellow', width, paint)
        : wholeWarning(first, 'yellow', width, paint);
    }),
    ...(hasPage || others === 0 ? [] : [paint('dim', `and ${plural(others, 'more kind')} of warnings`)]),
    ...(agrees || unfit > 0 ? [] : flaggedLine(flagged, width)),
  ];
}

/** One line where it fits, two at most: the report has the rest. */
function briefLines(
  warning: Warning,
  end: string,
  style: 'red' | 'yellow',
  width: number,
  paint: Paint,
): readonly string[] {
  const { brief, what } = warningWords(warning);
  const lines = markedLines(`${brief ?? what}${end}`, width);
  const kept = lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES - 1), clippedAt(lines, width)];
  return kept.map((line) => paint(style, line));
}

function clippedAt(lines: readonly string[], width: number): string {
  return clipped(`${lines[MOST_LINES - 1] ?? ''} ${(lines[MOST_LINES] ?? '').trimStart()}`, width);
}

/** How many medians are not the same without flagged takes, or cannot tell. */
function flaggedLine(flagged: Analysis['flagged'], width: number): readonly string[] {
  if (flagged.length === 0) return [];
  const said = (wanted: boolean | null) => flagged.filter(({ agree }) => agree === wanted).length;
  const noun = flagged.some(({ step }) => step !== null) ? 'step' : 'variant';
  const [differs, unknown] = [said(false), said(null)];
  const words = [
    ...(said(true) === 0 ? [] : [`agrees for ${count(said(true))}`]),
    ...(differs === 0 ? [] : [`does not agree for ${count(differs)}`]),
    ...(unknown === 0 ? [] : [`too few takes for ${count(unknown)}`]),
  ];
  return wrapped(`p50 without the flagged takes: ${words.join(', ')} of ${plural(flagged.length, noun)}.`, width);
}

const MOST_CAUSES = 5;

export function failureLines(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const causes = failureCauses(analysis);
  if (causes.length === 0) return [];
  const more = causes.length - MOST_CAUSES;
  return [
    ...causes.slice(0, MOST_CAUSES).flatMap((cause) => causeLines(cause, width, paint)),
    ...(more > 0 ? [paint('dim', `and ${plural(more, 'more cause')} in the report`)] : []),
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

const MOST_BAD = 4;

/** What probes found wrong, a line each, with its evidence; the rest in one. */
export function probeLines(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const all = analysis.variants.length;
  const found = probeQuestions(analysis).flatMap((question) =>
    analysis.probes.flatMap((probed) => {
      const statement = probeStatement(question, probed);
      return statement === null ? [] : [{ ...statement, question, variant: probed.variant }];
    }),
  );
  const whose = (answers: typeof found) =>
    visibleLine(
      variantNames(
        answers.map(({ variant }) => variant),
        all,
      ),
    );
  const bad = [
    ...groupBy(
      found.filter((answer) => answer.bad),
      ({ question, word, evidence }) => JSON.stringify([question, word, evidence]),
    ).values(),
  ];
  const good = [
    ...groupBy(
      found.filter((answer) => !answer.bad),
      ({ question, word }) => JSON.stringify([question, word]),
    ).values(),
  ];
  const told = good.flatMap((answers) => {
    const [first] = answers;
    if (first === undefined) return [];
    const who = answers.length === all ? '' : ` (${whose(answers)})`;
    return [`${QUESTION_NAMES[first.question]} ${first.word}${who}`];
  });
  const more = bad.length - MOST_BAD;
  return [
    ...bad.slice(0, MOST_BAD).flatMap((answers) => {
      const [first] = answers;
      if (first === undefined) return [];
      const evidence = first.evidence === '' ? '' : ` (${visibleLine(first.evidence)})`;
      const words = `! ${whose(answers)}, ${QUESTION_NAMES[first.question]}: ${first.word}${evidence}`;
      return wrapped(words, width).map((line) => paint('yellow', line));
    }),
    ...(more > 0 ? [paint('dim', `${plural(more, 'more answer')} of probes in the report`)] : []),
    ...(told.length === 0 ? [] : wrapped(`Probes: ${told.join('; ')}.`, width)),
  ];
}
