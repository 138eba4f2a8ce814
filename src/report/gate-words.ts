import { noIntervalBelow } from '../analysis/note.ts';
import type { InconclusiveCode, NotApplicableCode, RuleResult, Verdict } from '../analysis/verdict.ts';

/** Whether something is as it should be, needs care, or is not to be used; null says nothing. */
export type Tone = 'good' | 'warn' | 'bad' | null;

interface GateState {
  readonly words: string;
  readonly tone: Tone;
}

/** What a gate says of a run, and in which colour: the same on every page, terminal, summary and list. */
export const GATE_STATES: Readonly<Record<Verdict['verdict'], GateState>> = {
  pass: { words: 'passed', tone: 'good' },
  pass_unfit: { words: 'passed, machine unfit', tone: 'warn' },
  fail: { words: 'failed', tone: 'bad' },
  inconclusive: { words: 'inconclusive', tone: 'warn' },
  none: { words: 'no gate', tone: null },
};

/** `Gate passed`, `No gate`. */
export function gateWords(verdict: Verdict['verdict']): string {
  return verdict === 'none' ? 'No gate' : `Gate ${GATE_STATES[verdict].words}`;
}

/** The gate of a run that is not complete decides nothing. */
export function runVerdict({ verdict, complete }: Pick<Verdict, 'verdict' | 'complete'>): GateState {
  return complete ? { ...GATE_STATES[verdict], words: gateWords(verdict) } : { words: 'Incomplete', tone: 'bad' };
}

const TONES = { pass: 'good', fail: 'bad', inconclusive: 'warn', not_applicable: null } as const;

/** A pass that rests on an unfit machine needs care. */
export function toneOf({ verdict, unfit }: Pick<RuleResult, 'verdict' | 'unfit'>): Tone {
  return verdict === 'pass' && unfit ? 'warn' : TONES[verdict];
}

/** Why nothing is decided, as a clause. */
export function inconclusiveWords(code: InconclusiveCode, needs: number | null): string {
  return code === 'no_interval' && needs !== null ? noIntervalBelow(needs) : INCONCLUSIVE_WORDS[code];
}

const INCONCLUSIVE_WORDS: Readonly<Record<InconclusiveCode, string>> = {
  limit_not_excluded: 'a change of three times the limit is not excluded',
  not_significant: 'beyond the limit, but not significantly',
  spans_limit: 'the interval contains the limit',
  unknown_cost: 'requests of unknown cost could put it beyond the limit',
  too_few_units: 'too few for a bound',
  no_interval: 'no interval: too few takes for one',
  nothing_to_count: 'nothing that this rule counts was measured',
  not_testable: 'not testable: repeats come from a cache',
  short_load: 'the load lasted less than 10 times the limit',
  too_many_missing: 'more than 20 % of the pairs of takes lack a value',
  lost_blocks: 'the failures of the candidate could hide a change',
  flagged_disagree: 'the verdict changes without flagged takes',
  coarse_polls: 'polls are too far apart: lower wait.poll.min_every',
  mixed_order: 'variants were in flight together',
  sequential_order: 'variants were sent one after the other, so the difference includes drift of the service',
  left_out: 'the variant was not measured to its end',
  no_baseline: 'no stored baseline; keep one with "retake baseline"',
  short_history: 'too few comparable runs before this one, needs 9',
  beyond_once: 'this run is beyond the limit, the run before is not',
  not_within_history: 'this run and the one before are not shown to be within the limit',
  lost_cells: 'a cell of earlier runs has no value now',
  no_common_cell: 'no cell in common',
  no_stable_cell: 'no cell of the stored baseline has 2 or more takes that are all equal',
  no_media: 'the media of the baseline run are gone',
  not_scored: 'some outputs have no score or vote yet; run "retake score" or "retake vote"',
  control_failed: 'the scorer does not find copies that are known to be worse',
  too_few_for_control: 'fewer than 16 outputs: too few to test the scorer',
};

export const NOT_APPLICABLE_WORDS: Readonly<Record<NotApplicableCode, string>> = {
  optional_left_out: 'this machine cannot measure the variant, which is optional',
};
