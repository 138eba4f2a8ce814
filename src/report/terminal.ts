import { stateWords } from '../gate/run-state.ts';
import type { NextStep } from '../gate/verdict.ts';
import type { VerdictLine } from '../gate/verdict-lines.ts';
import { tellingApart } from '../kit/names.ts';
import { clipped, padded, textWidth, wrapped } from '../kit/text-width.ts';
import { visibleLine } from '../kit/visible.ts';
import { unbroken } from '../kit/wording.ts';
import {
  GAP,
  NARROWEST,
  type Paint,
  type PaintStyle,
  painter,
  printed,
  type TerminalOptions,
  toneStyle,
} from './paint.ts';
import type { AnsweredRun, ReportSource } from './reporter.ts';
import { answerOf } from './run-answer.ts';
import type { FailureCause } from './run-statement.ts';
import { wholeGate } from './story/gate.ts';
import { story } from './story.ts';
import type { StoryBlock, StoryLine, StoryPart, StoryWarning } from './story-block.ts';
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
  const [first = [], ...others] = PARAGRAPHS.map((parts) =>
    story(source, parts, options.hasPage).flatMap((block) =>
      block.is === 'tables' ? variantTable(source, block.shown, width, paint) : blockLines(block, layout),
    ),
  );
  const { next, state } = answerOf(source);
  // How to go on with an incomplete run stands at the end of its command.
  const then = next === null || state === 'incomplete' ? [] : nextLines(next, width);
  return printed([[...headLines(source, width, paint), ...first, ...then], ...others], options);
}

/** A command is never broken: it is pasted. */
function nextLines({ why, command }: NextStep, width: number): readonly string[] {
  const line = `To ${why}: ${command}`;
  return textWidth(line) <= width ? [line] : [`To ${why}:`, GAP + command];
}

/** Parts without a blank line between them: what needs care stands first and last. */
const PARAGRAPHS: readonly (readonly StoryPart[])[] = [
  ['sent', 'unfit', 'answers'],
  ['run', 'scores'],
  ['variants'],
  ['failures'],
  ['facts', 'probes', 'warnings'],
  ['gate', 'notes'],
];

/** Ends with a line feed: what failed or is undecided with its evidence, then a line for each other rule. */
export function renderVerdict(source: AnsweredRun, options: TerminalOptions): string {
  const layout = { width: Math.max(NARROWEST, options.width), paint: painter(options), hasPage: false };
  const { next } = answerOf(source);
  const then = next === null ? [] : nextLines(next, layout.width);
  return printed([[...wholeGate(source).flatMap((block) => blockLines(block, layout)), ...then]], options);
}

/** What came out stands in the first line. */
function headLines(source: AnsweredRun, width: number, paint: Paint): readonly string[] {
  const { run } = source.analysis;
  const label = tellingApart(run);
  const name = visibleLine(label === null ? run.suite : `${run.suite} (${label})`);
  const state = stateWords(source.verdict);
  const word = state.tone === null ? [] : [state.words.toUpperCase()];
  const start = [name, ...word].join(GAP);
  const { answer, tone } = answerOf(source);
  const said = sentenceLines({ sentence: `${start}${GAP}${answer}`, tone: null }, true, {
    width,
    paint,
    hasPage: false,
  });
  return said.map((line, at) => {
    if (at > 0 || !line.startsWith(start)) return paint(answerStyle(tone), line);
    const words = word.map((text) => paint(toneStyle(state.tone), text));
    const rest = line.slice(start.length).trimStart();
    return [paint('bold', name), ...words, ...(rest === '' ? [] : [paint(answerStyle(tone), rest)])].join(GAP);
  });
}

function answerStyle(tone: StoryLine['tone']): PaintStyle {
  return (tone === null ? null : STYLES[tone]) ?? 'bold';
}

interface BlockLayout {
  readonly width: number;
  readonly paint: Paint;
  /** Whether a page has the cause and the remedy of a warning. */
  readonly hasPage: boolean;
}

function blockLines(block: Exclude<StoryBlock, { readonly is: 'tables' }>, layout: BlockLayout): readonly string[] {
  const { width, paint } = layout;
  const more = block.more === null ? [] : wrapped(`Not shown: ${block.more}`, width).map((line) => paint('dim', line));
  return [...shownLines(block, layout), ...more];
}

function shownLines(block: Exclude<StoryBlock, { readonly is: 'tables' }>, layout: BlockLayout): readonly string[] {
  switch (block.is) {
    case 'sentences':
      return block.part === 'notes'
        ? paragraph([...block.shown, COLUMNS], layout)
        : block.shown.flatMap((line) => sentenceLines(marked(line, block.part), HANGING.has(block.part), layout));
    case 'rules':
      return ruleLines(block.shown, layout);
    case 'causes':
      return block.shown.flatMap((cause) => causeLines(cause, layout));
    case 'warnings':
      return block.shown.flatMap((item) => warningLines(item, layout));
  }
}

