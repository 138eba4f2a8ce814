import type { Analysis } from '../analysis/analysis.ts';
import { warningWords } from '../analysis/warnings.ts';
import { groupBy } from '../kit/grouping.ts';
import { KIND_NAMES, tellingApart } from '../kit/names.ts';
import { clipped } from '../kit/text-width.ts';
import { count } from '../kit/wording.ts';
import { markdownFold, markdownList, markdownTable, markdownText } from './markdown/markdown-text.ts';
import { resultTable } from './markdown/result-table.ts';
import type { Reporter, ReportSource } from './reporter.ts';
import type { FailureCause } from './run-statement.ts';
import { markdownStory } from './story.ts';
import type { BlockOf, SentenceBlock, StoryBlock, StoryLine, StoryWarning } from './story-block.ts';
import type { VerdictLine } from './verdict-lines.ts';
import { ruleFinding, ruleSubject, verdictWord } from './verdict-statement.ts';

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

/** Longest message of a server, in characters. */
const LONGEST_MESSAGE = 300;

function boundedSummary(source: ReportSource): string {
  const story = markdownStory(source);
  let text = '';
  for (const most of LIMITS) {
    text = summary(story, source, most);
    if (text.length <= LONGEST_COMMENT) return text;
  }
  return text;
}

function summary(story: readonly StoryBlock[], source: ReportSource, most: number): string {
  const { run } = source.analysis;
  const told = tellingApart(run);
  const blocks: readonly (readonly string[])[] = [
    [`# ${markdownText(run.suite)}${told === null ? '' : ` (${markdownText(told)})`}`],
    ...story.flatMap((block) => blockParts(block, source, most)),
    [`<sub>${origin(source.analysis)}</sub>`],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** What a block becomes, each part with a blank line before it. @param most items of a list or a table */
function blockParts(
  block: StoryBlock,
  { analysis, comparisons }: ReportSource,
  most: number,
): readonly (readonly string[])[] {
  switch (block.is) {
    case 'sentences':
      return PROSE.has(block.part) ? [prose(block)] : listOf(block, lineItem, most);
    case 'rules':
      return listOf(block, ruleItem, most);
    case 'results': {
      const cells = block.folded.map((each) => [verdictWord(each), ruleSubject(each), ruleFinding(each)]);
      const rows = cells.length === 0 ? [] : markdownTable(['Result', 'Rule', 'Finding'], cells, block.noun, most);
      return [markdownFold(block.more ?? '', rows)];
    }
    case 'causes':
      return block.shown.length === 0 ? [] : [['## What failed'], ...listOf(block, causeItem, most)];
    case 'warnings':
      return block.part === 'unfit'
        ? [block.shown.map(({ warning }) => `> __Warning:__ ${markdownText(warningWords(warning).what)}`)]
        : listOf(block, warningItem, most);
    case 'tables':
      return block.shown.flatMap(({ kind, variants }) => [
        [`## ${KIND_NAMES[kind]}`],
        resultTable(variants, analysis, comparisons, most),
      ]);
  }
}

const PROSE: ReadonlySet<StoryBlock['part']> = new Set(['gate', 'run', 'notes']);

function prose({ part, shown }: SentenceBlock): readonly string[] {
  const said = shown.map(lineItem);
  return part === 'notes' ? said : [said.join(' ')];
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
  const said = [warning, ...like].map((each) => warningWords(each));
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
