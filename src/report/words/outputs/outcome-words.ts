import type { EffectiveOutcome } from '../../../analysis/effective-sample.ts';

export const OUTCOME_WORDS: Readonly<Record<EffectiveOutcome, string>> = {
  ok: 'delivered',
  moderated: 'moderated',
  blank: 'blank',
  throttled: 'rate-limited',
  no_credit: 'no credit',
  rejected: 'rejected',
  error: 'error',
  timed_out: 'timed out',
  unknown_charged: 'no answer, may be charged',
  invalid_media: 'invalid media',
  cancelled: 'cancelled',
  dropped: 'dropped',
  defect: 'internal error in Retake',
};

const BY_CODE: ReadonlyMap<string, string> = new Map(Object.entries(OUTCOME_WORDS));

/** A code comes from the data of a page, as text. */
export function outcomeWords(code: string): string {
  return BY_CODE.get(code) ?? code;
}
