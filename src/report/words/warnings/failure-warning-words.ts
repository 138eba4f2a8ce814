import type { WarningOf } from '../../../analysis/warning-codes/coded-warning.ts';
import type { FailureKind, FailureWarning } from '../../../analysis/warning-codes/failure-warning.ts';
import { count, listedInShort, plural, rate, rateUnit, share } from '../../../kit/wording.ts';
import { decodeReason, failureMessage } from '../outcome-words.ts';
import type { WarningText, WordsOf } from './warning-text.ts';

/** Messages of servers in it are not cut. */
export const FAILURE_WARNING_WORDS: WordsOf<FailureWarning['code']> = {
  defects: (warning) => ({
    what: `${plural(warning.trials, 'take')} failed inside Retake`,
    cause: 'internal error in Retake; see the failures',
    remedy: 'please report it; these takes are left out of rates and latencies',
  }),
  many_failures: failuresWords,
  missing_pairs: pairsWords,
  undecodable_outputs: (warning) => ({
    what: `${plural(warning.outputs, 'output')} of ${listedInShort(warning.variants)} could not be decoded`,
    cause: decodeReason(warning.reason) || 'the bytes are damaged or cut short',
    remedy: 'open the files under media/; these outputs count as failures and are left out of latency',
  }),
  rate_limited: rateLimitWords,
};

function failuresWords({ variant, failed, takes, mostOften }: WarningOf<'many_failures'>): WarningText {
  return {
    what: `${count(failed)} of ${plural(takes, 'take')} of ${variant} failed (${share(failed / takes)})`,
    cause: mostOften === null ? 'see the failures' : `most often ${kindWords(mostOften)}`,
    remedy: failureRemedy(mostOften),
  };
}

function kindWords(kind: FailureKind): string {
  const { outcome, errorCode, httpStatus } = kind;
  const status = httpStatus === null ? '' : `, HTTP ${httpStatus}`;
  const named = errorCode === '' || errorCode === outcome ? outcome : `${outcome} (${errorCode})`;
  // The service's own words may name the remedy.
  const said = failureMessage(kind);
  return `${named}${status}: ${plural(kind.count, 'time')}${said === '' ? '' : `; message: ${said}`}`;
}

function failureRemedy(mostOften: FailureKind | null): string {
  if (mostOften?.httpStatus === 401 || mostOften?.httpStatus === 403) return 'check the key and its permissions';
  if (mostOften?.outcome === 'timed_out')
    return 'raise the limit that the message names, or lower the load; time-outs count as longer than every latency';
  const leftOut = 'failed takes other than time-outs are left out of latency';
  return mostOften?.outcome === 'rejected'
    ? `change the request as the message says, and measure again (retake try shows one call); ${leftOut}`
    : `remove the cause of the failures, and measure again; ${leftOut}`;
}

function pairsWords({
  variant,
  baseline,
  pairs,
  variantMissing,
  baselineMissing,
}: WarningOf<'missing_pairs'>): WarningText {
  return {
    what: `${count(variantMissing + baselineMissing)} of ${plural(pairs, 'pair')} of takes of ${variant} and ${baseline} ${variantMissing + baselineMissing === 1 ? 'lacks' : 'lack'} one of the two latencies`,
    cause: `${plural(variantMissing, 'take')} of ${variant} and ${count(baselineMissing)} of ${baseline} have no latency, but the other take of the pair has one`,
    remedy: 'do not compare the latencies until both variants deliver: the missing takes may be the slow ones',
  };
}

function rateLimitWords({
  variants,
  trials,
  waitedMs,
  mode,
  concurrency,
  servedPerSecond,
}: WarningOf<'rate_limited'>): WarningText {
  const open = mode === 'open';
  const per = rateUnit([servedPerSecond]);
  const served = servedPerSecond === null ? '' : ` (${rate(servedPerSecond, per).replace(' / ', '/')} were accepted)`;
  return {
    what: `${plural(trials, 'take')} of ${listedInShort(variants)} ${trials === 1 ? 'was' : 'were'} rate-limited`,
    cause: `the service refuses requests at ${open ? 'this rate' : `concurrency ${count(concurrency)}`}${served}; ${(waitedMs / 1000).toFixed(1)} s of waiting ${open ? 'count in latency.response, not in latency.total' : 'do not count in latency'}`,
    remedy: open
      ? 'lower load.rate, or ask the service for a higher limit'
      : concurrency === 1
        ? 'send below the limit with load: { mode: open, rate: ... }, or ask the service for a higher limit'
        : 'lower load.concurrency, or ask the service for a higher limit',
  };
}
