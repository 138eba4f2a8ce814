import type { Analysis } from '../../analysis/analysis.ts';
import type { Warning } from '../../analysis/warning-codes/coded-warning.ts';
import { wrapped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { count, plural } from '../../text/wording.ts';
import { warningCount, warningKinds } from '../statements/warning-kinds.ts';
import { warningWords } from '../words/warnings/warning-words.ts';
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
