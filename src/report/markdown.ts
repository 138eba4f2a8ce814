import type { RunSummary, Warning } from '../analysis/analysis.ts';
import { groupBy } from '../analysis/grouping.ts';
import type { Comparison } from '../compare/comparison.ts';
import { plural } from '../text/quantity.ts';
import { markdownFold, markdownList, markdownTable, markdownText } from './markdown/markdown-text.ts';
import { resultTable } from './markdown/result-table.ts';
import type { Reporter, ReportSource } from './reporter.ts';
import { headlineComparisons, latencySentence, tellsApart } from './statements/comparison-statement.ts';
import { type FailureCause, failureCauses } from './statements/failure-statement.ts';
import { spendSentence } from './statements/spend-statement.ts';
import { byKind, completeness } from './statements/statement.ts';
import { type VerdictLine, verdictLinesOf } from './statements/verdict-lines.ts';
import { verdictSentence } from './statements/verdict-statement.ts';
import { KIND_NAMES } from './words/kind-name.ts';
import { looksSentence } from './words/look-words.ts';
import { warningWords } from './words/warnings/warning-words.ts';

/** summary.md: a run in short, for a CI job's summary, a pull request or an issue. It needs no image and no other file. */
export const markdown: Reporter<'markdown'> = {
  format: 'markdown',
  description: 'a summary for a CI job, a pull request or an issue',
  files: ['summary.md'],
  render: (source) => [{ name: 'summary.md', content: [summary(source)] }],
};

/** Sentences of comparisons beyond this many are folded. */
const MOST_SENTENCES = 12;

/** In the order of the page: what came out, each kind in one table, what failed, and folded what else bears on the numbers. */
function summary({ analysis, comparisons, verdict }: ReportSource): string {
  const { run, variants, warnings } = analysis;
  const unfit = warnings.filter((warning) => warning.unfit === true);
  const others = warnings.filter((warning) => warning.unfit !== true);
  const looks = looksSentence(verdict);
  const spent = spendSentence(analysis);
  const results = verdictLinesOf(verdict.rules);
  const blocks: readonly (readonly string[])[] = [
    [`# ${markdownText(run.suite)}`],
    unfit.map((warning) => `> __Not fit for use:__ ${markdownText(warningWords(warning).what)}`),
    [`__${markdownText(verdictSentence(verdict))}.__${looks === null ? '' : ` ${markdownText(looks)}.`}`],
    markdownList(results.filter(isTold).map(resultItem), 'result'),
    [`${markdownText(completeness(analysis))}.${spent === null ? '' : ` ${markdownText(spent)}.`}`],
    ...sentences(headlineComparisons(comparisons, run.plan.load)),
    ...byKind(variants).flatMap(([kind, own]) => [[`## ${KIND_NAMES[kind]}`], resultTable(own, analysis, comparisons)]),
    ...failures(failureCauses(analysis)),
    markdownFold(plural(others.length, 'warning'), markdownList(warningItems(others), 'warning')),
    markdownFold(`Gate: ${plural(verdict.rules.length, 'result')}`, gateTable(results)),
    [`<sub>${origin(run)}</sub>`],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** What a reader must not miss: results that failed or are undecided. */
function isTold({ verdict }: VerdictLine): boolean {
  return verdict === 'fail' || verdict === 'inconclusive';
}

function resultItem({ word, subject, finding }: VerdictLine): string {
  return `__${markdownText(word)}__ ${markdownText(`${subject}: ${finding}`)}`;
}

function gateTable(results: readonly VerdictLine[]): readonly string[] {
  return results.length === 0
    ? []
    : markdownTable(
        ['Result', 'Rule', 'Finding'],
        results.map(({ word, subject, finding }) => [word, subject, finding]),
        'result',
      );
}

/** In the order of the suite; of many those first that are fastest, and the others folded. */
function sentences(headlines: readonly Comparison[]): readonly (readonly string[])[] {
  const isMany = headlines.length > MOST_SENTENCES;
  const ordered = isMany
    ? headlines.toSorted((a, b) => (a.value ?? Number.MAX_VALUE) - (b.value ?? Number.MAX_VALUE))
    : headlines;
  const items = ordered.map((comparison) => {
    const sentence = `${markdownText(latencySentence(comparison))}.`;
    return tellsApart(comparison) ? `__${sentence}__` : sentence;
  });
  const folded = items.slice(MOST_SENTENCES);
  return [
    markdownList(items.slice(0, MOST_SENTENCES), 'comparison'),
    markdownFold(plural(folded.length, 'more comparison'), markdownList(folded, 'comparison')),
  ];
}

function failures(causes: readonly FailureCause[]): readonly (readonly string[])[] {
  const items = causes.map(({ who, takes, outcome, code, message }) => {
    const words = `${takes}: ${outcome} (${code})${message === '' ? '' : `, ${message}`}`;
    return `__${markdownText(who)}__: ${markdownText(words)}`;
  });
  return items.length === 0 ? [] : [['## What failed'], markdownList(items, 'cause')];
}

/** Warnings with the same remedy beyond this many are only counted. */
const MOST_ALIKE = 3;

/** Warnings that have the same remedy share an item. */
function warningItems(warnings: readonly Warning[]): readonly string[] {
  const said = warnings.map((warning) => warningWords(warning));
  return [...groupBy(said, ({ remedy }) => remedy)].map(([remedy, alike]) => {
    const more = alike.length - MOST_ALIKE;
    const found = alike.slice(0, MOST_ALIKE).map(({ what }) => markdownText(what));
    return `${[...found, ...(more > 0 ? [`${more} more of this kind`] : [])].join('; ')}. __Remedy:__ ${markdownText(remedy)}`;
  });
}

/** What needs no quotes in a command. */
const PLAIN = /^[\w.-]+$/;

/** How to read the numbers, and the command that makes the summary again from the record. */
function origin({ suite, id }: Pick<RunSummary, 'suite' | 'id'>): string {
  const folder = PLAIN.test(suite) && PLAIN.test(id) ? `results/${suite}/${id}` : 'RUN';
  return `Brackets: 95 % intervals for these prompts in this run. Speed: the median ratio over pairs of the same prompt and seed. Run ${markdownText(id)}; make this summary again: \`retake report ${folder} --format markdown\``;
}
