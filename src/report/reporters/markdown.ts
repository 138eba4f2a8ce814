import type { Analysis } from '../../analysis/analysis.ts';
import type { Comparison } from '../../analysis/comparison.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { verdictSentence } from '../../gate/run-state.ts';
import type { VerdictLine } from '../../gate/verdict-lines.ts';
import { groupBy } from '../../kit/grouping.ts';
import { KIND_NAMES, shownName, tellingApart, variantNames } from '../../kit/names.ts';
import { clipped } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import { count, plural } from '../../kit/wording.ts';
import { SPEED_MEANS } from '../comparison-statement.ts';
import { SIMILAR_MEANS } from '../likeness-statement.ts';
import type { AnsweredRun, Reporter, ReportSource } from '../reporter.ts';
import { type ResultCell, type ResultColumn, resultColumns } from '../result-columns.ts';
import { answerOf } from '../run-answer.ts';
import type { FailureCause } from '../run-statement.ts';
import { byKind } from '../statement.ts';
import { story } from '../story.ts';
import type { BlockOf, SentenceBlock, StoryBlock, StoryLine, StoryPart, StoryWarning } from '../story-block.ts';

/** For a CI job's summary, a pull request or an issue: it needs no image and no other file. */
export const markdown: Reporter<'markdown'> = {
  format: 'markdown',
  description: 'a summary for a CI job, a pull request or an issue',
  render: (source) => [{ name: 'summary.md', content: [boundedSummary(source)] }],
};

/** Characters that GitHub allows in a comment of a pull request or an issue. */
const LONGEST_COMMENT = 65_536;

/** Most items of a list or a table; the first limit with which the summary fits into a comment is used. */
const LIMITS: readonly number[] = [100, 50, 25, 12, 6];

/** Longest message of a server, in characters. */
const LONGEST_MESSAGE = 300;

/** A reader of a pull request asks for the verdict first. */
const PARTS: readonly StoryPart[] = [
  ...(['unfit', 'gate', 'notes', 'sent', 'run', 'answers', 'scores', 'facts', 'probes'] as const),
  ...(['variants', 'failures', 'warnings'] as const),
];

function boundedSummary(source: ReportSource): string {
  const blocks = story(source, PARTS, false);
  let text = '';
  for (const most of LIMITS) {
    text = summary(blocks, source, most);
    if (text.length <= LONGEST_COMMENT) return text;
  }
  return text;
}

