import type { Analysis } from '../../analysis/analysis.ts';
import type { Verdict } from '../../analysis/gate/verdict.ts';
import { wrapped } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import type { ReportSource } from '../reporter.ts';
import { verdictSentence } from '../statements/gate-sentence.ts';
import { verdictLinesOf } from '../statements/verdict-lines.ts';
import { runVerdict } from '../words/gate-words.ts';
import { evidenceLines, gateLines, gateNotes, ruleLines } from './gate-lines.ts';
import { headLines } from './head-lines.ts';
import { NARROWEST, type Paint, painter, printed, type TerminalOptions, toneStyle } from './paint.ts';
import { factLines, headlineLines, scoreLines } from './result-lines.ts';
import { variantTable } from './variant-table.ts';
import { failureLines, probeLines, unfitLines, warningLines } from './warning-lines.ts';

export interface RunOptions extends TerminalOptions {
  readonly hasPage: boolean;
}

const COLUMNS = 'Columns: retake run --help';

/** Ends with a line feed. What is folded is in the reports. Control characters of hostile text are spelled out. */
export function renderTerminal(
  source: Pick<ReportSource, 'analysis' | 'samples' | 'comparisons' | 'verdict' | 'stability'>,
  options: RunOptions,
): string {
  const { analysis, verdict } = source;
  const width = Math.max(NARROWEST, options.width);
  const paint = painter(options);
  const { hasPage } = options;
  const blocks = [
    // A reader must know first that the numbers are not fit for use.
    [...headLines(analysis, verdict, width, paint), ...unfitLines(analysis, hasPage, width, paint)],
    [...headlineLines(source, width, paint), ...scoreLines(source, width, paint)],
    variantTable(source, width, paint),
    failureLines(analysis, width, paint),
    [
      ...factLines(source, width, paint),
      ...probeLines(analysis, width, paint),
      ...warningLines(analysis, { hasPage, hasPassed: verdict.verdict === 'pass' }, width, paint),
    ],
    [...gateLines(verdict, width, paint), ...noteLines(gateNotes(verdict, analysis), width, paint)],
  ];
  return printed(blocks, options);
}

/** Together with where the columns are explained, on as few lines as they fit. */
function noteLines(notes: readonly string[], width: number, paint: Paint): readonly string[] {
  const lines = wrapped(visibleLine([...notes.map((note) => `${note}.`), COLUMNS].join(' ')), width);
  return lines.map((line) => (line.endsWith(COLUMNS) ? line.slice(0, -COLUMNS.length) + paint('dim', COLUMNS) : line));
}

/** Ends with a line feed: each rule in a line, then the evidence of what failed or is undecided. */
export function renderVerdict(
  verdict: Verdict,
  analysis: Pick<Analysis, 'run' | 'variants'>,
  options: TerminalOptions,
): string {
  const width = Math.max(NARROWEST, options.width);
  const paint = painter(options);
  const evidence = evidenceLines(verdict, width);
  const blocks = [
    [
      ...wrapped(`${verdictSentence(verdict, analysis)}.`, width).map((line) =>
        paint(toneStyle(runVerdict(verdict).tone), line),
      ),
      ...ruleLines(verdictLinesOf(verdict.rules), width, paint),
      ...(evidence.length === 0 ? [] : ['Evidence:', ...evidence]),
      ...gateLines({ ...verdict, rules: [] }, width, paint),
      ...(verdict.verdict === 'none' ? [] : gateNotes(verdict, analysis)).flatMap((note) =>
        wrapped(visibleLine(`${note}.`), width),
      ),
    ],
  ];
  return printed(blocks, options);
}
