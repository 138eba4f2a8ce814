import type { Fact } from '../model/fact.ts';
import type { JournalEvent } from '../model/journal.ts';

/** One event as one line, newline included. */
export function encodeEvent(event: JournalEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** One fact as one line, newline included. */
export function encodeFact(fact: Fact): string {
  return `${JSON.stringify(fact)}\n`;
}
