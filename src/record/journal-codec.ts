import type { Fact } from './fact.ts';
import type { JournalEvent } from './journal.ts';

/** A line that cannot be read as what it should be, and is not the torn last one. */
export class DamagedLine extends Error {
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.name = 'DamagedLine';
    this.line = line;
  }
}

/** One event as one line, newline included. */
export function encodeEvent(event: JournalEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** One fact as one line, newline included. */
export function encodeFact(fact: Fact): string {
  return `${JSON.stringify(fact)}\n`;
}

/** Collects the lines of a JSON-lines file that is read in pieces. */
export interface LineReader<T> {
  /** Takes the next piece of the file. Throws DamagedLine. */
  readonly push: (piece: string) => void;
  /** What was read; `torn` when the last line had no newline and was dropped: its writer was killed in the middle. */
  readonly end: () => { readonly values: readonly T[]; readonly torn: boolean };
}

/** Reads journal.jsonl. */
export function readJournal(): LineReader<JournalEvent> {
  return readLines(isEvent);
}

/** Reads facts.jsonl. */
export function readFacts(): LineReader<Fact> {
  return readLines(isFact);
}

function readLines<T>(accepts: (value: unknown) => value is T): LineReader<T> {
  const values: T[] = [];
  let rest = '';
  let line = 0;
  return {
    push: (piece) => {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) {
        line += 1;
        values.push(decode(text, line, accepts));
      }
    },
    end: () => ({ values, torn: rest !== '' }),
  };
}

function decode<T>(text: string, line: number, accepts: (value: unknown) => value is T): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DamagedLine(line, 'not JSON');
  }
  if (!accepts(value)) throw new DamagedLine(line, 'not an entry that this version knows');
  return value;
}

/*
 * The record is our own: what is checked is that a line is whole and of a known sort, so that a file damaged by hand
 * or by another program is named, not that every field holds what we wrote.
 */
function isEvent(value: unknown): value is JournalEvent {
  if (!isObject(value)) return false;
  switch (value.event) {
    case 'segment':
      return (
        hasNumbers(value, 'segment') && (value.state === 'started' || (value.state === 'ended' && isObject(value.stop)))
      );
    case 'intent':
      return hasNumbers(value, 'segment', 'slice', 'atMs') && isTrial(value.trial);
    case 'accepted':
      return hasNumbers(value, 'segment', 'atMs') && typeof value.trial === 'string' && isObject(value.captured);
    case 'cancel':
      return (
        hasNumbers(value, 'segment', 'atMs') && typeof value.trial === 'string' && typeof value.cancelled === 'boolean'
      );
    case 'attempt':
      return hasNumbers(value, 'segment', 'attempt', 'waitMs', 'atMs') && typeof value.trial === 'string';
    case 'given_up':
      return hasNumbers(value, 'segment', 'atMs') && typeof value.variant === 'string' && isObject(value.why);
    case 'sample':
      return isSample(value.sample);
    default:
      return false;
  }
}

function isSample(value: unknown): boolean {
  return (
    isObject(value) &&
    isTrial(value.trial) &&
    hasNumbers(value, 'segment', 'slice', 'attempts') &&
    typeof value.outcome === 'string' &&
    isObject(value.marks) &&
    isObject(value.reported) &&
    Array.isArray(value.flags) &&
    (Array.isArray(value.outputs) || isObject(value.error))
  );
}

function isTrial(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    typeof value.variant === 'string' &&
    (value.seed === null || typeof value.seed === 'number') &&
    hasNumbers(value, 'repeat')
  );
}

function isFact(value: unknown): value is Fact {
  if (!isObject(value)) return false;
  if (value.fact === 'pair') {
    return typeof value.a === 'string' && typeof value.b === 'string' && typeof value.compared === 'boolean';
  }
  return (
    value.fact === 'output' &&
    typeof value.sha256 === 'string' &&
    (typeof value.decodes === 'boolean' || value.decodes === null)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasNumbers(value: Record<string, unknown>, ...keys: readonly string[]): boolean {
  return keys.every((key) => typeof value[key] === 'number');
}
