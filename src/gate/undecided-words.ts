import { FEWEST_RUNS } from '../analysis/earlier-runs.ts';
import { needsTakes, PLAIN_NOTES, WITHOUT_FLAGGED } from '../analysis/note.ts';
import { MOST_MISSING } from '../analysis/pair-units.ts';
import { LIMITS_OF_LOAD } from '../analysis/sample-times.ts';
import { declaredWords } from '../kit/value-words.ts';
import { count, plural, share } from '../kit/wording.ts';
import type { GateRule } from '../suite/rule.ts';
import { SCORE_PREFIX, VOTES } from '../suite/score-label.ts';
import { isBeyond } from './allowed-range.ts';
import { kindOf } from './bounds.ts';
import { EXCLUDED_MULTIPLE } from './planned-reach.ts';
import type { InconclusiveCode, NotApplicableCode, RuleResult } from './verdict.ts';

type UndecidedResult = Pick<RuleResult, 'needs' | 'n' | 'rule' | 'unit' | 'units' | 'missingPairs'> & {
  readonly code: InconclusiveCode;
};

/** Why nothing is decided, as a clause. */
export function inconclusiveWords(result: UndecidedResult): string {
  const { code, needs, n, rule, unit, units, missingPairs } = result;
  const { bound } = rule;
  switch (code) {
    case 'no_interval':
      return needs === null ? 'too few takes for an interval' : needsTakes(needs);
    case 'short_history':
      return `${count(n)} of ${plural(FEWEST_RUNS + 1, 'comparable earlier run')} so far`;
    case 'spans_limit': {
      const limit = 'value' in bound ? declaredWords(bound.value, unit) : 'the limit';
      return `may be above or below ${limit}: more ${units === 'cells' ? 'prompts or seeds' : 'takes'} would tell`;
    }
    case 'too_many_missing': {
      if (rule.metric !== `${SCORE_PREFIX}${VOTES}`)
        return `more than ${count(100 * MOST_MISSING)} % of the pairs of takes lack a value`;
      // Of a prompt and seed, one pair is voted on.
      const open =
        units === 'cells'
          ? `${count(missingPairs)} of ${plural(n + missingPairs, 'pair')}`
          : plural(missingPairs, 'pair');
      return `${open} ${missingPairs === 1 ? 'has' : 'have'} no vote yet; go on with "retake vote"`;
    }
    default:
      return INCONCLUSIVE_WORDS[code];
  }
}

type WithNumbers = 'no_interval' | 'short_history' | 'spans_limit' | 'too_many_missing';

const INCONCLUSIVE_WORDS: Readonly<Record<Exclude<InconclusiveCode, WithNumbers>, string>> = {
  limit_not_excluded: `could still be ${count(EXCLUDED_MULTIPLE)} times the limit: more takes would tell`,
  not_significant: 'beyond the limit, perhaps by chance: more takes would tell',
  unknown_cost: 'requests of unknown cost could put it beyond the limit',
  too_few_units: 'too few takes to tell',
  nothing_to_count: 'nothing was measured that this rule counts',
  not_testable: 'cannot be tested: repeats come from a cache',
  short_load: `the load lasted less than ${count(LIMITS_OF_LOAD)} times the limit`,
  lost_blocks: 'takes that the variant failed could hide a change',
  flagged_disagree: WITHOUT_FLAGGED,
  coarse_polls: 'asks for results too seldom: set a shorter wait.poll.min_every in the target',
  mixed_order: 'variants were in flight together',
  sequential_order: 'variants were sent one after the other, so the difference includes drift of the service',
  left_out: 'the variant was not measured to its end',
  no_baseline: 'no stored baseline; keep one with "retake baseline"',
  beyond_once: 'this run is beyond the limit, the run before is not',
  not_within_history: 'this run and the one before are not shown to be within the limit',
  lost_cells: 'a prompt x seed of earlier runs has no value now',
  no_common_cell: 'no prompt x seed in common',
  no_model_reported: 'the service, now or then, does not say which model answered',
  no_stable_cell: 'for no prompt x seed does the stored baseline have 2 or more takes that are all equal',
  no_media: 'the media of the stored baseline are gone',
  not_scored: 'some outputs have no score or vote yet; run "retake score" or "retake vote"',
  control_failed: PLAIN_NOTES.control_failed,
  too_few_for_control: PLAIN_NOTES.too_few_for_control,
  claim_open: 'too few pairs of takes speak for it or against it',
  ratio_changed: 'the ratio changed during the run: the first half of its pairs differs from the last',
  other_shape: 'the outputs have another shape than the input, so nothing outside the mask is measured',
};

export const NOT_APPLICABLE_WORDS: Readonly<Record<NotApplicableCode, string>> = {
  optional_left_out: 'this machine cannot measure the variant, which is optional',
};

/** What accepts runs that a rule against a few earlier ones fails, as a clause. */
export const NEW_LEVEL =
  'if this change is intended, keep this run as the stored baseline and count runs from it on: retake baseline RUN --restart-history';

/** What a rule against earlier runs does not find, as a clause. */
export const SLOW_DRIFT =
  'a slow drift is not found, since earlier runs then vary more: bound the value with max or min';

export function varyWords(runs: number, spread: number): string {
  return `${plural(runs, 'earlier run')} vary by ${share(spread)}`;
}

/**
 * `below max_increase: 8% unchanged runs are mostly not decided`; empty where the limit is wider.
 *
 * @param passes the limit, as a ratio, within which they mostly pass
 */
export function rarelyPassWords(rule: GateRule, passes: number | null): string {
  if (passes === null || !isBeyond(kindOf(rule).allows, passes)) return '';
  // Rounded up, so that runs within the printed percentage pass.
  return `below ${rule.bound.is}: ${Math.ceil(100 * Math.abs(passes - 1))}% unchanged runs are mostly not decided`;
}
