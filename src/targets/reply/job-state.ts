import type { Json } from '../../suite/document/json.ts';
import { type Locator, locate, type Readable } from '../language/locator.ts';
import type { JobState, StateRule } from '../model/job.ts';
import { isAmong } from './fail.ts';

/** What a reply says of a job by the rule for its state. */
export type FoundState =
  | { readonly found: 'state'; readonly state: JobState }
  /** A value that no list has, and where it stands. */
  | { readonly found: 'unlisted'; readonly value: Json; readonly at: Locator }
  /** Nothing is there, and the rule does not say what that means. */
  | { readonly found: 'nothing' };

/** Whether a poll can tell a job that waits from one that is being worked on. */
export function tellsRunning({ absent, listed }: StateRule): boolean {
  const states = [...listed.map(({ state }) => state), absent];
  return states.includes('pending') && states.includes('running');
}

/** Reads the state: the first of its places that holds something counts. */
export function readState({ at, absent, listed }: StateRule, reply: Readable): FoundState {
  for (const locator of at) {
    const value = locate(locator, reply);
    if (value === undefined) continue;
    const state = stateOf(value, listed);
    return state === null ? { found: 'unlisted', value, at: locator } : { found: 'state', state };
  }
  return absent === null ? { found: 'nothing' } : { found: 'state', state: absent };
}

/** The state that the HTTP status alone tells; null where the rule does not ask for the status, or does not list it. */
export function stateOfStatus({ at, listed }: StateRule, status: number): JobState | null {
  const asked = at.some((locator) => locator.at === 'status');
  return asked ? (listed.find(({ test, values }) => test === 'in' && values.includes(status))?.state ?? null) : null;
}

/** The state that a value means; null where it is not listed. */
export function stateOf(value: Json, listed: StateRule['listed']): JobState | null {
  const named = listed.find(({ test, values }) => test === 'in' && isAmong(value, values));
  const other = listed.find(({ test, values }) => test === 'not' && !isAmong(value, values));
  return (named ?? other)?.state ?? null;
}
