import type { InconclusiveCode, NotApplicableCode } from '../../../compare/gate/verdict.ts';

/** As a clause. */
export const INCONCLUSIVE_WORDS: Readonly<Record<InconclusiveCode, string>> = {
  limit_not_excluded: 'a change of three times the limit is not excluded',
  not_significant: 'beyond the limit, but not significantly',
  spans_limit: 'the interval contains the limit',
  unknown_cost: 'requests of unknown cost could put it beyond the limit',
  too_few_units: 'too few for a bound',
  no_interval: 'no interval: too few takes for one',
  nothing_to_count: 'nothing that this rule counts was measured',
  not_testable: 'not testable: repeats come from a cache',
  short_load: 'the load lasted less than 10 times the limit',
  too_many_missing: 'more than 20 % of the blocks lack a value',
  lost_blocks: 'the failures of the candidate could hide a change',
  flagged_disagree: 'the verdict changes without flagged blocks',
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
};

export const NOT_APPLICABLE_WORDS: Readonly<Record<NotApplicableCode, string>> = {
  optional_left_out: 'this machine cannot measure the variant, which is optional',
};