/** What a probe found wrong has the mark of warnings. */
function marked(line: StoryLine, part: StoryPart): StoryLine {
  return part === 'probes' && line.tone === 'warn' ? { ...line, sentence: `! ${line.sentence}` } : line;
}

const COLUMNS: StoryLine = { sentence: 'Columns: retake run --help', tone: 'quiet' };

const HANGING: ReadonlySet<StoryBlock['part']> = new Set(['answers', 'scores']);

const STYLES: Readonly<Record<NonNullable<StoryLine['tone']>, PaintStyle | null>> = {
  strong: 'bold',
  quiet: 'dim',
  void: null,
  good: 'green',
  warn: 'yellow',
  bad: 'red',
};

function sentenceLines(
  { sentence, tone }: StoryLine,
  isHanging: boolean,
  { width, paint }: BlockLayout,
): readonly string[] {
  const style = tone === null ? null : STYLES[tone];
  const [first = '', ...others] = wrapped(visibleLine(sentence), width);
  const rest = isHanging && others.length > 0 ? indented(others.join(' '), GAP, width) : others;
  return [first, ...rest].map((line) => (style === null ? line : paint(style, line)));
}

function paragraph(sentences: readonly StoryLine[], { width, paint }: BlockLayout): readonly string[] {
  const end = COLUMNS.sentence;
  const lines = wrapped(visibleLine(sentences.map(({ sentence }) => sentence).join(' ')), width);
  return lines.map((line) => (line.endsWith(end) ? line.slice(0, line.length - end.length) + paint('dim', end) : line));
}

function indented(words: string, indent: string, width: number): readonly string[] {
  return wrapped(words, width - indent.length).map((line) => indent + line);
}

const INDENT = '      ';

/** Subjects and findings below each other where each fits in its line. */
function ruleLines(lines: readonly VerdictLine[], { width, paint }: BlockLayout): readonly string[] {
  const seen = lines.map((line) => ({
    ...line,
    subject: visibleLine(line.subject),
    finding: visibleLine(line.finding),
  }));
  const words = Math.max(0, ...seen.map(({ word }) => textWidth(word)));
  const subjects = Math.max(0, ...seen.map(({ subject }) => textWidth(subject)));
  const inColumns = seen.map(({ word, subject, finding }) => ({
    start: padded(word, words),
    rest: `${padded(subject, subjects)}${GAP}${finding}`,
  }));
  const fits = inColumns.every(({ start, rest }) => textWidth(start + GAP + rest) <= width);
  return seen.flatMap(({ tone, word, subject, finding }, at) => {
    const { start = word, rest = '' } = inColumns[at] ?? {};
    if (fits) return [paint(toneStyle(tone), word) + start.slice(word.length) + GAP + rest];
    // Its word is painted after the line is broken.
    const [first = '', ...others] = wrapped(unbroken(`${subject}: ${finding}`), width - textWidth(word) - GAP.length);
    const more = others.length === 0 ? [] : indented(others.join(' '), INDENT, width);
    return [paint(toneStyle(tone), word) + GAP + first, ...more];
  });
}

/** On one line where it fits. The message is not cut: it may name the remedy. */
function causeLines(cause: FailureCause, { width, paint }: BlockLayout): readonly string[] {
  const { takes, outcome } = cause;
  const who = visibleLine(cause.who);
  const text = [cause.code, cause.wholeMessage]
    .map(visibleLine)
    .filter((part) => part !== '')
    .join(': ');
  const indent = GAP.repeat(2);
  const below = indented(text, indent, width);
  const plain = [who, takes, outcome].join(GAP);
  const head = [who, takes, paint('red', outcome)].join(GAP);
  if (textWidth(plain) > width)
    return [...wrapped(who, width), indent + [takes, paint('red', outcome)].join(GAP), ...below];
  return textWidth(plain + GAP + text) <= width ? [head + GAP + text] : [head, ...below];
}

const MOST_LINES = 2;

/** Where a page has the rest, one line where it fits, two at most; else with cause and remedy. */
function warningLines({ warning, end }: StoryWarning, { width, paint, hasPage }: BlockLayout): readonly string[] {
  const { brief, what, cause, remedy } = warning;
  const text = visibleLine(hasPage ? `${brief ?? what}${end}` : what);
  // Lines after the first are further in, to tell the next warning from it.
  const lines = wrapped(text, width - GAP.length).map((line, at) => (at === 0 ? `! ${line}` : GAP + line));
  const [second = '', third = ''] = lines.slice(MOST_LINES - 1);
  const kept =
    hasPage && lines.length > MOST_LINES
      ? [...lines.slice(0, MOST_LINES - 1), clipped(`${second} ${third.trimStart()}`, width)]
      : lines;
  const rest = hasPage ? [] : [`cause: ${visibleLine(cause)}`, `remedy: ${visibleLine(remedy)}`];
  return [
    ...kept.map((line) => paint(warning.unfit !== undefined ? 'red' : 'yellow', line)),
    ...rest.flatMap((words) => indented(words, GAP, width)),
  ];
}
