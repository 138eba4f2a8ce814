import type { Analysis } from '../../analysis/analysis.ts';
import type { Comparison } from '../../analysis/comparison.ts';
import type { VotedVariants } from '../../analysis/output-summaries.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { count, duration, listedInShort, plural, trimmed } from '../../kit/wording.ts';
import type { Control } from '../../record/codes.ts';
import type { UnscoredReason } from '../../record/score.ts';

import { sidesOf } from '../comparison-statement.ts';
import { preferenceComparison, preferenceSentence } from '../preference-statement.ts';

/** A copy that is known to be worse, as a subject: `a blurred copy scores worse in 16 of 16`. */
export const CONTROL_WORDS: Readonly<Record<Control, string>> = {
  blurred: 'a blurred copy',
  jpeg: 'a coarse JPEG copy',
  other_prompt: 'an output of another prompt',
};

type PlainReason = Exclude<UnscoredReason['code'], 'timed_out' | 'refused' | 'call_failed'>;

const PLAIN: Readonly<Record<PlainReason, string>> = {
  media_missing: 'the file is gone',
  undecodable: 'the file does not decode',
  nothing_expected: '"expect" of the prompt lacks what the scorer needs',
  input_missing: 'the input image is missing',
  died: 'the program ended before it answered',
  command_failed: 'the program does not start, does not answer as it should, or keeps failing',
  no_first_line: 'the program did not begin with {"retake": 1}',
  not_a_number: 'a value is not a number',
  out_of_range: 'a value is outside the declared range, or not from -1e15 to 1e15',
  unknown_id: 'the answer has an unknown id',
  answered_twice: 'the program answered twice',
  missing_value: 'the answer lacks a declared value',
  unknown_value: 'the answer has an undeclared value',
  line_too_long: 'a line is longer than 1 MiB',
  not_utf8: 'the answer is not UTF-8',
  not_json: 'the answer is not JSON',
  not_an_answer: 'the line is not a valid answer',
  bad_reply: 'the judge did not answer in the form it was asked for',
  limit_reached: 'the limit of the judge is reached',
};

/** Why an output has no score, as a clause. Holds hostile text: what the scorer says. */
export function unscoredWords(why: UnscoredReason): string {
  switch (why.code) {
    case 'timed_out':
      return `no answer within ${limit(why.limitMs)}`;
    case 'refused':
      return `the program says "${why.reason}"`;
    case 'call_failed':
      return `the request to the judge failed: ${[why.outcome, why.error].filter((word) => word !== '').join(', ')}`;
    default:
      return PLAIN[why.code];
  }
}

function limit(ms: number): string {
  return ms < 1000 ? duration(ms) : `${trimmed(ms / 1000)} s`;
}

/* What people prefer, from blind votes. Only here may a report say that one output is better than another. */

/** A sentence for each variant that was voted on, without its full stop. Holds hostile text: names of variants. */
export function voteSentences(
  { votes }: Pick<Analysis, 'votes'>,
  comparisons: readonly Comparison[],
  variants: readonly VariantSummary[],
  isBrief = false,
): readonly string[] {
  const names = new Set(variants.map(({ name }) => name));
  const all = (votes?.variants ?? []).filter(({ variant }) => names.has(variant));
  const waiting = all.filter((voted) => voted.open > 0 && given(voted) === voted.identical);
  const open = waiting.reduce((sum, voted) => sum + voted.open, 0);
  return [
    ...all
      .filter((voted) => !waiting.includes(voted))
      .map((voted) => voteSentence(voted, preferenceComparison(comparisons, 'score.votes', voted), isBrief)),
    ...(waiting.length === 0
      ? []
      : [
          `Nobody has voted on ${listedInShort(waiting.map(({ variant }) => variant))} yet: ${plural(open, 'pair')} to vote on`,
        ]),
  ];
}

function given({ won, lost, neither }: VotedVariants): number {
  return won + lost + neither;
}

function voteSentence(voted: VotedVariants, comparison: Comparison | undefined, isBrief: boolean): string {
  const { variant, voters, repeated } = voted;
  const pairs = given(voted);
  if (pairs === voted.identical) {
    const other = comparison === undefined ? voted.baseline : sidesOf(comparison)[1];
    return `${variant} and ${other} are identical in ${plural(pairs, 'pair')}: nothing to vote on`;
  }
  const alike = `${count(repeated.alike)} of ${plural(repeated.of, 'repeated answer')} alike`;
  return preferenceSentence(
    voted,
    comparison,
    {
      prefers: voters === 1 ? 'One voter prefers' : 'People prefer',
      doubts: 'Votes do not tell',
      evidence: [...(voters === 1 ? [] : [plural(voters, 'voter')]), ...(repeated.of === 0 ? [] : [alike])],
      open: 'without a vote',
    },
    isBrief,
  );
}
