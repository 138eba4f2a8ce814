import type { Analysis } from '../analysis/analysis.ts';
import type { Comparison } from '../analysis/comparison.ts';
import type { RuleResult } from '../analysis/gate/verdict.ts';
import { groupBy } from '../analysis/grouping.ts';
import { type WarningKind, warningCount, warningKinds, warningWords } from '../analysis/warnings.ts';
import { KIND_NAMES, tellingApart } from '../kit/names.ts';
import { clipped } from '../kit/text-width.ts';
import { count, plural } from '../kit/wording.ts';
import { markdownFold, markdownList, markdownTable, markdownText } from './markdown/markdown-text.ts';
import { resultTable } from './markdown/result-table.ts';
import type { Reporter, ReportSource } from './reporter.ts';
import {
  adjustedWords,
  comparisonGroups,
  groupClauses,
  headlineComparisons,
  inOrder,
  moreUnits,
  tellsApart,
} from './statements/comparison-statement.ts';
import { verdictSentence } from './statements/gate-sentence.ts';
import { headlinesOf } from './statements/headline-statement.ts';
import { latencySentences } from './statements/latency-statement.ts';
import { completeness, type FailureCause, failureCauses, spendSentence } from './statements/run-statement.ts';
import { samenessSentences } from './statements/sameness-statement.ts';
import { scoreSentences } from './statements/score-statement.ts';
import { byKind } from './statements/statement.ts';
import { stabilitySentences } from './statements/two-runs-statement.ts';
import { isTold, uncoveredSentences, type VerdictLine, verdictLinesOf } from './statements/verdict-lines.ts';
import { resultsByGravity, ruleFinding, ruleSubject, verdictWord } from './statements/verdict-statement.ts';
import { looksSentence } from './words/load-words.ts';

/** For a CI job's summary, a pull request or an issue: it needs no image and no other file. */
export const markdown: Reporter<'markdown'> = {
  format: 'markdown',
  description: 'a summary for a CI job, a pull request or an issue',
  files: ['summary.md'],
  render: (source) => [{ name: 'summary.md', content: [boundedSummary(source)] }],
};

/** Characters that GitHub allows in a comment of a pull request or an issue. */
const LONGEST_COMMENT = 65_536;

/** Most items of a list or a table; the first limit with which the summary fits into a comment is used. */
const LIMITS: readonly number[] = [100, 50, 25, 12, 6];

/** More sentences, failed results or causes of failures are folded. */
const MOST_SENTENCES = 12;

/** Characters of a server's message. */
const LONGEST_MESSAGE = 300;

function boundedSummary(source: ReportSource): string {
  let text = '';
  for (const most of LIMITS) {
    text = summary(source, most);
    if (text.length <= LONGEST_COMMENT) return text;
  }
  return text;
}

