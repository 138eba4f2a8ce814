import type { Analysis, VariantSummary } from '../analysis/analysis.ts';
import { headlineLatency } from '../analysis/samples/headline.ts';
import { count, duration, durationInterval, plural, share, shareInterval, usd } from '../text/quantity.ts';
import { visibleLine } from '../text/visible.ts';
import type { Reporter, ReportSource } from './reporter.ts';
import { headlineComparisons, latencySentence, tellsApart } from './statements/comparison-statement.ts';
import { sameOutputs } from './statements/sameness.ts';
import { spendSentence } from './statements/spend-statement.ts';
import { byKind, completeness, measuresOf, type Statement, statementOf } from './statements/statement.ts';
import { verdictLinesOf } from './statements/verdict-lines.ts';
import { verdictSentence } from './statements/verdict-statement.ts';
import { KIND_NAMES } from './words/kind-name.ts';
import { looksSentence } from './words/look-words.ts';
import { warningWords } from './words/warnings/warning-words.ts';

/** summary.md: a run in short, for a CI job's summary or a pull request. */
export const markdown: Reporter<'markdown'> = {
  format: 'markdown',
  description: 'a summary for a CI job or a pull request',
  files: ['summary.md'],
  render: (source) => [{ name: 'summary.md', content: [summary(source)] }],
};

/** A summary stays far below the 1 MiB that GitHub takes of a step. */
const MOST_ROWS = 100;

function summary({ analysis, comparisons, verdict }: ReportSource): string {
  const { run, variants, warnings } = analysis;
  const headlines = headlineComparisons(comparisons, run.plan.load);
  const unfit = warnings.filter((warning) => warning.unfit === true);
  const looks = looksSentence(verdict);
  const spent = spendSentence(analysis);
  const results = verdictLinesOf(verdict.rules);
  const blocks: readonly (readonly string[])[] = [
    [`# ${markdownText(run.suite)}`],
    [
      `${markdownText(completeness(analysis))}. Run ${markdownText(run.id)}.${spent === null ? '' : ` ${markdownText(spent)}.`}`,
    ],
    unfit.map((warning) => `> __Not fit for use:__ ${markdownText(warningWords(warning).what)}`),
    short(
      headlines.map((comparison) => {
        const sentence = `${markdownText(latencySentence(comparison))}.`;
        return tellsApart(comparison) ? `- __${sentence}__` : `- ${sentence}`;
      }),
      'comparison',
    ),
    [`__${markdownText(verdictSentence(verdict))}.__${looks === null ? '' : ` ${markdownText(looks)}.`}`],
    results.length === 0
      ? []
      : table(
          ['Result', 'Rule', 'Finding'],
          results.map(({ word, subject, finding }) => [word, subject, finding]),
          'result',
        ),
    ...byKind(variants).flatMap(([kind, own]) => [[`## ${KIND_NAMES[kind]}`], variantTable(own, analysis)]),
    short(
      warnings
        .filter((warning) => warning.unfit !== true)
        .map((warning) => `- ${markdownText(warningWords(warning).what)}`),
      'warning',
    ),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function variantTable(variants: readonly VariantSummary[], analysis: Analysis): readonly string[] {
  const measures = measuresOf(analysis);
  const metric = headlineLatency(analysis.run.plan.load);
  const priced = variants.some(({ name }) => typeof measures(name, 'cost.per_output', 'mean')?.value === 'number');
  const latency = (name: string, statistic: string) =>
    stated(
      statementOf(
        measures(name, metric, statistic),
        (ms) => duration(ms),
        (low, high) => durationInterval(low, high),
      ),
    );
  const rows = variants.map((variant) => {
    const { name, outcomes, plannedTrials } = variant;
    const { value, shortBound } = sameOutputs(variant, analysis.cells, measures);
    const cost = statementOf(
      measures(name, 'cost.per_output', 'mean'),
      usd,
      (low, high) => `${usd(low)} – ${usd(high)}`,
    );
    return [
      name,
      `${count(outcomes.ok ?? 0)} of ${count(plannedTrials)}`,
      latency(name, 'p50'),
      latency(name, 'p95'),
      stated(statementOf(measures(name, 'error_rate', 'rate'), share, shareInterval)),
      value === null ? '–' : [value, shortBound].filter((part) => part !== '').join('; '),
      ...(priced ? [stated(cost)] : []),
    ];
  });
  const heads = ['Variant', 'Delivered', 'p50', 'p95', 'Errors', 'Same output', ...(priced ? ['Cost per output'] : [])];
  return table(heads, rows, 'variant');
}

function stated({ value, interval, notes }: Statement): string {
  if (value === null) return `–${notes.length > 0 ? ` ${notes.join('; ')}` : ''}`;
  return interval === null ? [value, ...notes].join('; ') : `${value} [${interval}]`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[], noun: string): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownText).join(' | ')} |`;
  const shown = rows.slice(0, MOST_ROWS);
  const more = rows.length - shown.length;
  return [
    line(heads),
    `|${heads.map(() => ' --- |').join('')}`,
    ...shown.map(line),
    ...(more > 0 ? ['', `and ${plural(more, `more ${noun}`)}`] : []),
  ];
}

function short(lines: readonly string[], noun: string): readonly string[] {
  const more = lines.length - MOST_ROWS;
  return more > 0 ? [...lines.slice(0, MOST_ROWS), `- and ${plural(more, `more ${noun}`)}`] : lines;
}

/**
 * Hostile text as GitHub Flavored Markdown shows it: on one line, with every character escaped that could end a cell, begin
 * markup, a tag, a reference or a link.
 */
export function markdownText(hostile: string): string {
  return visibleLine(hostile)
    .trim()
    .replace(/[\\`*_[\]<>|~&#@$!]/g, '\\$&')
    .replaceAll('://', ':\\/\\/')
    .replace(/www\./gi, (found) => `${found.slice(0, 3)}\\.`)
    .replace(/^[-+=]/, '\\$&')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2');
}
