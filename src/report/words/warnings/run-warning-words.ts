import type { WarningOf } from '../../../analysis/warning-codes/coded-warning.ts';
import type { RunWarning } from '../../../analysis/warning-codes/run-warning.ts';
import { count, listedInShort, plural } from '../../../kit/wording.ts';
import { leftOutReason } from '../outcome-words.ts';
import { incompleteCause, incompleteRemedy } from '../stop-words.ts';
import type { WarningText, WordsOf } from './warning-text.ts';

export const RUN_WARNING_WORDS: WordsOf<RunWarning['code']> = {
  incomplete: incompleteWords,
  variants_left_out: (warning) => ({
    what: `${plural(warning.variants.length, 'variant')} of the suite left out: ${listedInShort(warning.variants)}`,
    cause: leftOutReason(warning.reason),
    remedy:
      'run npm install --include=optional, set base_url to a service that makes video, or mark the variants optional: true',
  }),
  changed_environment: (warning) => {
    const one = warning.names.length === 1;
    return {
      what: `${listedInShort(warning.names)} ${one ? 'has another value' : 'have other values'} than when the stored baseline was measured (${warning.baselineRun})`,
      cause: `the variants of the stored baseline were sent with the ${one ? 'value' : 'values'} of this run`,
      remedy: `to compare two deployments, keep ${one ? 'it' : 'them'} and set base_url or const of the suite's variants`,
    };
  },
  unanswered_requests: (warning) => ({
    what: `${plural(warning.requests, 'request')} ${warning.requests === 1 ? 'was' : 'were'} sent but not answered`,
    cause: 'the process was killed while they were in flight',
    remedy: 'check your account at the service: they may have been charged',
  }),
  single_takes: () => ({
    what: 'determinism cannot be measured: each prompt and seed has one take',
    cause: 'repeats is 1',
    remedy: 'set repeats to 2 or more',
  }),
  not_warmed_up: () => ({
    what: 'no warm-up was sent',
    cause: 'load.warmup is 0, so the first takes may include a cold start and new connections',
    remedy: 'set load.warmup to 1 or more',
  }),
  warmup_failed: (warning) => ({
    what: `every warm-up of ${listedInShort(warning.variants)} failed`,
    cause: 'the first takes may include a cold start and new connections',
    remedy: 'look at the warm-ups in samples.csv',
  }),
};

function incompleteWords(warning: WarningOf<'incomplete'>): WarningText {
  const { missing, planned, missingProbes } = warning;
  const probes = missingProbes === 0 ? '' : `, ${plural(missingProbes, 'probe')} not sent`;
  return {
    what: `the run is incomplete: ${count(missing)} of ${plural(planned, 'take')} were not measured${probes}`,
    cause: incompleteCause(warning),
    remedy: `${incompleteRemedy(warning)}; the numbers cover only what was measured`,
  };
}
