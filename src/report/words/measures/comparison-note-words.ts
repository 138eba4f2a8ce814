import type {
  ComparisonNote,
  NumberedComparisonNoteCode,
  PlainComparisonNoteCode,
} from '../../../compare/comparison.ts';
import { plural, probability } from '../../../text/wording.ts';

export const BY_LESS_THAN_NOISE = "by less than this machine's noise";

const PLAIN: Readonly<Record<PlainComparisonNoteCode, string>> = {
  no_pair: 'no pair of takes has both values',
  candidate_timed_out: 'most pairs timed out',
  baseline_timed_out: 'the baseline variant timed out in most pairs',
  ci_low_open: 'time-outs leave the lower end of the interval open',
  ci_high_open: 'time-outs leave the upper end of the interval open',
  contended: 'variants were in flight together',
  sequential: 'variants were sent one after the other: drift is in the difference',
  below_noise_floor: BY_LESS_THAN_NOISE,
  flagged_disagree: 'flagged takes change it',
  all_flagged: 'nothing is left of it without flagged takes',
};

const NUMBERED: Readonly<Record<NumberedComparisonNoteCode, (value: number) => string>> = {
  needs_blocks: (n) => `no interval: fewer than ${plural(n, 'block')}`,
  needs_cell_pairs: (n) => `no interval: fewer than ${plural(n, 'cell pair')}`,
  needs_rounds: (n) => `no interval: fewer than ${plural(n, 'round')}`,
  needs_prompts: (n) => `no interval: fewer than ${plural(n, 'prompt')}`,
  rounds: (n) => plural(n, 'round'),
  differs_by_prompt: (p) => `the difference depends on the prompt (p ${probability(p)})`,
};

export function comparisonNoteWords(notes: readonly ComparisonNote[]): string {
  return notes.map((note) => ('value' in note ? NUMBERED[note.code](note.value) : PLAIN[note.code])).join('; ');
}
