import type { Control } from '../../record/model/controls.ts';
import type { UnscoredReason } from '../../record/model/score.ts';
import { duration, trimmed } from '../../text/wording.ts';

/** A copy that is known to be worse, as a subject: `a blurred copy scores worse in 16 of 16`. */
export const CONTROL_WORDS: Readonly<Record<Control, string>> = {
  blurred: 'a blurred copy',
  jpeg: 'a coarse JPEG copy',
  other_prompt: 'an output of another prompt',
};

type PlainReason = Exclude<UnscoredReason['code'], 'timed_out' | 'refused'>;

const PLAIN: Readonly<Record<PlainReason, string>> = {
  media_missing: 'its file is gone',
  undecodable: 'it does not decode',
  nothing_expected: 'the prompt has nothing in "expect"',
  input_missing: 'the record does not hold the input image',
  died: 'the scorer ended before it answered',
  command_failed: 'the scorer does not start, or ended three times in a row',
  no_first_line: 'the scorer did not say its name first',
  not_a_number: 'the answer is not a number',
  out_of_range: 'the answer is outside the declared range',
  unknown_id: 'the answer has an unknown id',
  answered_twice: 'the scorer answered twice',
  missing_value: 'the answer lacks a declared value',
  unknown_value: 'the answer has an undeclared value',
  line_too_long: 'the answer is longer than 1 MiB',
  not_utf8: 'the answer is not UTF-8',
  not_json: 'the answer is not JSON',
  not_an_answer: 'the answer does not have the shape of one',
};

/** Why an output has no score, as a clause. Holds hostile text: what the scorer says. */
export function unscoredWords(why: UnscoredReason): string {
  switch (why.code) {
    case 'timed_out':
      return `no answer within ${limit(why.limitMs)}`;
    case 'refused':
      return `the scorer says "${why.reason}"`;
    default:
      return PLAIN[why.code];
  }
}

function limit(ms: number): string {
  return ms < 1000 ? duration(ms) : `${trimmed(ms / 1000)} s`;
}