function summary(blocks: readonly StoryBlock[], source: ReportSource, most: number): string {
  const { run } = source.analysis;
  const label = tellingApart(run);
  const parts: readonly (readonly string[])[] = [
    [`# ${markdownText(run.suite)}${label === null ? '' : ` (${markdownText(label)})`}`],
    [answered(source)],
    ...blocks.flatMap((block) => blockParts(block, source, most)),
    [`<sub>${origin(source.analysis)}</sub>`],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** What came out, and what to do next. */
function answered(source: AnsweredRun): string {
  const { verdict, analysis } = source;
  const { answer, next } = answerOf(source);
  const state = verdict.verdict === 'none' ? [] : [`__${markdownText(`${verdictSentence(verdict, analysis)}.`)}__`];
  const then = next === null ? [] : [markdownText(`To ${next.why}: ${next.command}`)];
  return [...state, markdownText(answer), ...then].join(' ');
}

/** What a block becomes, each part with a blank line before it. @param most items of a list or a table */
function blockParts(
  block: StoryBlock,
  { analysis, comparisons }: ReportSource,
  most: number,
): readonly (readonly string[])[] {
  if (block.shown.length === 0) return [];
  switch (block.is) {
    case 'sentences':
      return PROSE.has(block.part) ? [prose(block)] : listOf(block, lineItem, most);
    case 'rules':
      return listOf(block, ruleItem, most);
    case 'causes':
      return [['## What failed'], ...listOf(block, causeItem, most)];
    case 'warnings':
      return block.part === 'unfit'
        ? [block.shown.map((item) => `> __Warning:__ ${warningItem(item)}`)]
        : [['## Warnings'], ...listOf(block, warningItem, most)];
    case 'tables':
      // All variants: the table of a terminal leaves out the slowest and twins.
      return byKind(analysis.variants).flatMap(([kind, variants]) => [
        [`## ${KIND_NAMES[kind]}`],
        resultTable(variants, analysis, comparisons, most),
      ]);
  }
}

const PROSE: ReadonlySet<StoryPart> = new Set(['gate', 'notes', 'sent', 'run']);

function prose({ shown }: SentenceBlock): readonly string[] {
  return [shown.map(lineItem).join(' ')];
}

function listOf<Item>(
  block: Pick<BlockOf<string, Item>, 'shown' | 'folded' | 'more' | 'noun'>,
  item: (of: Item) => string,
  most: number,
): readonly (readonly string[])[] {
  return [
    markdownList(block.shown.map(item), block.noun, most),
    markdownFold(block.more ?? '', markdownList(block.folded.map(item), block.noun, most)),
  ];
}

function lineItem({ sentence, tone }: StoryLine): string {
  return tone === 'strong' || tone === 'bad' ? `__${markdownText(sentence)}__` : markdownText(sentence);
}

function ruleItem({ word, subject, finding }: VerdictLine): string {
  return `__${markdownText(word)}__ ${markdownText(`${subject}: ${finding}`)}`;
}

function causeItem({ who, takes, outcome, code, message }: FailureCause): string {
  const words = `${takes}: ${outcome} (${code})${message === '' ? '' : `, ${clipped(message, LONGEST_MESSAGE)}`}`;
  return `__${markdownText(who)}__: ${markdownText(words)}`;
}

/** More warnings of one kind with the same remedy are only counted. */
const MOST_ALIKE = 3;

function warningItem({ warning, like }: StoryWarning): string {
  return [...groupBy([warning, ...like], ({ remedy }) => remedy)]
    .map(([remedy, alike]) => {
      const more = alike.length - MOST_ALIKE;
      const shown = alike.slice(0, MOST_ALIKE).map(({ what }) => markdownText(what));
      return `${[...shown, ...(more > 0 ? [`${count(more)} more like these`] : [])].join('; ')}. __Remedy:__ ${markdownText(remedy)}`;
    })
    .join('. ');
}

/** Needs no quotes in a command. */
const PLAIN = /^[\w.-]+$/;

/** How to read the numbers, and the command that makes the summary again. */
function origin({ run: { suite, id }, likeness }: Pick<Analysis, 'run' | 'likeness'>): string {
  const similar = likeness.length === 0 ? '' : ` ${SIMILAR_MEANS}.`;
  const folder = PLAIN.test(suite) && PLAIN.test(id) ? `results/${suite}/${id}` : 'RUN';
  return `Brackets: 95 % intervals for these prompts in this run. ${SPEED_MEANS}.${similar} Equal repeats: prompts x seeds whose takes are all equal, then the share of takes that differ, or a bound (≤) on further takes (one-sided 95 %). Run ${markdownText(id)}; make this summary again: \`retake report ${folder} --format markdown\``;
}

/** A comment has no room for more columns. Sentences compare the scores. */
const LEFT_TO_THE_PAGE: ReadonlySet<ResultColumn['id']> = new Set(['dropped', 'score', 'throughput']);

/** At most eight columns of the page. Variants without a number are only named: their rows would hide the others. */
function resultTable(
  all: readonly VariantSummary[],
  analysis: Analysis,
  comparisons: readonly Comparison[],
  most: number,
): readonly string[] {
  const variants = all.filter(({ plannedTrials, missing }) => plannedTrials > missing);
  const others = all.filter((variant) => !variants.includes(variant)).map(({ name }) => name);
  const unmeasured = others.length === 0 ? [] : [`Not measured: ${markdownText(variantNames(others, all.length))}.`];
  if (variants.length === 0) return unmeasured;
  const columns = resultColumns({ analysis, comparisons }, { among: variants }).filter(
    ({ id }) => !LEFT_TO_THE_PAGE.has(id),
  );
  const table = markdownTable(
    ['Variant', ...columns.map(({ head }) => head)],
    variants.map((variant) => [shownName(variant.name), ...columns.map(({ id, cell }) => stated(cell(variant), id))]),
    'variant',
    most,
  );
  return unmeasured.length === 0 ? table : [...table, '', ...unmeasured];
}

function stated({ value, interval, beside }: ResultCell, id: ResultColumn['id']): string {
  if (value === null) return beside === '' ? '–' : `– ${beside}`;
  if (interval !== null || id === 'same') return `${value} ${beside}`;
  return beside === '' ? value : `${value}; ${beside}`;
}

/** Keeps a sign from its reference: invisible, in no name. GitHub ignores a backslash there. */
const BREAK = '&#8203;';

/** The colon of a name that GitHub makes an emoji: `:ok:`, `:100:`, `:+1:`. A time, `12:30:00`, has none. */
const EMOJI = /:(?=(?:[\w+-]*[a-z][\w+-]*|[+-]1|100|1234):)/gi;

/** Escapes hostile text for GitHub Flavored Markdown, on one line: no markup, link, mention, reference or emoji. */
export function markdownText(hostile: string): string {
  return visibleLine(hostile)
    .trim()
    .replace(/[\\`*_[\]<>|~&#@$!]/g, '\\$&')
    .replace(/@(?=\w)|#(?=\d)|\bGH-(?=\d)/gi, `$&${BREAK}`)
    .replace(EMOJI, `:${BREAK}`)
    .replaceAll('://', ':\\/\\/')
    .replace(/www\./gi, (match) => `${match.slice(0, 3)}\\.`)
    .replace(/^[-+=]/, '\\$&')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2');
}

/** Cells are hostile text. `noun` names a row where some are left out. */
function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  noun: string,
  most: number,
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownText).join(' | ')} |`;
  const shown = rows.slice(0, most);
  const more = rows.length - shown.length;
  return [
    line(heads),
    `|${heads.map(() => ' --- |').join('')}`,
    ...shown.map(line),
    ...(more > 0 ? ['', `and ${plural(more, `more ${noun}`)}`] : []),
  ];
}

/** Items are Markdown already. `noun` names one where some are left out. */
function markdownList(items: readonly string[], noun: string, most: number): readonly string[] {
  const more = items.length - most;
  return [
    ...items.slice(0, most).map((item) => `- ${item}`),
    ...(more > 0 ? [`- and ${plural(more, `more ${noun}`)}`] : []),
  ];
}

/** `summary` is plain words without markup; nothing without lines. */
function markdownFold(summary: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`<details><summary>${summary}</summary>`, '', ...lines, '', '</details>'];
}