function summary({ analysis, comparisons, verdict, stability }: ReportSource, most: number): string {
  const { run, variants, warnings } = analysis;
  const told = tellingApart(run);
  const unfit = warnings.filter((warning) => warning.unfit === true);
  const looks = looksSentence(verdict);
  const uncovered = uncoveredSentences(verdict, variants);
  const spent = spendSentence(analysis);
  const results = verdictLinesOf(verdict.rules);
  const headlines = headlineComparisons(comparisons, run.plan.load);
  const blocks: readonly (readonly string[])[] = [
    [`# ${markdownText(run.suite)}${told === null ? '' : ` (${markdownText(told)})`}`],
    unfit.map((warning) => `> __Warning:__ ${markdownText(warningWords(warning).what)}`),
    [
      `__${markdownText(verdictSentence(verdict, analysis))}.__${looks === null ? '' : ` ${markdownText(looks)}.`}${uncovered.map((sentence) => ` ${markdownText(sentence)}.`).join('')}`,
    ],
    ...toldResults(results.filter(isTold), most),
    [`${markdownText(completeness(analysis))}.${spent === null ? '' : ` ${markdownText(spent)}.`}`],
    ...comparisonItems(headlines, analysis, most),
    ...scoreItems(analysis, comparisons, most),
    [...[adjustedWords(comparisons, run.plan.load) ?? []].flat(), ...moreUnits(headlines, run)].map(
      (sentence) => `${sentence}.`,
    ),
    ...measuredItems(analysis, headlines, stability, most),
    ...byKind(variants).flatMap(([kind, own]) => [
      [`## ${KIND_NAMES[kind]}`],
      resultTable(own, analysis, comparisons, most),
    ]),
    ...failures(failureCauses(analysis), most),
    markdownFold(warningCount(warnings), markdownList(warningKinds(warnings).map(warningItem), 'kind', most)),
    markdownFold(`Gate: ${plural(verdict.rules.length, 'result')}`, gateTable(verdict.rules, most)),
    [`<sub>${origin(analysis)}</sub>`],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function resultItem({ word, subject, finding }: VerdictLine): string {
  return `__${markdownText(word)}__ ${markdownText(`${subject}: ${finding}`)}`;
}

/** The first are unfolded; the gravest come first. */
function toldResults(told: readonly VerdictLine[], most: number): readonly (readonly string[])[] {
  const items = told.map(resultItem);
  const folded = items.slice(MOST_SENTENCES);
  return [
    markdownList(items.slice(0, MOST_SENTENCES), 'result', most),
    markdownFold(`${plural(folded.length, 'more result')} to look at`, markdownList(folded, 'result', most)),
  ];
}

/** Each result by itself, with its evidence. */
function gateTable(results: readonly RuleResult[], most: number): readonly string[] {
  return results.length === 0
    ? []
    : markdownTable(
        ['Result', 'Rule', 'Finding'],
        resultsByGravity(results).map((result) => [verdictWord(result), ruleSubject(result), ruleFinding(result)]),
        'result',
        most,
      );
}

/** In the order of the suite; of many the fastest come first and the others are folded. */
function comparisonItems(
  headlines: readonly Comparison[],
  analysis: Analysis,
  most: number,
): readonly (readonly string[])[] {
  const likeness = new Map(
    headlinesOf(analysis.variants, { analysis, comparisons: [] }).map((each) => [each.variant, each]),
  );
  const compared = comparisonGroups(inOrder(headlines, MOST_SENTENCES)).map((group) => {
    const [{ variant, baselineRun, step }] = group;
    const like = group.length === 1 && baselineRun === null && step === null ? likeness.get(variant) : undefined;
    if (like !== undefined) likeness.delete(variant);
    const clauses = [...groupClauses(group), ...(like === undefined ? [] : [`; ${like.likeness}`])];
    const sentence = `${markdownText(clauses.join(''))}.`;
    return group.some(tellsApart) ? `__${sentence}__` : sentence;
  });
  const others = [...likeness.values()].map(({ sentence }) => markdownText(sentence));
  return folding([...compared, ...others], 'comparison', most);
}

/** What scorers say of the outputs. */
function scoreItems(
  analysis: Analysis,
  comparisons: readonly Comparison[],
  most: number,
): readonly (readonly string[])[] {
  const items = scoreSentences(analysis, comparisons, analysis.variants).map(({ sentence, is }) =>
    is === 'bad' ? `__${markdownText(sentence)}__` : markdownText(sentence),
  );
  return folding(items, 'score', most);
}

function measuredItems(
  analysis: Analysis,
  headlines: readonly Comparison[],
  stability: ReportSource['stability'],
  most: number,
): readonly (readonly string[])[] {
  const sentences = [
    ...latencySentences(analysis, headlines).map((clauses) => clauses.join('')),
    ...samenessSentences(analysis),
    ...stabilitySentences(stability),
  ];
  return folding(
    sentences.map((sentence) => `${markdownText(sentence)}.`),
    'sentence',
    most,
  );
}

function folding(items: readonly string[], noun: string, most: number): readonly (readonly string[])[] {
  const folded = items.slice(MOST_SENTENCES);
  return [
    markdownList(items.slice(0, MOST_SENTENCES), noun, most),
    markdownFold(plural(folded.length, `more ${noun}`), markdownList(folded, noun, most)),
  ];
}

function failures(causes: readonly FailureCause[], most: number): readonly (readonly string[])[] {
  const items = causes.map(({ who, takes, outcome, code, message }) => {
    const words = `${takes}: ${outcome} (${code})${message === '' ? '' : `, ${clipped(message, LONGEST_MESSAGE)}`}`;
    return `__${markdownText(who)}__: ${markdownText(words)}`;
  });
  return items.length === 0 ? [] : [['## What failed'], ...folding(items, 'cause', most)];
}

/** More warnings of one kind with the same remedy are only counted. */
const MOST_ALIKE = 3;

/** Warnings with the same remedy say it once. */
function warningItem(kind: WarningKind): string {
  const said = kind.map((warning) => warningWords(warning));
  return [...groupBy(said, ({ remedy }) => remedy)]
    .map(([remedy, alike]) => {
      const more = alike.length - MOST_ALIKE;
      const found = alike.slice(0, MOST_ALIKE).map(({ what }) => markdownText(what));
      return `${[...found, ...(more > 0 ? [`${count(more)} more like these`] : [])].join('; ')}. __Remedy:__ ${markdownText(remedy)}`;
    })
    .join('. ');
}

/** Needs no quotes in a command. */
const PLAIN = /^[\w.-]+$/;

/** How to read the numbers, and the command that makes the summary again. */
function origin({ run: { suite, id }, likeness }: Pick<Analysis, 'run' | 'likeness'>): string {
  const similar =
    likeness.length === 0
      ? ''
      : " Stays similar: outputs that are visually similar to the baseline's for the same prompt and seed, not better or worse.";
  const folder = PLAIN.test(suite) && PLAIN.test(id) ? `results/${suite}/${id}` : 'RUN';
  return `Brackets: 95 % intervals for these prompts in this run. Speed: the typical ratio of latencies (Hodges-Lehmann estimate) over pairs of takes of the same prompt and seed.${similar} Equal repeats: cells (a prompt and seed) whose takes are all equal, then the share of takes that differ; ≤: at most so many of further takes would differ (one-sided 95 %). Run ${markdownText(id)}; make this summary again: \`retake report ${folder} --format markdown\``;
}
