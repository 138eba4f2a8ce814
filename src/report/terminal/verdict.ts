import type { Analysis } from '../../analysis/analysis.ts';
import type { Verdict } from '../../compare/gate/verdict.ts';
import { textWidth, wrapped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { plural } from '../../text/wording.ts';
import { missingSentences } from '../statements/baseline-statement.ts';
import { uncoveredSentences } from '../statements/uncovered-statement.ts';
import { verdictLinesOf } from '../statements/verdict-lines.ts';
import { verdictSentence } from '../statements/verdict-statement.ts';
import { looksSentence } from '../words/outputs/look-words.ts';
import { inCharactersOf } from './characters.ts';
import { GAP, NARROWEST, type Paint, painter, type TerminalOptions } from './paint.ts';

const VERDICT_STYLES = { pass: 'green', fail: 'red', inconclusive: 'yellow', none: 'dim' } as const;
const RESULT_STYLES = { pass: 'green', fail: 'red', inconclusive: 'yellow', not_applicable: 'dim' } as const;

/** Ends with a line feed. @param variants of the run */
export function renderVerdict(verdict: Verdict, variants: Analysis['variants'], options: TerminalOptions): string {
  const lines = verdictLines(verdict, variants, Math.max(NARROWEST, options.width), painter(options));
  return inCharactersOf(`${lines.map((line) => line.trimEnd()).join('\n')}\n`, options);
}

/**
 * Control characters of hostile text are spelled out.
 *
 * @param variants of the run: those without a rule are named
 * @param most results that are listed; the report has the others
 */
export function verdictLines(
  verdict: Verdict,
  variants: Analysis['variants'],
  width: number,
  paint: Paint,
  most = Infinity,
): readonly string[] {
  const head = wrapped(`${verdictSentence(verdict)}.`, width).map((line) =>
    paint(VERDICT_STYLES[verdict.verdict], line),
  );
  const looks = looksSentence(verdict);
  const results = verdictLinesOf(verdict.rules);
  return [
    ...head,
    ...(looks === null ? [] : wrapped(`${looks}.`, width)),
    ...results.slice(0, most).flatMap(({ verdict: found, word, subject, finding }) => {
      const [first = '', ...rest] = wrapped(
        visibleLine(`${subject}: ${finding}`),
        width - textWidth(word) - GAP.length,
      );
      const indent = ' '.repeat(textWidth(word) + GAP.length);
      return [`${paint(RESULT_STYLES[found], word)}${GAP}${first}`, ...rest.map((line) => indent + line)];
    }),
    ...(results.length > most ? [paint('dim', `${plural(results.length - most, 'more result')} in the report`)] : []),
    ...uncoveredSentences(verdict, variants).flatMap((sentence) => wrapped(visibleLine(`${sentence}.`), width)),
    ...missingSentences(verdict).flatMap((sentence) => wrapped(visibleLine(`${sentence}.`), width)),
  ];
}
