import type { Analysis } from '../analysis/analysis.ts';
import type { Verdict } from '../analysis/verdict.ts';
import { tellingApart } from '../kit/names.ts';
import { textWidth, wrapped } from '../kit/text-width.ts';
import { visibleLine } from '../kit/visible.ts';
import { count, plural } from '../kit/wording.ts';
import { runVerdict } from './gate-words.ts';
import { shardWords, tookWords } from './load-words.ts';
import { GAP, NARROWEST, type Paint, painter, printed, type TerminalOptions, toneStyle } from './paint.ts';
import type { ReportSource } from './reporter.ts';
import { droppedStarts, isWhole, undelivered } from './run-statement.ts';
import { wholeGate } from './story/gate.ts';
import { terminalStory } from './story.ts';
import { blockLines } from './terminal/block-lines.ts';
import { variantTable } from './terminal/variant-table.ts';

interface RunOptions extends TerminalOptions {
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

/** Suite and verdict, what was sent, and what of it failed. */
function headLines(
  analysis: Analysis,
  verdict: Pick<Verdict, 'verdict' | 'complete'>,
  width: number,
  paint: Paint,
): readonly string[] {
  const { run } = analysis;
  const told = tellingApart(run);
  const name = visibleLine(told === null ? run.suite : `${run.suite} (${told})`);
  const state = runVerdict(verdict);
  const word = state.tone === null ? [] : [state.words.toUpperCase()];
  const said = visibleLine(sentWords(analysis));
  const title = [paint('bold', name), ...word.map((each) => paint(toneStyle(state.tone), each))].join(GAP);
  const plain = [name, ...word].join(GAP);
  const sent = isWhole(analysis) || !run.complete ? (line: string) => line : (line: string) => paint('yellow', line);
  return textWidth(plain + GAP + said) <= width
    ? [title + GAP + sent(said)]
    : [...(textWidth(plain) <= width ? [title] : wrapped(plain, width)), ...wrapped(said, width).map(sent)];
}

/** `299 requests in 2 min 26 s; none failed, none blocked`. */
function sentWords(analysis: Analysis): string {
  const { run, variants } = analysis;
  const split = shardWords(run);
  const parts = split === null ? '' : `; ${split.charAt(0).toLowerCase()}${split.slice(1)}`;
  if (run.durationMs === null) return `nothing was sent${parts}`;
  const { failed, blocked } = undelivered(analysis.failures);
  const dropped = droppedStarts(variants);
  const of = (takes: number, what: string) => `${takes === 0 ? 'none' : count(takes)} ${what}`;
  const lost = [
    of(failed, 'failed'),
    of(blocked, 'blocked'),
    ...(dropped === 0 ? [] : [of(dropped, 'dropped (never sent)')]),
  ];
  return `${plural(run.requestsSent, 'request')} ${tookWords(run, run.durationMs)}; ${lost.join(', ')}${parts}`;
}
