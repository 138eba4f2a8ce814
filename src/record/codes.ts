import type { Sample } from './journal.ts';

export const OUTCOMES = [
  'ok',
  'moderated',
  'throttled',
  'no_credit',
  'rejected',
  'error',
  'timed_out',
  'unknown_charged',
  'invalid_media',
  'cancelled',
  'dropped',
  'defect',
] as const;
/** results/README.md describes each. */
export type Outcome = (typeof OUTCOMES)[number];

/** Start of a sample's call; for a dropped sample the time it was due. */
export function beganMs({ marks }: Pick<Sample, 'marks'>): number {
  return marks.startedMs ?? marks.scheduledMs;
}

/** `neither`: both are equally good. `skip`: the voter cannot say. */
export const VOTE_CHOICES = ['left', 'right', 'neither', 'skip'] as const;
export type VoteChoice = (typeof VOTE_CHOICES)[number];

/** Worse copies of an output. A scorer whose values have a direction must find one kind of them. */
export const CONTROLS = ['blurred', 'jpeg', 'other_prompt'] as const;
export type Control = (typeof CONTROLS)[number];

/** Outputs that are copied for each kind; with fewer, none is copied. */
export const CONTROL_SAMPLES = 16;

/** What a gate says of a run, the most urgent first. */
export const GATE_VERDICTS = ['fail', 'inconclusive', 'pass_unfit', 'pass', 'none'] as const;
