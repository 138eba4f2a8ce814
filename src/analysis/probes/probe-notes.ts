import type { Note } from '../note.ts';
import { noted } from '../noted.ts';
import type { ProbeReason } from './probe-finding.ts';

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

/** A number of a note: three significant digits, never so small that it prints in exponent form. */
export function rounded(value: number): number {
  return value < 1e-6 ? 0 : Number(value.toPrecision(3));
}
