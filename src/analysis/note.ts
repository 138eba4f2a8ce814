/**
 * What must be known to read a measure: codes joined by `;`, each with an optional number (`needs_n=59`). Words for them are
 * the reports' business (report/note-words.ts); results/README.md lists them.
 */
export type NoteCode =
  /** Too few: of trials that counted, for an interval or for a value at all. */
  | 'needs_n'
  | 'value_needs_n'
  | 'no_trial'
  | 'no_delivered_trial'
  /** The value lies above so many milliseconds, among time-outs; or between the last that came in time and those. */
  | 'censored_above_ms'
  | 'next_to_time_outs'
  | 'ci_high_above_ms'
  | 'ci_above_ms'
  | 'timed_out'
  | 'timed_out_left_out'
  /** Takes depend on those before: r, what they are worth, and where they are worth no interval. */
  | 'autocorrelation'
  | 'effective_n'
  | 'too_dependent'
  | 'needs_prompts'
  /** There is none, whatever n. */
  | 'no_interval'
  | 'closed_load'
  | 'ceiling'
  | 'mixed_order'
  | 'slices_too_short'
  | 'needs_slices'
  | 'short_slices_left_out'
  /** Of a knee. */
  | 'needs_steps'
  | 'all_timed_out'
  | 'rises_to_step'
  | 'falls_from_step'
  | 'steps_not_told_apart'
  | 'not_told_from_step';

/** A code with its number, as it stands in a note. */
export function noted(code: NoteCode, value?: number): string {
  return value === undefined ? code : `${code}=${value}`;
}
