import type { ProbeReason } from '../../../analysis/probes/probe-finding.ts';
import { count, plural } from '../../../text/wording.ts';

/** May hold hostile text: the code of an error. */
export function probeReason(reason: ProbeReason): string {
  switch (reason.code) {
    case 'no_seed':
      return 'the target takes no seed';
    case 'no_spare_seed':
      return 'the target takes no seeds besides those of the suite';
    case 'seed_required':
      return 'the target always sends a seed';
    case 'too_few_seeds':
      return `the target takes only ${plural(reason.seeds, 'seed')}, too few to draw fresh ones`;
    case 'concurrency_1':
      return 'load.concurrency is 1, so requests never run together';
    case 'one_cell':
      return 'the plan has one prompt and seed, so requests never run together';
    case 'cached':
      return 'repeats come from a cache';
    case 'requests_failed': {
      const error = reason.error === '' || reason.error === reason.outcome ? '' : ` (${reason.error})`;
      return `${count(reason.failed)} of ${plural(reason.sent, 'request')} of the probe failed, most often ${reason.outcome}${error}`;
    }
    case 'not_sent':
      return 'the run ended before its requests were sent';
    case 'no_take':
      return `no take of the first prompt and seed was delivered (${count(reason.sent)} sent)`;
    case 'one_take':
      return `only one of ${plural(reason.sent, 'take')} of the first prompt and seed was delivered: nothing to compare it with`;
    case 'not_compared':
      return 'takes have different bytes and were not compared further';
    case 'too_few_pairs':
      return `${plural(reason.pairs, 'pair')} delivered; the test needs ${count(reason.needs)}`;
  }
}
