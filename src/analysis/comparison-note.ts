import { plural, probability } from '../kit/wording.ts';

/*
 * What must be known to read a comparison: codes, each with its words. Some have a number. analysis.json and CSV have
 * the codes.
 */

export const BY_LESS_THAN_NOISE = "by less than this machine's noise";

export const NOT_KEPT_UP = 'this machine could not keep up';

const PLAIN = {
  no_pair: 'no pair of takes has both values',
  candidate_timed_out: 'most pairs timed out',
  baseline_timed_out: 'the baseline variant timed out in most pairs',
  ci_low_open: 'time-outs leave the lower end of the interval open',
  ci_high_open: 'time-outs leave the upper end of the interval open',
  contended: 'variants were in flight together',
  sequential: 'variants were sent one after the other: drift is in the difference',
  /** Decides nothing: the floor is of single calls. */
  below_noise_floor: BY_LESS_THAN_NOISE,
  /** The latencies of one side are not to be used. */
  unfit_machine: NOT_KEPT_UP,
  flagged_disagree: 'flagged takes change it',
  all_flagged: 'nothing is left of it without flagged takes',
};

const NUMBERED = {
  needs_blocks: (n: number) => `no interval: fewer than ${plural(n, 'block')}`,
  needs_cell_pairs: (n: number) => `no interval: fewer than ${plural(n, 'cell pair')}`,
  needs_rounds: (n: number) => `no interval: fewer than ${plural(n, 'round')}`,
  needs_prompts: (n: number) => `no interval: fewer than ${plural(n, 'prompt')}`,
  rounds: (n: number) => plural(n, 'round'),
  /** The test of Kruskal and Wallis. */
  differs_by_prompt: (p: number) => `the difference depends on the prompt (p ${probability(p)})`,
};

export const PLAIN_COMPARISON_NOTES = Object.keys(PLAIN) as (keyof typeof PLAIN)[];
export const NUMBERED_COMPARISON_NOTES = Object.keys(NUMBERED) as (keyof typeof NUMBERED)[];

export type ComparisonNote =
  | { readonly code: keyof typeof PLAIN }
  | { readonly code: keyof typeof NUMBERED; readonly value: number };

/** As one sentence. */
export function comparisonNoteWords(notes: readonly ComparisonNote[]): string {
  return notes.map((note) => ('value' in note ? NUMBERED[note.code](note.value) : PLAIN[note.code])).join('; ');
}
