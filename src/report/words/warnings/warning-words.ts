import type { Warning } from '../../../analysis/warning-codes/coded-warning.ts';
import { failureWarningWords } from './failure-warning-words.ts';
import { harnessWarningWords } from './harness-warning-words.ts';
import { loadWarningWords } from './load-warning-words.ts';
import { outputWarningWords } from './output-warning-words.ts';
import { probeWarningWords } from './probe-warning-words.ts';
import { runWarningWords } from './run-warning-words.ts';
import { seedWarningWords } from './seed-warning-words.ts';
import type { WarningText } from './warning-text.ts';

export interface WarningWords extends WarningText {
  readonly unfit?: true;
}

export function warningWords(warning: Warning): WarningWords {
  return { ...(warning.unfit === true ? { unfit: true } : {}), ...textOf(warning) };
}

function textOf(warning: Warning): WarningText {
  switch (warning.code) {
    case 'incomplete':
    case 'variants_left_out':
    case 'changed_environment':
    case 'unanswered_requests':
    case 'single_takes':
    case 'not_warmed_up':
    case 'warmup_failed':
      return runWarningWords(warning);
    case 'defects':
    case 'many_failures':
    case 'missing_pairs':
    case 'undecodable_outputs':
    case 'rate_limited':
      return failureWarningWords(warning);
    case 'too_many_late_stamps':
    case 'flags_disagree':
    case 'late_starts':
    case 'dropped_starts':
    case 'abandoned_requests':
    case 'unfit_machine':
      return harnessWarningWords(warning);
    case 'queue_grows':
    case 'dependent_takes':
    case 'service_stalled':
    case 'coarse_polls':
    case 'contended':
    case 'drift_confounded':
    case 'concurrency_not_reached':
    case 'measured_in_shards':
      return loadWarningWords(warning);
    case 'not_decoded':
    case 'not_compared':
    case 'blank_outputs':
    case 'other_size':
    case 'flagged_samples':
      return outputWarningWords(warning);
    case 'seed_not_honoured':
    case 'other_seed_echoed':
    case 'no_seed_sent':
    case 'same_for_all_seeds':
    case 'equal_variants':
      return seedWarningWords(warning);
    case 'served_from_cache':
    case 'seed_ignored':
    case 'seed_unstable':
    case 'seed_similar':
    case 'omitted_seed_constant':
    case 'omitted_seed_random':
    case 'batch_dependent':
    case 'probe_not_testable':
    case 'probe_left_out':
      return probeWarningWords(warning);
  }
}
