import type { Analysis } from '../analysis/analysis.ts';
import type { Verdict } from '../analysis/verdict.ts';
import { NARROWEST, painter, printed, type TerminalOptions } from './paint.ts';
import type { ReportSource } from './reporter.ts';
import { wholeGate } from './story/gate.ts';
import { terminalStory } from './story.ts';
import { blockLines } from './terminal/block-lines.ts';
import { headLines } from './terminal/head-lines.ts';
import { variantTable } from './terminal/variant-table.ts';

export interface RunOptions extends TerminalOptions {
  readonly hasPage: boolean;
}

/** Ends with a line feed. What is folded is in the reports. Control characters of hostile text are spelled out. */
export function renderTerminal(
  source: Pick<ReportSource, 'analysis' | 'samples' | 'comparisons' | 'verdict' | 'stability'>,
  options: RunOptions,
): string {
  const width = Math.max(NARROWEST, options.width);
  const paint = painter(options);
  const layout = { width, paint, hasPage: options.hasPage };
  const [first = [], ...others] = terminalStory(source, options.hasPage).map((blocks) =>
    blocks.flatMap((block) =>
      block.is === 'tables' ? variantTable(source, block.shown, width, paint) : blockLines(block, layout),
    ),
  );
  return printed([[...headLines(source.analysis, source.verdict, width, paint), ...first], ...others], options);
}

/** Ends with a line feed: each rule in a line, then the evidence of what failed or is undecided. */
export function renderVerdict(
  verdict: Verdict,
  analysis: Pick<Analysis, 'run' | 'variants'>,
  options: TerminalOptions,
): string {
  const layout = { width: Math.max(NARROWEST, options.width), paint: painter(options), hasPage: false };
  return printed([wholeGate(verdict, analysis).flatMap((block) => blockLines(block, layout))], options);
}
