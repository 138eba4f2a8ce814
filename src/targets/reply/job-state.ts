import type { Json } from '../../kit/json.ts';
import { type Locator, locate, type Readable } from '../language/locator.ts';
import type { JobState, StateRule } from '../model/job.ts';
import { isAmong } from './fail.ts';

export type FoundState =
  | { readonly found: 'state'; readonly state: JobState }
  | { readonly found: 'unlisted'; readonly value: Json; readonly at: Locator }
  /** No value, and the rule does not say what that means. */
  | { readonly found: 'nothing' };

/** The first place with a value counts. */
export function readState({ at, absent, listed }: StateRule, reply: Readable): FoundState {
  for (const locator of at) {
    const value = locate(locator, reply);
    if (value === undefined) continue;
    const state = stateOf(value, listed);
    return state === null ? { found: 'unlisted', value, at: locator } : { found: 'state', state };
  }
  return absent === null ? { found: 'nothing' } : { found: 'state', state: absent };
}

/** The state by the HTTP status; null if the rule does not read or list the status. */
export function stateOfStatus({ at, listed }: StateRule, status: number): JobState | null {
  const asked = at.some((locator) => locator.at === 'status');
  return asked ? (listed.find(({ test, values }) => test === 'in' && values.includes(status))?.state ?? null) : null;
}

export function stateOf(value: Json, listed: StateRule['listed']): JobState | null {
  const named = listed.find(({ test, values }) => test === 'in' && isAmong(value, values));
  const other = listed.find(({ test, values }) => test === 'not' && !isAmong(value, values));
  return (named ?? other)?.state ?? null;
}
