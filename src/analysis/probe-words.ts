import { count, plural } from '../kit/wording.ts';
import { type Note, NUMBERED_PROBE_WORDS, noted, PLAIN_PROBE_WORDS } from './note.ts';
import type { ProbeReason } from './probe.ts';

/** Why something is not testable, as notes of a measure. */
export function reasonNotes(reason: ProbeReason | null): readonly Note[] {
  if (reason === null) return [];
  switch (reason.code) {
    case 'requests_failed':
      return [
        noted('requests_failed', reason.failed),
        noted('requests_sent', reason.sent),
        noted(`most_often_${reason.outcome}`),
      ];
    case 'no_take':
    case 'one_take':
      return [noted(reason.code, reason.sent)];
    case 'too_few_pairs':
      return [noted('needs_pairs', reason.needs)];
    case 'too_few_seeds':
      return [noted('too_few_seeds', reason.seeds)];
    default:
      return [noted(reason.code)];
  }
}

/** Why something is not testable, as a clause. May hold hostile text: an error code. */
export function probeReason(reason: ProbeReason): string {
  switch (reason.code) {
    case 'requests_failed': {
      const error = reason.error === '' || reason.error === reason.outcome ? '' : ` (${reason.error})`;
      return `${count(reason.failed)} of ${plural(reason.sent, 'request')} of the probe failed, most often ${reason.outcome}${error}`;
    }
    case 'one_take':
      return `only one of ${plural(reason.sent, 'take')} of the first prompt and seed was delivered: nothing to compare it with`;
    case 'not_compared':
      return 'takes have different bytes and were not compared further';
    case 'too_few_pairs':
      return `${plural(reason.pairs, 'pair')} delivered; the test needs ${count(reason.needs)}`;
    case 'no_take':
      return NUMBERED_PROBE_WORDS.no_take(reason.sent);
    case 'too_few_seeds':
      return NUMBERED_PROBE_WORDS.too_few_seeds(reason.seeds);
    default:
      return PLAIN_PROBE_WORDS[reason.code];
  }
}

/** Three significant digits; 0 below 1e-6, to avoid exponent form. */
export function rounded(value: number): number {
  return value < 1e-6 ? 0 : Number(value.toPrecision(3));
}

/** What a probe found, in words. */
export interface ProbeStatement {
  readonly word: string;
  readonly evidence: string;
  /** True if numbers are biased, or the target's claim is wrong. */
  readonly bad: boolean;
}
