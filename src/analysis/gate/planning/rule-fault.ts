import type { GateEvent } from '../../../suite/format/gate.ts';
import type { Bound } from '../../../suite/format/rule.ts';
import type { ProbeKind, WrittenAs } from '../../../suite/format/suite.ts';
import type { Ungated } from '../../measures/metric.ts';

/**
 * Why a rule is refused before anything is sent: a code with what belongs to it. Words for it are the reports'
 * business.
 */
export type RuleFault = { readonly index: number; readonly key: string } & RuleFaultReason;

/** A reason with the key of the rule that is at fault; `''`: the rule itself. */
export type KeyedReason = readonly [key: string, reason: RuleFaultReason];

export type RuleFaultReason =
  | { readonly code: 'unknown_metric'; readonly metric: string; readonly known: readonly string[] }
  | {
      readonly code: 'unknown_name';
      readonly what: 'variant' | 'prompt' | 'tag';
      readonly id: string;
      readonly known: readonly string[];
    }
  /** No variant, or no prompt of one, is left by what the rule is narrowed to. */
  | { readonly code: 'about_nothing' }
  | {
      readonly code: 'unknown_statistic';
      readonly metric: string;
      readonly statistic: string;
      readonly known: readonly string[];
    }
  /** The metric says nothing of a single take. */
  | { readonly code: 'not_comparable'; readonly metric: string }
  /** A statistic that no block has, such as a tail quantile. */
  | { readonly code: 'not_by_block'; readonly metric: string; readonly statistic: string }
  /** No outcome of any run decides a rule by this metric. */
  | { readonly code: 'never_decided'; readonly metric: string; readonly why: Ungated['never'] }
  /** What the metric stands on is not in the plan. */
  | { readonly code: 'needs_open_load' | 'needs_repeats'; readonly metric: string }
  | { readonly code: 'needs_seeds'; readonly metric: string; readonly fewest: number }
  /** A value of all that a variant does, narrowed to prompts. */
  | { readonly code: 'of_variant'; readonly metric: string }
  | { readonly code: 'needs_probe'; readonly metric: string; readonly probe: ProbeKind }
  | { readonly code: 'wrong_direction'; readonly metric: string; readonly better: 'lower' | 'higher' }
  /** A change of what counts events: it has a rise, in points. */
  | { readonly code: 'counts_events'; readonly metric: string }
  /** A percentage of what may be 0, or an amount of what is compared by ratio. */
  | { readonly code: 'not_a_ratio' | 'not_a_difference'; readonly metric: string }
  | { readonly code: 'not_a_rate'; readonly metric: string }
  | { readonly code: 'wrong_unit'; readonly metric: string; readonly wants: WrittenAs }
  /** Earlier runs are compared by the ratio of a metric alone, over cells. */
  | { readonly code: 'no_ratio_in_history' | 'no_rate_in_history' | 'no_scope_in_history' }
  | { readonly code: 'zero_limit' }
  | { readonly code: 'above_all'; readonly metric: string }
  | { readonly code: 'needs_over'; readonly metric: string }
  | { readonly code: 'takes_no_over'; readonly metric: string; readonly known: readonly string[] }
  | {
      readonly code: 'over_beyond_timeout';
      readonly overMs: number;
      readonly timeoutMs: number;
      readonly variant: string;
    }
  | { readonly code: 'wrong_event'; readonly event: GateEvent; readonly metrics: readonly string[] }
  /**
   * Digests alone do not tell whether two outputs are equal at this level, and the media of the baseline's run are
   * gone.
   */
  | { readonly code: 'stability_needs_media'; readonly metric: string; readonly run: string }
  /** Stability compares with a stored baseline; all else only with one whose variants are sent again. */
  | { readonly code: 'needs_stored_baseline' | 'not_against_baseline'; readonly metric: string }
  /** The stored baseline that is sent again lacks every variant that the rule is about. */
  | { readonly code: 'not_in_baseline'; readonly variants: readonly string[] }
  /** A bound of a value of its own, or on events, says nothing of a baseline. */
  | { readonly code: 'compares_nothing'; readonly bound: Bound['is'] }
  /** Stability is a share of cells: it has `none: change` and `min`. */
  | { readonly code: 'not_of_stability'; readonly metric: string }
  /** `scope: prompts` needs independent cell pairs. */
  | { readonly code: 'prompts_above_one' }
  /** Only a change of values is taken over prompts. */
  | { readonly code: 'no_scope_of_bound' }
  | { readonly code: 'mixed_order'; readonly madeOf: 'latencies' | 'completions' }
  /** One variant after the other: what the service drifts by would be in the change. */
  | { readonly code: 'sequential_order' }
  | { readonly code: 'sweep' }
  /**
   * Even if every cell of this plan still matches the stored baseline, too few do to pass; `needs` is null where no
   * number would do.
   */
  | { readonly code: 'too_few_cells'; readonly variant: string; readonly n: number; readonly needs: number | null }
  /** Open load that ends before ten times the limit. */
  | { readonly code: 'short_load'; readonly variant: string; readonly lastsMs: number; readonly needsMs: number }
  /** Even the best, or the worst, outcome of this plan decides nothing. */
  | {
      readonly code: 'cannot_pass' | 'cannot_fail';
      readonly variant: string;
      readonly units: 'cells' | 'rounds' | 'prompts' | 'blocks' | 'takes';
      readonly n: number;
      /** The fewest that would do; null where no number would. */
      readonly needs: number | null;
      readonly comparisons: number;
    };
