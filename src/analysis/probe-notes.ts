import type { ProbeReason } from './probe-finding.ts';

/** The notes of a measure that say why a probe is not testable: codes, with the number that belongs to each. */
export function reasonNotes(reason: ProbeReason | null): readonly string[] {
  if (reason === null) return [];
  switch (reason.code) {
    case 'requests_failed':
      return [`requests_failed=${reason.failed}`, `requests_sent=${reason.sent}`, `most_often_${reason.outcome}`];
    case 'no_take':
    case 'one_take':
      return [`${reason.code}=${reason.sent}`];
    case 'too_few_pairs':
      return [`needs_pairs=${reason.needs}`];
    case 'too_few_seeds':
      return [`too_few_seeds=${reason.seeds}`];
    default:
      return [reason.code];
  }
}

/** A number of a note: three significant digits, never in exponent form. */
export function rounded(value: number): string {
  if (value < 1e-6) return '0';
  return String(Number(value.toPrecision(3)));
}
