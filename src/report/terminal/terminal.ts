import type { Analysis } from '../../analysis/analysis.ts';
import type { Verdict } from '../../compare/gate/verdict.ts';
import { clipped, textWidth, wrapped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { count, plural } from '../../text/wording.ts';
import type { ReportSource } from '../reporter.ts';
import { indistinctVariants } from '../statements/latency-statement.ts';
import { completeness, isWhole, spendSentence } from '../statements/run-statement.ts';
import { byKind } from '../statements/statement.ts';
import { missingSentences } from '../statements/two-runs-statement.ts';
import { uncoveredSentences, verdictLinesOf, voidVerdictSentence } from '../statements/verdict-lines.ts';
import { verdictSentence } from '../statements/verdict-statement.ts';
import { loadWords, looksSentence, shardWords, sweepSteps, tookWords } from '../words/load-words.ts';
import { GAP, NARROWEST, type Paint, painter, printed, type TerminalOptions } from './paint.ts';
import { resultLines } from './result-lines.ts';
import { sweepTables } from './sweep-tables.ts';
import { variantTable } from './variant-table.ts';
import { failureLines, probeLines, warningLines, wholeWarning } from './warning-lines.ts';

export interface RunOptions extends TerminalOptions {
  readonly hasPage: boolean;
}

const MOST_INDISTINCT = 2;

/** Ends with a line feed. What is folded is in the reports. Control characters of hostile text are spelled out. */
export function renderTerminal(
  source: Pick<ReportSource, 'analysis' | 'samples' | 'comparisons' | 'verdict' | 'stability'>,
  options: RunOptions,
): string {
  const { analysis, verdict } = source;
  const width = Math.max(NARROWEST, options.width);
  const paint = painter(options);
  const blocks = [
    head(analysis, width, paint),
    resultLines(source, width, paint),
    [...variantTable(source, width, paint), ...legend(analysis, width, paint)],
    ...sweepTables(analysis, width, paint),
    indistinctLines(analysis, width, paint),
    probeLines(analysis, width, paint),
    failureLines(analysis, width, paint),
    warningLines(analysis, options.hasPage, width, paint),
    [
      ...verdictLines(verdict, analysis.variants, width, paint, MOST_RESULTS),
      ...voidVerdictLines(verdict, analysis, width, paint),
    ],
  ];
  return printed(blocks, options);
}

/** Ends with a line feed. @param variants of the run */
export function renderVerdict(verdict: Verdict, variants: Analysis['variants'], options: TerminalOptions): string {
  const lines = verdictLines(verdict, variants, Math.max(NARROWEST, options.width), painter(options));
  return printed([lines], options);
}

/** Limits a verdict among other blocks; `retake gate` prints all lines. */
const MOST_RESULTS = 10;

const VERDICT_STYLES = { pass: 'green', fail: 'red', inconclusive: 'yellow', none: 'dim' } as const;
const RESULT_STYLES = { pass: 'green', fail: 'red', inconclusive: 'yellow', not_applicable: 'dim' } as const;

/**
 * Control characters of hostile text are spelled out.
 *
 * @param variants of the run: those without a rule are named
 * @param most results that are listed; the report has the others
 */
function verdictLines(
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

/** Says that a gate on latencies was decided on numbers that must not be used. */
function voidVerdictLines(
  verdict: Verdict,
  { warnings }: Pick<Analysis, 'warnings'>,
  width: number,
  paint: Paint,
): readonly string[] {
  const sentence = voidVerdictSentence(verdict, warnings);
  return sentence === null ? [] : wrapped(`${sentence}.`, width).map((line) => paint('red', line));
}

function head(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const { run } = analysis;
  const split = shardWords(run);
  const spent = spendSentence(analysis);
  const title = clipped(visibleLine(run.suite), width - textWidth(run.id) - GAP.length);
  const label = run.label === null ? [] : wrapped(`Label: ${visibleLine(run.label)}.`, width);
  const sent =
    run.durationMs === null
      ? 'nothing was sent'
      : `${plural(run.requestsSent, 'request')} ${tookWords(run, run.durationMs)}`;
  const style = run.complete ? (isWhole(analysis) ? 'green' : 'yellow') : 'red';
  const status = wrapped(`${visibleLine(completeness(analysis))}; ${sent}.`, width);
  return [
    `${paint('bold', title)}${GAP}${paint('dim', run.id)}`,
    ...label,
    ...(split === null ? [] : wrapped(`${visibleLine(split)}.`, width)),
    ...status.map((line) => paint(style, line)),
    ...(spent === null ? [] : wrapped(`${visibleLine(spent)}.`, width)),
    ...(run.plan.load.mode === 'open' || sweepSteps(run.plan.load) !== null
      ? wrapped(`Load: ${loadWords(run.plan.load)}.`, width)
      : []),
    // A reader must know first that the numbers are not fit for use.
    ...analysis.warnings
      .filter(({ unfit }) => unfit === true)
      .flatMap((warning) => wholeWarning(warning, 'red', width, paint)),
  ];
}

function legend({ measures, run }: Analysis, width: number, paint: Paint): readonly string[] {
  if (measures.length === 0) return [];
  const from = run.plan.load.mode === 'open' ? 'p50 counts from when a call was due. ' : '';
  return wrapped(`${from}What the columns mean: retake run --help`, width).map((line) => paint('dim', line));
}

/** Medians that this machine may not tell apart, the first groups in full. */
function indistinctLines(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const sentences = byKind(analysis.variants).flatMap(([, variants]) => indistinctVariants(analysis, variants));
  const more = sentences.length - MOST_INDISTINCT;
  return [
    ...sentences.slice(0, MOST_INDISTINCT).flatMap((sentence) => wrapped(visibleLine(sentence), width)),
    ...(more > 0 ? [paint('dim', `${count(more)} more such groups of variants in the report`)] : []),
  ];
}
