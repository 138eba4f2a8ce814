import type { Analysis } from '../../analysis/analysis.ts';
import type { Verdict } from '../../compare/gate/verdict.ts';
import { clipped, textWidth, wrapped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { count, plural } from '../../text/wording.ts';
import type { ReportSource } from '../reporter.ts';
import { indistinctVariants } from '../statements/noise-floor.ts';
import { spendSentence } from '../statements/spend-statement.ts';
import { byKind, completeness, isWhole } from '../statements/statement.ts';
import { voidVerdictSentence } from '../statements/void-verdict-statement.ts';
import { loadWords, sweepSteps } from '../words/run/load-words.ts';
import { shardWords, tookWords } from '../words/run/shard-words.ts';
import { inCharactersOf } from './characters.ts';
import { failureLines } from './failure-lines.ts';
import { GAP, NARROWEST, type Paint, painter, type TerminalOptions } from './paint.ts';
import { probeLines } from './probe-lines.ts';
import { resultLines } from './result-lines.ts';
import { stepRows } from './terminal-cells.ts';
import { tablesLines } from './terminal-table.ts';
import { variantTable } from './variant-table.ts';
import { verdictLines } from './verdict.ts';
import { warningLines, wholeWarning } from './warning-lines.ts';

export interface RunOptions extends TerminalOptions {
  readonly hasPage: boolean;
}

const MOST_SWEPT = 4;
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
    ...sweepBlocks(analysis, width, paint),
    indistinctLines(analysis, width, paint),
    probeLines(analysis, width, paint),
    failureLines(analysis, width, paint),
    warningLines(analysis, options.hasPage, width, paint),
    [
      ...verdictLines(verdict, analysis.variants, width, paint, MOST_RESULTS),
      ...voidVerdictLines(verdict, analysis, width, paint),
    ],
  ].filter((lines) => lines.length > 0);
  return inCharactersOf(
    `${blocks.map((lines) => lines.map((line) => line.trimEnd()).join('\n')).join('\n\n')}\n`,
    options,
  );
}

/** Limits a verdict among other blocks; `retake gate` prints all lines. */
const MOST_RESULTS = 10;

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

/** A table for each variant of a sweep, a row for each concurrency, all in one layout. */
function sweepBlocks(analysis: Analysis, width: number, paint: Paint): readonly (readonly string[])[] {
  const steps = sweepSteps(analysis.run.plan.load);
  if (steps === null) return [];
  const swept = byKind(analysis.variants)
    .flatMap(([, variants]) => variants)
    .slice(0, MOST_SWEPT);
  const tables = swept.map((variant) => ({
    title: clipped(visibleLine(variant.name), width),
    ...stepRows(variant, steps, analysis),
  }));
  const more = analysis.variants.length - MOST_SWEPT;
  return [
    ...tablesLines(tables, width, paint),
    ...(more > 0 ? [[paint('dim', `${plural(more, 'more variant')} in the report`)]] : []),
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
