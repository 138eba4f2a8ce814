import type { Analysis, FailureGroup, MedianLatency, VariantSummary, Warning } from '../../analysis/analysis.ts';
import { headlineLatency } from '../../analysis/samples/headline.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { count, duration, durationInterval, plural } from '../../text/quantity.ts';
import { clipped, padded, textWidth, wrapped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import type { ReportSource } from '../reporter.ts';
import { headlineComparisons, latencySentence, tellsApart } from '../statements/comparison-statement.ts';
import { indistinctVariants } from '../statements/noise-floor.ts';
import { spendSentence } from '../statements/spend-statement.ts';
import { byKind, completeness } from '../statements/statement.ts';
import { failureMessage } from '../words/decode-reason.ts';
import { KIND_NAMES } from '../words/kind-name.ts';
import { loadWords, sweepSteps } from '../words/load-words.ts';
import { probeQuestions, probeStatement } from '../words/probe-words.ts';
import { shardWords, tookWords } from '../words/shard-words.ts';
import { warningWords } from '../words/warnings/warning-words.ts';
import { GAP, NARROWEST, type Paint, painter, type TerminalOptions } from './paint.ts';
import { stepRows, variantRows } from './terminal-cells.ts';
import { tableLines } from './terminal-table.ts';
import { verdictLines } from './verdict.ts';

const MOST_FAILURES = 8;
const WIDEST_FAILED_NAME = 20;

/**
 * A run in short, ending with a line feed: a table for each kind, failures, warnings with cause and remedy. Text that
 * came from others has its control characters spelled out.
 */
export function renderTerminal(
  { analysis, comparisons, verdict }: Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict'>,
  options: TerminalOptions,
): string {
  const width = Math.max(NARROWEST, options.width);
  const paint = painter(options);
  const blocks = [head(analysis, width, paint), ...comparisonBlocks(comparisons, analysis, width, paint)];
  for (const [kind, variants] of byKind(analysis.variants)) {
    const { heads, rows } = variantRows(variants, analysis);
    blocks.push(
      tableLines(KIND_NAMES[kind], heads, rows, width, paint),
      ...sweepBlocks(variants, analysis, width, paint),
      ...indistinctVariants(analysis, variants).map((sentence) => wrapped(visibleLine(sentence), width)),
    );
  }
  if (analysis.measures.length > 0) blocks.push(legend(analysis, width, paint));
  if (probeQuestions(analysis).length > 0) blocks.push(probeLines(analysis, width, paint));
  if (analysis.flagged.length > 0) blocks.push(flaggedLines(analysis, width, paint));
  if (analysis.failures.length > 0) blocks.push(failures(analysis, width, paint));
  const later = analysis.warnings.filter(({ unfit }) => unfit !== true);
  if (later.length > 0) blocks.push(later.flatMap((warning) => warningLines(warning, width, paint)));
  blocks.push(verdictLines(verdict, width, paint));
  return `${blocks.map((lines) => lines.map((line) => line.trimEnd()).join('\n')).join('\n\n')}\n`;
}

function head(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const { run } = analysis;
  const split = shardWords(run);
  const spent = spendSentence(analysis);
  const title = clipped(visibleLine(run.suite), width - textWidth(run.id) - GAP.length);
  const sent =
    run.durationMs === null
      ? 'nothing was sent'
      : `${plural(run.requestsSent, 'request')} ${tookWords(run, run.durationMs)}`;
  const status = wrapped(`${visibleLine(completeness(analysis))}; ${sent}.`, width);
  return [
    `${paint('bold', title)}${GAP}${paint('dim', run.id)}`,
    ...(split === null ? [] : wrapped(`${visibleLine(split)}.`, width)),
    ...status.map((line) => paint(run.complete ? 'green' : 'red', line)),
    ...(spent === null ? [] : wrapped(`${visibleLine(spent)}.`, width)),
    ...(run.plan.load.mode === 'open' || sweepSteps(run.plan.load) !== null
      ? wrapped(`Load: ${loadWords(run.plan.load)}.`, width)
      : []),
    // Nobody should read on before knowing that the numbers are not fit for use.
    ...analysis.warnings
      .filter(({ unfit }) => unfit === true)
      .flatMap((warning) => warningLines(warning, width, paint)),
  ];
}

/** What was compared, said first: a sentence for each variant against the baseline variant of its kind. */
function comparisonBlocks(
  comparisons: readonly Comparison[],
  { run }: Analysis,
  width: number,
  paint: Paint,
): readonly (readonly string[])[] {
  const headlines = headlineComparisons(comparisons, run.plan.load);
  if (headlines.length === 0) return [];
  return [
    headlines.flatMap((comparison) => {
      const lines = wrapped(visibleLine(`${latencySentence(comparison)}.`), width);
      return tellsApart(comparison) ? lines.map((line) => paint('bold', line)) : lines;
    }),
  ];
}

/** Of a sweep, a table for each variant: what it does at each concurrency. */
function sweepBlocks(
  variants: readonly VariantSummary[],
  analysis: Analysis,
  width: number,
  paint: Paint,
): readonly (readonly string[])[] {
  const steps = sweepSteps(analysis.run.plan.load);
  if (steps === null) return [];
  return variants.map((variant) => {
    const { heads, rows } = stepRows(variant, steps, analysis);
    return tableLines(clipped(visibleLine(variant.name), width), heads, rows, width, paint);
  });
}

function legend({ run, measures }: Analysis, width: number, paint: Paint): readonly string[] {
  const open = headlineLatency(run.plan.load) === 'latency.response';
  const words =
    'Below each number: its 95 % interval, or why it has none. Same output: cells whose takes are all equal at the named level; below, the ' +
    'share of takes that differed; where none did, a bound (≤) on further takes that would differ (one-sided 95 %). ' +
    `${open ? 'p50 and p95 count from when a call was due (latency.response). ' : ''}` +
    `${measures.some(({ metric }) => metric === 'latency.generation_low') ? 'Generation: the median time to the last poll that said "not yet", and to the poll that said "done"; the result was ready in between. ' : ''}` +
    `${sweepSteps(run.plan.load) === null ? '' : 'Knee: the concurrency with the highest throughput / median latency (Kleinrock 1979), where the intervals separate it. '}` +
    'All numbers are for these prompts in this run; intervals assume independent takes.';
  return wrapped(words, width).map((line) => paint('dim', line));
}

/** What the probes found, a line for each variant and question. */
function probeLines(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const questions = probeQuestions(analysis);
  return [
    paint('bold', 'Probes'),
    ...analysis.probes.flatMap((found) =>
      questions.flatMap((question) => {
        const statement = probeStatement(question, found);
        if (statement === null) return [];
        const { word, evidence, bad } = statement;
        const words = `${visibleLine(found.variant)}, ${question.replaceAll('_', ' ')}: ${word}${evidence === '' ? '' : ` (${visibleLine(evidence)})`}`;
        return wrapped(words, width).map((line) => (bad ? paint('yellow', line) : line));
      }),
    ),
  ];
}

/** The median with and without flagged samples: neither is the better one. */
function flaggedLines({ flagged }: Analysis, width: number, paint: Paint): readonly string[] {
  const median = ({ valueMs, lowMs, highMs }: MedianLatency): string => {
    const value = valueMs === null ? '–' : duration(valueMs);
    return lowMs === null || highMs === null ? value : `${value} [${durationInterval(lowMs, highMs)}]`;
  };
  return [
    paint('bold', 'p50 with and without flagged samples'),
    ...flagged.flatMap((each) => {
      const at = each.step === null ? '' : ` at concurrency ${count(each.step)}`;
      const agree =
        each.agree === null ? 'too few to tell whether they agree' : each.agree ? 'they agree' : 'they disagree';
      const words =
        `${visibleLine(each.variant)}${at}: ${median(each.withFlagged)} with, ${median(each.withoutFlagged)} without; ${agree}. ` +
        `${count(each.samples)} of ${plural(each.ofSamples, 'take')} flagged, in ${count(each.blocks)} of ${plural(each.ofBlocks, 'block')}`;
      return wrapped(words, width);
    }),
  ];
}

function failures(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const sent = new Map(analysis.variants.map((variant) => [variant.name, variant.plannedTrials - variant.missing]));
  const shown = analysis.failures.slice(0, MOST_FAILURES);
  const names = Math.min(WIDEST_FAILED_NAME, Math.max(...shown.map(({ variant }) => textWidth(visibleLine(variant)))));
  const more = analysis.failures.length - shown.length;
  return [
    paint('bold', 'Failures'),
    ...shown.flatMap((group) => failureLines(group, sent.get(group.variant) ?? 0, names, width, paint)),
    ...(more > 0 ? [paint('dim', `and ${plural(more, 'more group')}`)] : []),
  ];
}

/** A group of failures, on one line where it fits. Its message stays whole: it may name the remedy. */
function failureLines(
  group: FailureGroup,
  sent: number,
  names: number,
  width: number,
  paint: Paint,
): readonly string[] {
  const { variant, outcome, code, httpStatus, count: failed } = group;
  const told = httpStatus === null || code.includes(String(httpStatus));
  const where = told ? visibleLine(code) : `${visibleLine(code)} (HTTP ${httpStatus})`;
  const said = [where, visibleLine(failureMessage(group))].filter((part) => part !== '').join(': ');
  const start = `${padded(clipped(visibleLine(variant), names), names)}${GAP}${count(failed)} of ${count(sent)}${GAP}`;
  const kind = clipped(outcome.replaceAll('_', ' '), width - textWidth(start));
  const head = `${start}${paint('red', kind)}`;
  const room = width - textWidth(start) - textWidth(kind) - GAP.length;
  if (textWidth(said) <= room) return [`${head}${GAP}${said}`];
  const indent = GAP.repeat(2);
  return [head, ...wrapped(said, width - indent.length).map((line) => indent + line)];
}

function warningLines(warning: Warning, width: number, paint: Paint): readonly string[] {
  const { what, cause, remedy } = warningWords(warning);
  const indented = (label: string, text: string): readonly string[] =>
    wrapped(`${label}: ${visibleLine(text)}`, width - GAP.length).map((line) => `${GAP}${line}`);
  return [
    ...wrapped(`! ${visibleLine(what)}`, width).map((line) => paint('yellow', line)),
    ...indented('cause', cause),
    ...indented('remedy', remedy),
  ];
}
