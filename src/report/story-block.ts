import type { VariantSummary } from '../analysis/summaries.ts';
import type { Warning } from '../analysis/warning.ts';
import type { VerdictLine } from '../gate/verdict-lines.ts';
import type { Tone } from '../gate/verdict-statement.ts';
import { plural } from '../kit/wording.ts';
import type { Kind } from '../suite/kind.ts';
import type { FailureCause } from './run-statement.ts';

/** A sentence with its full stop. Holds hostile text. */
export interface StoryLine {
  readonly sentence: string;
  /** `strong`: what a reader looks for; `quiet`: what is left out; `void`: nobody may rely on it. */
  readonly tone: Tone | 'strong' | 'quiet' | 'void';
}

/** Warnings of one kind: the first, and how many are told with it: ` (2 more like it)`. */
export interface StoryWarning {
  readonly warning: Warning;
  readonly like: readonly Warning[];
  readonly end: string;
}

export interface StoryTable {
  readonly kind: Kind;
  readonly variants: readonly VariantSummary[];
  readonly folded: number;
}

/** Where a block stands: what a teller may set apart from others. */
export type StoryPart =
  | 'sent'
  | 'run'
  | 'unfit'
  | 'gate'
  | 'answers'
  | 'scores'
  | 'facts'
  | 'variants'
  | 'probes'
  | 'failures'
  | 'warnings'
  | 'notes';

export interface BlockOf<Is extends string, Item> {
  readonly is: Is;
  readonly part: StoryPart;
  readonly noun: string;
  readonly shown: readonly Item[];
  readonly folded: readonly Item[];
  /** Says how much is folded or left out; null where everything is shown. */
  readonly more: string | null;
}

export type SentenceBlock = BlockOf<'sentences', StoryLine>;
export type RuleBlock = BlockOf<'rules', VerdictLine>;
export type CauseBlock = BlockOf<'causes', FailureCause>;
export type WarningBlock = BlockOf<'warnings', StoryWarning>;
export type TableBlock = BlockOf<'tables', StoryTable>;
export type StoryBlock = SentenceBlock | RuleBlock | CauseBlock | WarningBlock | TableBlock;

interface Folded<Item> {
  readonly shown: readonly Item[];
  readonly folded: readonly Item[];
}

/** Keeps the first items at sight. @param isTight whether one more item takes less room than the words that fold it */
export function fold<Item>(items: readonly Item[], most = Number.POSITIVE_INFINITY, isTight = false): Folded<Item> {
  const at = isTight && items.length === most + 1 ? items.length : most;
  return { shown: items.slice(0, at), folded: items.slice(at) };
}

export function blockOf<Is extends string, Item>(
  is: Is,
  part: StoryPart,
  noun: string,
  items: Folded<Item>,
  more = moreWords(items.folded, noun),
): BlockOf<Is, Item> {
  return { is, part, noun, ...items, more };
}

/** `3 more causes`; null for none. */
export function moreWords({ length }: readonly unknown[], noun: string): string | null {
  return length === 0 ? null : plural(length, `more ${noun}`);
}

/** @param texts sentences without their full stops */
export function sentences(part: StoryPart, texts: readonly string[]): SentenceBlock {
  return lines(
    part,
    texts.map((words) => ({ sentence: `${words}.`, tone: null })),
  );
}

export function lines(part: StoryPart, all: readonly StoryLine[]): SentenceBlock {
  return blockOf('sentences', part, 'sentence', fold(all));
}
